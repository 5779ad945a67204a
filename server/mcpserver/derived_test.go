package mcpserver

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// The tools of a kind without descriptions of its own choose by all that the list over HTTP
// chooses by, and are named as others are.
func TestDerivedTools(t *testing.T) {
	for i, want := range [][]string{
		{"scenario", "status", "product_type", "prefix", "as_of", "limit", "offset"},
		{"status", "prefix", "as_of", "limit", "offset"},
	} {
		var names []string
		list := ofKind("reference", []*content.Kind{content.Guidelines, content.Calendars}[i])[0].tool(calc.New())
		for _, p := range list.params {
			if p.Name != api.Shared("InForce").Name {
				names = append(names, p.Name)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s has %q, expected %q", list.Name, names, want)
		}
	}
	fees := &content.Kind{Folder: "court-fees", Name: "court_fee", List: true}
	if got := listTool(fees); got != "list_court_fees" {
		t.Errorf("its list is read by %s", got)
	}
}

// What a tool says of a limit is the limit.
func TestToldLimits(t *testing.T) {
	s := &Server{tools: allTools(calc.New())}
	about := s.tool("check_citations", every).Description
	if want := "До " + strconv.Itoa(site.MaxCitations) + " цитат."; !strings.HasSuffix(about, want) {
		t.Errorf("%s: not %s", about, want)
	}
	for name, p := range declared().Params {
		if name == "limit" && p.Most != api.MaxLimit || name == "offset" && p.Most != api.MaxOffset {
			t.Errorf("%s: at most %d", name, p.Most)
		}
	}
}

// What is said of a missing item names tools that there are.
func TestMissingItemNamesTools(t *testing.T) {
	tools := allTools(calc.New())
	for _, k := range content.Kinds {
		for _, name := range regexp.MustCompile("list_[a-z_-]+").FindAllString(itemMissing(k).Error(), -1) {
			if !slices.ContainsFunc(tools, func(t *tool) bool { return t.Name == name }) {
				t.Errorf("%s: there is no tool %s", k.Folder, name)
			}
		}
	}
}

// An address with a query that is read over HTTP is read by a tool as well.
func TestQueriesHaveTools(t *testing.T) {
	s := &Server{tools: allTools(calc.New())}
	for _, o := range api.Operations() {
		json := slices.ContainsFunc(o.Answer.Forms, func(f api.Form) bool { return f.Type == api.JSONType })
		asks := slices.ContainsFunc(o.Query(), func(p *api.Param) bool {
			return p.Name != "limit" && p.Name != "offset"
		})
		if o.Method != "" || !json || !asks || strings.Contains(o.Path, "{") { // list_versions pages through versions
			continue
		}
		if s.callAt(o.Path, nil).tool == nil {
			t.Errorf("read_url and instructions do not know which tool answers %s?%s=…: declare it with at",
				o.Path, o.Query()[0].Name)
		}
	}
}

// What is longer than cards take ends with a word.
func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		"Правила  и\nрасчёты": "Правила и расчёты", strings.Repeat("слово, ", 20): strings.Repeat("слово, ", 13) + "слово…",
		strings.Repeat("ж", 200): strings.Repeat("ж", 100),
	} {
		if got := cut(text); got != want {
			t.Errorf("%q", got)
		}
	}
}
