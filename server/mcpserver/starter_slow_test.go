//go:build slow

package mcpserver_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.yaml.in/yaml/v3"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader/git"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

// starterSite is the starter content, of which these tests ask what a model reads of it.
var starterSite = sync.OnceValue(func() *site.Site {
	return mcpserver.Build(nil, mcpserver.Load(must(git.ReadReleases(starter.Files))))
})

// What a model reads on prescribed ways is short. Where text and structured content are the same, it reads
// them once.
func TestPrescribedWays(t *testing.T) {
	c, _ := startWith(t, starterSite(), mcpserver.Config{}).client("2026-07-28", "")
	var ways map[string]struct {
		Most  int
		Calls [][3]string // tool, arguments, what is said
	}
	if err := yaml.Unmarshal(must(os.ReadFile("testdata/ways.yaml")), &ways); err != nil {
		t.Fatal(err)
	}
	for name, way := range ways {
		read := utf8.RuneCountInString(c.InitializeResult().Instructions)
		for _, one := range way.Calls {
			structured, text := call(t, c, one[0], json.RawMessage(one[1]))
			read += utf8.RuneCountInString(text)
			if !sameJSON(structured, []byte(text)) {
				read += utf8.RuneCount(structured)
			}
			if !strings.Contains(text, one[2]) {
				t.Errorf("%s: %s does not say %s:\n%.1500s", name, one[0], one[2], text)
			}
		}
		if t.Logf("%s: %d characters", name, read); read > way.Most {
			t.Errorf("%s: %d characters, more than %d", name, read, way.Most)
		}
	}
}

// A list is read in parts that a model can take, and whole by the offsets that they name.
func TestListsFit(t *testing.T) {
	c, _ := startWith(t, starterSite(), mcpserver.Config{}).client("2026-07-28", all)
	tried := 0
	for _, tool := range tools(t, c) {
		properties, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		if properties["offset"] == nil || properties["limit"] == nil || tool.Name == "list_versions" {
			continue
		}
		args := map[string]any{"limit": 50}
		if tool.Name == "search" {
			args["q"] = "срок"
		}
		read := func() (total, returned int) { return wholeList(t, c, tool.Name, args) }
		total, returned := read()
		if tried++; total != returned {
			t.Errorf("%s: %d elements in all, %d were returned", tool.Name, total, returned)
		}
		if properties["in_force"] == nil || tool.Name == "search" {
			continue
		}
		args["in_force"] = "0001-01-01" // before everything: what was not in force is listed too
		if counted, returned := read(); counted != 0 || returned != total {
			t.Errorf("%s: %d of %d elements were returned of a day without any", tool.Name, returned, total)
		}
	}
	if tried < 15 {
		t.Errorf("only %d lists were read", tried)
	}
}

// wholeList reads a list by its offsets, and returns the total that it states and how many elements were returned.
func wholeList(t *testing.T, c *mcp.ClientSession, tool string, args map[string]any) (total, returned int) {
	for next := 0; ; {
		args["offset"] = next
		structured, text := call(t, c, tool, args)
		if n := max(utf8.RuneCountInString(text), utf8.RuneCount(structured)); n > 12_000 {
			t.Errorf("%s %v: %d characters", tool, args, n)
		}
		var page map[string]json.RawMessage
		if err := json.Unmarshal(structured, &page); err != nil {
			t.Fatal(err)
		}
		for _, array := range page {
			var elements []json.RawMessage
			if json.Unmarshal(array, &elements) == nil {
				returned += len(elements)
			}
		}
		total, next = number(page["total"]), number(page["next_offset"])
		if next == 0 {
			return total, returned
		}
	}
}

func number(raw json.RawMessage) (n int) {
	_ = json.Unmarshal(raw, &n) // 0 if there is none
	return n
}

// Whatever an instruction has a model read by MCP, in brief and as a whole, a client that chose no toolsets
// can call as it is said there.
func TestWhatIsSaidCanBeCalled(t *testing.T) {
	c, _ := startWith(t, starterSite(), mcpserver.Config{}).client("2025-06-18", "")
	var known []string
	for _, tool := range tools(t, c) {
		known = append(known, tool.Name)
	}
	calls := map[string]bool{}
	for _, it := range starterSite().Snapshot.Items {
		if it.Kind != content.Instructions {
			continue
		}
		text := read(t, c, "skill://"+it.Name+"/SKILL.md") + read(t, c, "skill://"+it.Name+"/references/full.md")
		if i := strings.Index(text, "/api/v1/"); i >= 0 && !strings.HasSuffix(text[:i], "read_url url=") {
			t.Errorf("%s names an address: %.100s", it.Name, text[max(0, i-60):])
		}
		for _, said := range regexp.MustCompile("`([a-z]+_[a-z_]+ [a-z_]+=[^`]+)`").FindAllStringSubmatch(text, -1) {
			calls[said[1]] = true
		}
		for _, said := range regexp.MustCompile(`(?:^|[^/a-z_])((?:get|list|read|find|check)_[a-z_]+)`).FindAllStringSubmatch(text, -1) {
			if !slices.Contains(known, said[1]) {
				t.Errorf("%s names %s, which is not there by default", it.Name, said[1])
			}
		}
	}
	if len(calls) < 40 {
		t.Errorf("only %d calls are said", len(calls))
	}
	for said := range calls { // tool a=b section=[c, d]
		tool, rest, _ := strings.Cut(said, " ")
		args := map[string]any{}
		for _, m := range regexp.MustCompile(`([a-z_]+)=(?:\[([^\]]*)\]|(\S+))`).FindAllStringSubmatch(rest, -1) {
			if args[m[1]] = m[3]; m[3] == "" {
				args[m[1]] = strings.Split(m[2], ", ")
			}
		}
		call(t, c, tool, args)
	}
}
