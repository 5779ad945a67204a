package site_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/net/html"

	"rulestore/content/log"
	"rulestore/content/log/logtest"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/observe"
	"rulestore/server/site"
)

var update = flag.Bool("update", false, "write the answers anew")

// today is when the tests take place.
var today = time.Date(2026, 11, 28, 16, 0, 0, 0, time.UTC)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// served serves one site.
type served struct{ *site.Site }

func (s served) Current() *site.Site { return s.Site }

// load reads a repository as it is after its last commit.
func load(file string, drafts bool) loader.Loaded {
	script := must(gittest.ParseTxtar(must(txtar.ParseFile("../testdata/" + file))))
	l := loader.New(loader.Config{
		Source: must(git.InMemory(script)), Schemas: schemas.Embedded(), Drafts: drafts,
		Now: func() time.Time { return today },
	})
	key := must(log.ParseKey(must(log.NewKey(bytes.NewReader(make([]byte, 64)), "r.org/log"))))
	r := must(l.Load(context.Background()))
	r.Log = logtest.Of(r.Snapshot, key)
	return r
}

// serve makes the handler of a repository; of what is coming the drafts are served, too.
func serve(file string) http.Handler {
	r, requests := load(file, file == "coming.txtar"), observe.NewRequests()
	c := site.Config{BaseURL: "https://r.org/x", Version: "0.0.0-test", Schemas: schemas.Embedded(), Requests: requests}
	c.Log = r.Log
	return server.New(server.Config{
		Sites: served{site.Build(nil, r.Snapshot, c)}, Log: slog.New(slog.DiscardHandler), Requests: requests,
		Now:    func() time.Time { return today },
		Status: func() server.Status { return server.Status{LoadedAt: today, CheckedAt: today} },
	})
}

// TestAnswers compares what is answered with testdata/answers: each file there has the requests to
// one repository of ../testdata as the names of its parts, and the answers as their text. A new
// request is a new name; -update writes the answers.
func TestAnswers(t *testing.T) {
	said := map[string]bool{}
	for _, name := range []string{"store.txtar", "kinds.txtar", "broken.txtar", "coming.txtar",
		"openapi.txtar"} {
		t.Run(name, func(t *testing.T) {
			file := "testdata/answers/" + name
			all, h := must(txtar.ParseFile(file)), serve(name)
			for i, f := range all.Files {
				whole := ask(h, f.Name)
				got := Shorten(whole, said)
				if !*update && got != string(f.Data) {
					t.Fatalf("%s (-update writes it anew): want\n%s\ngot\n%s", f.Name, f.Data, whole)
				}
				all.Files[i].Data = []byte(got)
			}
			if *update {
				must(0, os.WriteFile(file, txtar.Format(all), 0o666))
			}
		})
	}
}

// shorten leaves out what was said before: of lines that all are in earlier answers, their number and a
// checksum remain.
func Shorten(text string, said map[string]bool) string {
	var b, known strings.Builder
	lines := strings.SplitAfter(long.ReplaceAllStringFunc(text, func(line string) string {
		return fmt.Sprintf("%s… %d %.4x", string([]rune(line)[:30]), len(line), sha256.Sum256([]byte(line)))
	}), "\n")
	for _, line := range append(lines, "") {
		if said[line] {
			known.WriteString(line)
			continue
		}
		if n := strings.Count(known.String(), "\n"); n > 1 {
			fmt.Fprintf(&b, "… %d %.4x\n", n, sha256.Sum256([]byte(known.String())))
		} else {
			b.WriteString(known.String())
		}
		known.Reset()
		b.WriteString(line)
	}
	for _, line := range lines {
		said[line] = line != ""
	}
	return b.String()
}

// ask asks for "GET path", "MARKDOWN path", "PAGE path", "HEAD path", "POST path body" or
// "FORM path body", and returns what matters in the answer.
func ask(h http.Handler, request string) string {
	method, path, _ := strings.Cut(request, " ")
	path, body, _ := strings.Cut(path, " ")
	accept := map[string]string{"PAGE": "text/html", "FORM": "text/html", "MARKDOWN": "text/markdown"}[method]
	kind := map[string]string{"POST": "application/json", "FORM": "application/x-www-form-urlencoded"}[method]
	if method == "PAGE" || method == "MARKDOWN" {
		method = http.MethodGet
	} else if method == "FORM" {
		method = http.MethodPost
	}
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost" // for drafts
	r.Header.Set("Accept", accept)
	r.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	status := ""
	if w.Code != http.StatusOK {
		status = fmt.Sprintln(w.Code, w.Header().Get("Location"))
	}
	switch text := varying.ReplaceAllString(w.Body.String(), "$1…"); {
	case method == http.MethodHead:
		return headers(w.Header())
	case strings.HasPrefix(w.Header().Get("Content-Type"), "text/html"):
		return status + outline(text)
	case json.Valid([]byte(text)):
		var b bytes.Buffer
		must(0, json.Indent(&b, []byte(strings.TrimSpace(text)), "", " "))
		return status + b.String() + "\n"
	default:
		return status + strings.TrimSuffix(text, "\n") + "\n"
	}
}

// long matches what is too long to be kept.
var long = regexp.MustCompile(`.{80,}`)

// varying is what differs from answer to answer, and from one hour to the next.
var varying = regexp.MustCompile(
	`("fetched_at": ?")[^"]*|\d\d:\d\d:\d\d UTC|(?:меньше минуты|\d+ (?:мин|ч|дн\.)) назад`)

// headers writes headers but those that all answers have.
func headers(h http.Header) string {
	var b strings.Builder
	for name := range h {
		if name != "X-Snapshot" && !strings.HasPrefix(name, "Access-") {
			fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(h[name], "\n\t"))
		}
	}
	lines := strings.SplitAfter(b.String(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// outline is what matters of a page: its title, and in its main part the text with links, fields
// and the classes that say what a thing is; a line for a block.
func outline(page string) string {
	var b strings.Builder
	text := func(s string) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			b.WriteString(s + " ")
		}
	}
	var walk func(n *html.Node, shown bool)
	walk = func(n *html.Node, shown bool) {
		if n.Type == html.TextNode && shown {
			text(n.Data)
		}
		name := ""
		if n.Type == html.ElementNode {
			name = n.Data
		}
		shown = shown || name == "title" || name == "main"
		inner := shown && name != "script" && name != "style"
		if inner && block[name] {
			b.WriteString("\n" + short[name])
		}
		for _, a := range n.Attr {
			if inner && telling[a.Key] {
				b.WriteString("\n" + a.Key + "=" + a.Val + " ")
			}
		}
		kids := slices.Collect(n.ChildNodes())
		if inner && name == "tbody" && len(kids) > 24 { // half of them is space between rows
			b.WriteString(fmt.Sprint("\n… ", len(kids)/2, " rows"))
			kids = slices.Concat(kids[:4], kids[len(kids)-4:])
		}
		for _, kid := range kids {
			walk(kid, inner)
		}
	}
	walk(must(html.Parse(strings.NewReader(page))), false)
	return blank.ReplaceAllString(strings.TrimSpace(b.String()), "\n") + "\n"
}

var (
	blank   = regexp.MustCompile(` *\n[ \n]*`)
	block   = set("title h1 h2 h3 h4 h5 p li tr td dt dd form section details summary pre input select textarea option button")
	telling = set("href id name value checked selected aria-current")
	short   = map[string]string{"h1": "# ", "h2": "## ", "h3": "### ", "li": "- ", "tr": "| "}
)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}
