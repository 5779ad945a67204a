package server_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rulestore/content"
	"rulestore/server/site"
)

// scriptSites are the sites that scripts ask.
var scriptSites = map[string]func() *site.Site{
	"store": storeSite, "kinds": kindsSite, "times": repositorySite("times"),
	"openapi": repositorySite("openapi"), "fraud": sync.OnceValue(fraudSite),
}

// repositorySite is the site of a repository in testdata.
func repositorySite(name string) func() *site.Site {
	return sync.OnceValue(func() *site.Site {
		return build(nil, load(readScript("testdata/"+name+".txtar")).Snapshot)
	})
}

// TestScripts asks what the files of testdata/scripts ask, and expects the answers that stand there. A line is
//
//	# a comment
//	site NAME            the site of scriptSites that is asked from here on
//	show SELECTOR …      what is shown of answers from here on
//	VERB ADDRESS BODY    a request: a method, or what asks for a form (MARKDOWN, PAGE) or sends one (FORM)
//
// Below a request, behind a tab, is its answer: its status, and what was selected of its JSON, or what a problem
// says; -update writes these lines anew. A line that begins with + must be in the body, one with - must not.
// A selector is the name of a header behind @, or a path of names; PATH:A,B has these fields of each element,
// * is the whole body, and @* are all headers but those of every answer. Without one a list shows the ids and
// versions in it. «x*9» in a request stands for nine x.
//
// Whatever is read is asked with HEAD as well, and again by its entity tag; what is not a page is as OpenAPI
// describes it.
func TestScripts(t *testing.T) {
	for _, file := range must(filepath.Glob("testdata/scripts/*.txt")) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			var c client
			var show, answer []string
			var written strings.Builder
			var last response
			for i, line := range strings.Split(string(must(os.ReadFile(file))), "\n") {
				expected, indented := strings.CutPrefix(line, "\t")
				if !indented {
					if len(answer) > 0 && !*update {
						t.Errorf("%s:%d: the answer goes on\n%s", file, i+1, strings.Join(answer, "\n"))
					}
					answer = nil
				}
				switch word, rest, _ := strings.Cut(line, " "); {
				case strings.HasPrefix(expected, "+ ") && indented, strings.HasPrefix(expected, "- ") && indented:
					text := strings.ReplaceAll(string(last.body), "\u00A0", " ")
					if strings.Contains(text, expected[2:]) != (expected[0] == '+') {
						t.Errorf("%s:%d: %s\n%.3000s", file, i+1, expected, text)
					}
				case indented && *update:
					continue // written already
				case indented:
					if len(answer) == 0 || answer[0] != expected {
						t.Errorf("%s:%d: got\n%s\nwant\n%s", file, i+1, strings.Join(answer, "\n"), expected)
						answer = nil
						break
					}
					answer = answer[1:]
				case word == "site":
					c = ask(t, scriptSites[rest]())
				case word == "show":
					show = strings.Fields(rest)
				case word != "" && word == strings.ToUpper(word) && word != "#":
					last = c.scripted(word, rest)
					path, _, _ := strings.Cut(expanded(rest), " ")
					if _, err := described().findMethod(last.method, escaped(path)); err == nil && !last.isPage() {
						checker{c, described()}.described(escaped(path), last, !strings.Contains(path, "?"))
					}
					if answer = strings.Split(last.shown(show), "\n"); *update {
						line += "\n\t" + strings.Join(answer, "\n\t")
					}
				}
				written.WriteString(line + "\n")
			}
			if *update {
				must(0, os.WriteFile(file, []byte(strings.TrimSuffix(written.String(), "\n")), 0o666))
			}
		})
	}
}

// repeated is what stands for a long text in a script.
var repeated = regexp.MustCompile(`«([^*«»]+)\*(\d+)»`)

// scripted asks what a line of a script asks.
func (c client) scripted(verb, what string) response {
	c.Helper()
	path, body, _ := strings.Cut(expanded(what), " ")
	path = escaped(path)
	accept := map[string]string{"PAGE": htmlType, "FORM": browser, "MARKDOWN": markdownType}[verb]
	switch verb {
	case "POST":
		return c.post(path, body)
	case "FORM":
		return c.post(path, escaped(body), "Content-Type", "application/x-www-form-urlencoded", "Accept", accept)
	case "GET", "PAGE", "MARKDOWN":
	default:
		return c.do(verb, path)
	}
	headers := []string{"Accept", cmp.Or(accept, "*/*")}
	r := c.get(path, headers...)
	head := c.do(http.MethodHead, path, headers...)
	for name := range r.header {
		if name != "Date" && head.header.Get(name) != r.header.Get(name) {
			c.Errorf("HEAD %s: %s is %q, GET has %q", path, name, head.header.Get(name), r.header.Get(name))
		}
	}
	if tag := r.header.Get("Etag"); head.status != r.status || tag != "" &&
		c.get(path, append(headers, "If-None-Match", tag)...).status != http.StatusNotModified {
		c.Errorf("%s: %d, HEAD %d, ETag %s", path, r.status, head.status, tag)
	}
	return r
}

