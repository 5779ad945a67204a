package mcpserver_test

import (
	"bufio"
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/loader/gitrepo"
	"rulestore/server/site"
)

// common is the rule that tests publish anew.
const common = "product.common.001"

// published is the starter content with one more version of a rule.
var published = sync.OnceValue(func() *site.Site {
	script := slices.Clone(starterScript())
	file := content.Guidelines.File(common)
	var last []byte
	for _, step := range script {
		if data, ok := step.Files[file]; ok {
			last = data
		}
	}
	title := bytes.Index(last, []byte("title: ")) + len("title: ")
	data := slices.Concat(last[:title], []byte("Заново. "), last[title:])
	script = append(script, gitrepo.ScriptCommit{
		Date: today.Add(-time.Hour), Message: "Publish anew",
		Files: map[string][]byte{file: data},
		Tags:  []gitrepo.NewTag{{Name: content.Guidelines.Folder + "/" + common + "/v9.0.0", Message: "Заново"}},
	})
	return build(starterSite(), load(script))
})

// A client that follows a rule is told within a second that it was published anew, reads the new version,
// and is told of nothing else.
func TestFollow(t *testing.T) {
	r := start(t, starterSite())
	c, heard := r.client("2026-07-28", "")
	uri := "rulestore://guidelines/" + common
	for _, uri := range []string{uri, uri + ".md", uri + "/v1.0.0",
		"rulestore://guidelines/product.deposit.analysis.001"} {
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, c, uri); strings.Contains(got, "Заново") {
		t.Fatal("the new version is there before it was published")
	}
	r.swap(published())
	told := []string{<-soon(t, heard.updated), <-soon(t, heard.updated)}
	slices.Sort(told)
	if !slices.Equal(told, []string{uri, uri + ".md"}) {
		t.Errorf("told of %q", told)
	}
	<-soon(t, heard.resources)
	<-soon(t, heard.prompts)
	for _, uri := range told {
		if got := read(t, c, uri); !strings.Contains(got, "Заново") || !strings.Contains(got, "9.0.0") {
			t.Errorf("%s reads %.300s", uri, got)
		}
	}
	streams := r.mcp.Open()
	if err := c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
		t.Error(err)
	}
	r.await("the server notices that a stream is closed", func() bool { return r.mcp.Open() == streams-1 })
	r.swap(starterSite())
	if got := <-soon(t, heard.updated); got != uri+".md" {
		t.Errorf("told of %s, which is not followed any more", got)
	}
}

// A stream outlives the time that a server allows for other answers.
func TestStreamOutlivesTimeouts(t *testing.T) {
	const allowed = 100 * time.Millisecond
	r := start(t, starterSite())
	h := httptest.NewUnstartedServer(r.handler)
	h.Config.ReadTimeout, h.Config.WriteTimeout = allowed, allowed
	h.Start()
	t.Cleanup(h.Close)
	t.Cleanup(r.mcp.Close)
	listen := must(http.NewRequest(http.MethodPost, h.URL+"/mcp", strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",`+
			`"params":{"notifications":{"resourcesListChanged":true},`+newMeta+`}}`)))
	listen.Header.Set("Content-Type", "application/json")
	listen.Header.Set("Accept", "application/json, text/event-stream")
	listen.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	listen.Header.Set("Mcp-Method", "subscriptions/listen")
	res, err := http.DefaultClient.Do(listen.WithContext(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	for begun := time.Now(); time.Since(begun) < 4*allowed; {
		if r.Current() == starterSite() {
			r.swap(published())
		} else {
			r.swap(starterSite())
		}
		for lines.Scan() && !strings.Contains(lines.Text(), "resources/list_changed") {
		}
	}
	if err := lines.Err(); err != nil || !strings.Contains(lines.Text(), "resources/list_changed") {
		t.Errorf("the stream ended: %v %q", err, lines.Text())
	}
}

// While sites are swapped, every answer is of one of them alone.
func TestOneSiteForEachCall(t *testing.T) {
	r := start(t, starterSite())
	var swapping sync.WaitGroup
	stop := make(chan struct{})
	swapping.Go(func() {
		for next := []*site.Site{published(), starterSite()}; ; next[0], next[1] = next[1], next[0] {
			select {
			case <-stop:
				return
			default:
				r.swap(next[0])
			}
		}
	})
	defer swapping.Wait()
	defer close(stop)
	for _, era := range eras {
		c, _ := r.client(era.version, "")
		for range 25 {
			structured, text := call(t, c, "get_guideline", map[string]any{"guideline_id": common,
				"format": "markdown"})
			if anew := strings.Contains(text, "Заново."); anew != strings.Contains(string(structured), "9.0.0") ||
				anew != strings.Contains(text, "9.0.0") {
				t.Errorf("the text and the structured content are of two sites:\n%.300s\n%.300s", text, structured)
			}
		}
	}
}

// soon returns a channel that gives what another gives within a second.
func soon[T any](t *testing.T, c <-chan T) <-chan T {
	t.Helper()
	got := make(chan T, 1)
	select {
	case v := <-c:
		got <- v
	case <-time.After(time.Second):
		t.Fatal("nothing was told within a second")
	}
	return got
}

func read(t *testing.T, c *mcp.ClientSession, uri string) string {
	t.Helper()
	res, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Contents) != 1 || res.Contents[0].URI != uri {
		t.Fatalf("%s: %+v", uri, res.Contents)
	}
	return res.Contents[0].Text
}
