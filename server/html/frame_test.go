package html

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/document"
	"rulestore/content/search"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'` + "\u202Eмасло\u2066"

var evilLink = Link{Title: evil, Href: "javascript:alert(1)"}

// full are pages in which everything that content can fill is filled with what an
// attacker would write.
func full() []Shown {
	now := time.Date(2026, 5, 12, 12, 0, 0, 0, time.UTC)
	head := Head{Title: evil, Description: evil, Path: evil, Crumbs: []Link{evilLink},
		Formats: []Format{{evil, evil, evil}}}
	status := status(evil)
	filters := Filters{Action: evil, Chosen: true, Fields: []Field{{Name: evil, Title: evil, Type: "text",
		Value: evil}, {Name: evil, Choices: []Choice{{evil, evil, true}}}}}
	entry := &content.Entry{Publication: madeUp(0, 0), Reason: evil, Since: evil}
	entry.Checksum, entry.ChangeNote = evil, evil
	entry.SignedBy = content.Signature{Signer: evil, Key: evil, Object: evil}
	versions := []Version{{Entry: entry, Href: "javascript:x", Status: status, Shown: true}}
	changes := []site.ShownChange{{Date: now, Release: true, Title: evil, Path: "javascript:x", Version: evil,
		Text: evil, Points: []string{evil}, Tags: []string{evil}, Compare: "javascript:x"}}
	pager := Pager{Newer: "javascript:x", Older: "javascript:x", From: 1, To: 2, Total: 3}
	entries := []Row{{Title: evil, Href: "javascript:x", About: evil, Code: evil,
		Cells: []Cell{{Title: evil, Text: evil, Class: evil}}, Status: &status, Subject: evil}}
	records := &Records{Title: evil, Filters: filters, Total: 2, Found: 1,
		Pager: pager,
		Rows: []Row{{Anchor: evil, Href: "javascript:x", Title: evil, Code: evil,
			About: Inline(&document.Node{Kind: document.Text, Text: evil}, Drawing{}),
			Cells: []Cell{{Title: evil, Text: evil, Class: evil}}}}}
	choices := []Choice{{evil, evil, true}}
	return []Shown{
		Compare{Head: head, ID: evil, From: versions[0], To: versions[0], Pair: filters, Class: status,
			Summary: evil, Pager: Pager{Older: evil},
			Step: evil, Days: []string{evil},
			Differences: []Difference{evilDifference()}, Upkeep: []Difference{evilDifference()}},
		Tools{Head: head, Filters: filters, Families: []Family{{evil, evil, entries}}},
		Tool{Head: head, ID: evil, Version: evil, About: evil, Action: "/x",
			Fields: []Field{{Name: evil, Title: evil, Type: "number", Value: evil, Wrong: true},
				{Name: evil, Title: evil, Type: "json", Value: evil},
				{Name: evil, Title: evil, Type: "text", Choices: choices}},
			Faults:    []FieldFault{{Title: evil, Name: evil, Detail: evil, Hint: []Link{evilLink}}, {Title: evil}},
			Referrers: []Link{evilLink}},
		Item{Head: head, Entry: entry, Kind: evil, ID: evil, Status: status, Why: "archived", Instead: []Link{evilLink},
			Document: Draw(document.Read(content.Object{{Name: "summary", Value: content.String(evil)},
				{Name: evil, Value: content.Object{{Name: evil, Value: content.String(evil)}}.AppendJSON(nil)}}, nil),
				Drawing{}), Records: records,
			Versions: versions, History: "javascript:x", Compare: "javascript:x", Strip: []Link{evilLink},
			Check: evil, Referrers: []Link{evilLink}},
		Connect{Head: head, Base: evil, Name: evil, MCP: true, HasLog: true, Item: evil, Version: evil, Checksum: evil,
			Search: evil, Request: evil, Toolsets: api.Toolsets, Feeds: []Link{evilLink}},
		Versions{Head: head, ID: evil, Versions: versions, Compare: filters},
		List{Head: head, About: evil, Filters: filters, Total: 1, Rows: entries, Pager: pager},
		Home{Head: head, Kinds: []Kind{{evil, "javascript:x", evil, 1}}, Start: []Link{evilLink},
			Changes: changes, Upcoming: entries, Site: evilSite},
		Changelog{Head: head, Filters: filters, Changes: changes, Pager: pager},
		Search{Head: head, Query: evil, Filters: filters, Asked: true, Total: 1, First: 1, Pager: pager,
			Meant: &evilLink, Near: []Link{evilLink},
			Hits: []Hit{evilHit()}},
	}
}

