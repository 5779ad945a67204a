package mcpserver_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/loader/git"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

// common is the rule that tests publish anew.
const common = "fraud.code.001"

// published is the store with one more version of a rule.
var published = sync.OnceValue(func() *site.Site {
	script := mcpserver.Script()
	file := content.Guidelines.File(common)
	anew := bytes.Replace(script[0].Files[file], []byte("title: "), []byte("title: Заново. "), 1)
	script = append(script, git.ScriptCommit{
		Date: mcpserver.Today.Add(-time.Hour), Message: "Publish anew",
		Files: map[string][]byte{file: anew},
		Tags:  []git.NewTag{{Name: content.Guidelines.Folder + "/" + common + "/v9.0.0", Message: "Заново"}},
	})
	return mcpserver.Build(kinds(), mcpserver.Load(script))
})

// A client that follows a rule is told that it was published anew, reads the new version,
// and is told of nothing else.
func TestFollow(t *testing.T) {
	r := start(t)
	c, heard := r.client("2026-07-28", "")
	uri := "rulestore://guidelines/" + common
	for _, uri := range []string{uri, uri + ".md", "rulestore://instructions/assistant/v1.0.0",
		"rulestore://parameters/bank.limit"} {
		subscribe(t, c, heard, uri)
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
	r.swap(kinds())
	if got := <-soon(t, heard.updated); got != uri+".md" {
		t.Errorf("told of %s, which is not followed any more", got)
	}
}

// A stream that follows nothing that exists says so, and ends.
func TestFollowNothing(t *testing.T) {
	r := start(t)
	for range 100 {
		res := must(http.DefaultClient.Do(listening(t, r.url, `"resourceSubscriptions":["rulestore://guidelines/none"]`)))
		body := string(must(io.ReadAll(res.Body)))
		res.Body.Close()
		if !strings.Contains(body, "acknowledged") || !strings.Contains(body, `"result"`) {
			t.Fatalf("got %q", body)
		}
	}
}

// A stream outlives the time that a server allows for other answers.
func TestStreamOutlivesTimeouts(t *testing.T) {
	const allowed = 100 * time.Millisecond
	r := start(t)
	h := httptest.NewUnstartedServer(r.handler)
	h.Config.ReadTimeout, h.Config.WriteTimeout = allowed, allowed
	h.Start()
	t.Cleanup(h.Close)
	t.Cleanup(r.mcp.Close)
	res := must(http.DefaultClient.Do(listening(t, h.URL, lists)))
	t.Cleanup(func() { res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	for begun := time.Now(); time.Since(begun) < 4*allowed; {
		if r.Current() == kinds() {
			r.swap(published())
		} else {
			r.swap(kinds())
		}
		for lines.Scan() && !strings.Contains(lines.Text(), "resources/list_changed") {
		}
	}
	if err := lines.Err(); err != nil || !strings.Contains(lines.Text(), "resources/list_changed") {
		t.Errorf("the stream ended: %v %q", err, lines.Text())
	}
}

// A client of any revision goes on after a restart, and at any of several replicas.
func TestAnyReplica(t *testing.T) {
	var replicas [2]atomic.Pointer[running]
	var asked atomic.Int64
	replicas[0].Store(start(t))
	replicas[1].Store(start(t))
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		replicas[asked.Add(1)%2].Load().handler.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		c, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.URL + "/mcp"},
			&mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		for range 4 {
			if _, text := call(t, c, "get_guideline", map[string]any{"guideline_id": common}); text == "" {
				t.Errorf("%s: no answer", version)
			}
			replicas[0].Store(start(t)) // a restart
		}
		_ = c.Close()
	}
}

// While sites are swapped, every answer is of one of them alone.
func TestOneSiteForEachCall(t *testing.T) {
	r := start(t)
	var swapping sync.WaitGroup
	stop := make(chan struct{})
	swapping.Go(func() {
		for next := []*site.Site{published(), kinds()}; ; next[0], next[1] = next[1], next[0] {
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

// soon returns a channel that gives what another gives, for who waits.
func soon[T any](t *testing.T, c <-chan T) <-chan T {
	t.Helper()
	got := make(chan T, 1)
	select {
	case v := <-c:
		got <- v
	case <-time.After(time.Minute):
		t.Fatal("nothing was told")
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