// ofEvery matches the headers that client.read expects of every answer.
var ofEvery = regexp.MustCompile(`(?m)^(Access-Control-(Allow-Origin|Expose)|Content-Length|Content-Security|` +
	`Referrer-Policy|X-Content-Type).*\n`)

// anETag matches the opaque part of an entity tag.
var anETag = regexp.MustCompile(`\b[0-9a-f]{24}\b`)

// expanded writes out what is repeated.
func expanded(line string) string {
	return repeated.ReplaceAllStringFunc(line, func(s string) string {
		m := repeated.FindStringSubmatch(s)
		return strings.Repeat(m[1], must(strconv.Atoi(m[2])))
	})
}

// escaped escapes what is not ASCII.
func escaped(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < 0x80 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// shown is what a script shows of an answer.
func (r response) shown(selectors []string) string {
	text, rows := strconv.Itoa(r.status), ""
	switch kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";"); {
	case slices.Equal(selectors, []string{"*"}):
		return text + "\n" + strings.TrimSpace(string(r.blanked()))
	case slices.Equal(selectors, []string{"@*"}):
		own := ofEvery.ReplaceAllString(strings.TrimSpace(headerText(r.header)), "")
		return text + "\n" + anETag.ReplaceAllString(own, "…")
	case r.status >= 400 && r.method != http.MethodHead && !r.isPage():
		p := r.asProblem()
		if text += " " + p.Code; len(p.Errors) == 0 {
			text += ": " + p.Detail
		}
		for _, e := range p.Errors {
			text += "\n" + e.Pointer + " " + e.Code + ": " + e.Hint
		}
	case kind != jsonType && r.method != http.MethodHead:
		if text += " " + kind; r.isPage() {
			text = strconv.Itoa(r.status)
		}
		fallthrough
	case r.method == http.MethodHead:
		for _, s := range selectors {
			if name, ok := strings.CutPrefix(s, "@"); ok {
				text += " " + cmp.Or(r.header.Get(name), "_")
			}
		}
	case len(selectors) == 0:
		text += listed(r.body)
	default:
		for _, s := range selectors {
			if name, ok := strings.CutPrefix(s, "@"); ok {
				text += " " + cmp.Or(r.header.Get(name), "_")
				continue
			}
			path, fields, each := strings.Cut(s, ":")
			values := chosen(r.body, path)
			if !each {
				text += " " + cmp.Or(strings.Join(values, ","), "_")
				continue
			}
			for _, v := range values {
				var row []string
				for field := range strings.SplitSeq(fields, ",") {
					row = append(row, cmp.Or(strings.Join(chosen([]byte(v), field), ","), "_"))
				}
				rows += "\n" + strings.Join(row, " ")
			}
		}
	}
	return strings.TrimRight(text, " ") + rows
}

// listed are the ids and versions of what is in a list.
func listed(body []byte) (text string) {
	var list content.Object
	if json.Unmarshal(body, &list) != nil {
		return ""
	}
	for _, m := range list {
		var all []content.Object
		if m.Value[0] != '[' || json.Unmarshal(m.Value, &all) != nil {
			continue
		}
		text += " " + m.Name + " " + string(list.Get("total")) + ":"
		for _, o := range all {
			text += " " + o.Text(o[0].Name) + "@" + o.Text(o[1].Name)
		}
	}
	return text
}

// chosen are the values at a path of names; an array stands for its elements.
func chosen(value json.RawMessage, path string) (all []string) {
	switch {
	case len(value) > 0 && value[0] == '[':
		var elements []json.RawMessage
		_ = json.Unmarshal(value, &elements) // or there are none
		for _, e := range elements {
			all = append(all, chosen(e, path)...)
		}
	case path == "" && len(value) > 0:
		var text string
		if json.Unmarshal(value, &text) != nil || string(value) == "null" {
			text = string(value)
		}
		all = append(all, strings.Join(strings.Fields(text), " "))
	case len(value) > 0 && value[0] == '{':
		var o content.Object
		_ = json.Unmarshal(value, &o) // it was an answer's
		name, rest, _ := strings.Cut(path, ".")
		return chosen(o.Get(name), rest)
	}
	return all
}