// evilHit is a result that says what nobody should.
func evilHit() Hit {
	h := Hit{Kind: evil, Href: "javascript:x", Section: &evilLink, Lines: []string{evil}}
	h.ID, h.Title = evil, evil
	h.Snippet.Segments = []search.Segment{{Text: evil, Match: true}, {Text: evil}}
	return h
}

// evilDifference is a change that says what nobody should.
func evilDifference() Difference {
	was, is := document.Node{Kind: document.Text, Text: evil}, document.Node{Kind: document.Object, Kids: []document.Node{
		{Name: evil, Kind: document.Text, Text: evil},
	}}
	d := &site.Difference{ID: evil, Titles: []string{evil}, Was: &was, Is: &is, Unique: evil}
	d.Field = change.Field{What: evil, Why: evil, Look: change.Look{Doubt: evil, Came: []string{evil}}}
	html, _ := Both(Drawing{}, change.NewEffort(), d)
	return Difference{d, html, true}
}

// evilSite is a site whose source says what nobody should.
var evilSite = site.Build(nil, content.NewSnapshot(content.Input{Source: content.Source{
	Date: "2026-11-20", Commit: evil, Branch: evil,
}}), config)

// evilAnswer is an answer that says what nobody should.
var evilAnswer = []calc.Section{{
	ID: evil, Title: evil, Figures: []calc.Figure{{Name: evil, Title: evil, Text: evil},
		{Title: evil, Text: "1", Unit: evil}}, Points: []calc.Point{{Code: evil, Version: evil,
		Checksum: evil, Text: evil}},
	Table: &calc.Table{Head: []calc.Figure{{Name: "no", Title: evil}, {Name: "balance", Title: evil, Unit: evil}},
		Rows: [][]calc.Figure{{{Text: evil}, {Text: "1"}}, {{Type: calc.CodeType, Text: evil}, {Text: "2"}}}},
	Within: []calc.Section{{ID: evil, Title: evil}},
}}

var (
	values  = regexp.MustCompile(`"[^"]*"`)
	inline  = regexp.MustCompile(`<[^>]*\s(on[a-z]+|style)\s*=`)
	scripts = regexp.MustCompile(`<script[^>]*>`)
	hrefs   = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)
)

// Nothing that content says becomes a part of the page's own code, and nothing
// that the policy forbids is on any page.
func TestHostile(t *testing.T) {
	f := &Frame{Title: evil, Disclaimer: evil, Root: "/root", Draft: true, Nav: []Link{evilLink}}
	names := map[string]bool{}
	for _, p := range full() {
		name := nameOf(p)
		names[name] = true
		html := string(f.render(p))
		if name == "tool" { // the page of an answer
			var answer bytes.Buffer
			given(templates()[name].ExecuteTemplate(&answer, "answer", evilAnswer[0]))
			html += string(showDirection(answer.Bytes()))
		}
		if m := inline.FindString(values.ReplaceAllString(html, "")); m != "" {
			t.Errorf("%s: code inline: %s", name, m)
		}
		if all := scripts.FindAllString(html, -1); len(all) != 1 ||
			!strings.Contains(all[0], `src="/root/assets/site.`) {
			t.Errorf("%s: scripts %v", name, all)
		}
		if strings.Contains(html, "<img src=x") || strings.ContainsAny(html, "\u202E\u2066") ||
			!strings.Contains(html, "[U+202E]") {
			t.Errorf("%s: it looks like what it is not:\n%s", name, html)
		}
		for _, m := range hrefs.FindAllStringSubmatch(html, -1) {
			if strings.HasPrefix(m[1], "javascript:") {
				t.Errorf("%s: a link to %s", name, m[1])
			}
		}
	}
	for name := range templates() {
		if !names[name] && name != "healthpage" && name != "problempage" { // which are tried in package server
			t.Errorf("nobody looks at %s", name)
		}
	}
}

func TestLinked(t *testing.T) {
	got := Linked("Все версии: https://rules.example.org/api/v1/x. Ещё https://evil.example/y",
		"https://rules.example.org", "/root")
	want := []Link{{Title: "Все версии: "}, {"https://rules.example.org/api/v1/x", "/root/api/v1/x"}, {Title: ". Ещё "},
		{Title: "https://evil.example/y"}}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got[i], want[i])
		}
	}
}

// Whatever an address says, it stays one word of a command.
func TestQuoted(t *testing.T) {
	const hostile = "https://x/'; echo caught; $(echo caught) `echo caught` \"\\ \u2028"
	out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+quoted(hostile)).Output()
	if err != nil || string(out) != hostile {
		t.Errorf("%v: %q", err, out)
	}
}

func status(s string) Status { return Status{Code: s, Title: s} }
