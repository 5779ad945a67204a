package verify_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
	"rulestore/server/verify"
)

// current is a set of sites that never changes.
type current struct{ *site.Site }

func (c current) Current() *site.Site { return c.Site }

// load returns what the repository in a file publishes.
func load(file string) func() *content.Snapshot {
	return sync.OnceValue(func() *content.Snapshot {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			panic(err)
		}
		script, err := gittest.ParseTxtar(archive)
		if err != nil {
			panic(err)
		}
		source, err := git.InMemory(script)
		if err != nil {
			panic(err)
		}
		r, err := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(),
			Now: time.Now}).Load(context.Background())
		if err != nil {
			panic(err)
		}
		return r.Snapshot
	})
}

var (
	kinds = load("../testdata/kinds.txtar") // every kind, in every status
	rule  = load("testdata/rule.txtar")
)

// handler serves a snapshot.
func handler(snapshot *content.Snapshot) http.Handler {
	s := site.Build(nil, snapshot, site.Config{BaseURL: "https://rules.example.org", Version: "test",
		Schemas: schemas.Embedded()})
	return server.New(server.Config{Sites: current{s}, Status: func() server.Status { return server.Status{} },
		Encoder: site.NewEncoder()})
}

// oneRule has two versions of one rule, and marks.
func oneRule(marks ...content.Mark) *content.Snapshot {
	in := content.Input{Source: rule().Source, Settings: rule().Settings, Marks: marks}
	for _, e := range rule().Items[0].Entries {
		in.Publications = append(in.Publications, e.Publication)
	}
	return content.NewSnapshot(in)
}

func TestHonestServer(t *testing.T) {
	snapshot := kinds()
	s := httptest.NewServer(handler(snapshot))
	defer s.Close()
	r, err := verify.Run(t.Context(), verify.Config{URL: s.URL + "/", Repository: snapshot})
	if err != nil || len(r.Differences) > 0 {
		t.Fatalf("%v, %v", err, r.Differences)
	}
	if r.Publications != snapshot.Count() || r.Current != len(snapshot.Items) || r.Changed {
		t.Errorf(
			"checked %+v; the repository has %d publications of %d items", r, snapshot.Count(), len(snapshot.Items),
		)
	}
}

// tampered passes answers through a function before they leave.
func tampered(h http.Handler, change func(path string, w *httptest.ResponseRecorder)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept-Encoding")
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		change(r.URL.RequestURI(), rec)
		for name, values := range rec.Header() {
			w.Header()[name] = values
		}
		w.Header().Del("Content-Length")
		w.WriteHeader(rec.Code)
		_, _ = w.Write(rec.Body.Bytes())
	})
}

// Each way in which a server can serve something else than was published is
// found, and named.
func TestDifferences(t *testing.T) {
	snapshot := oneRule()
	handler := handler(snapshot)
	const tag, item = "guidelines/product.common.001/v1.0.0", "/api/v1/guidelines/product.common.001"
	const path = item + "/versions/1.0.0"
	replace := func(old, with string) func(*httptest.ResponseRecorder) {
		return func(w *httptest.ResponseRecorder) {
			text := w.Body.String()
			w.Body = bytes.NewBufferString(regexp.MustCompile(old).ReplaceAllString(text, with))
			if w.Body.String() == text {
				t.Errorf("nothing to replace for %s in %s", old, text)
			}
		}
	}
	tests := []struct {
		name, path string
		change     func(*httptest.ResponseRecorder)
		want       string // in one difference: what, problem, expected, found
	}{
		{"content", path, replace(`"title":"[^"]*"`, `"title":"Подменено"`), tag + "|recomputed checksum|sha256:"},
		{"field added", path, replace(`"title":`, `"extra":1,"title":`), tag + "|recomputed checksum|sha256:"},
		{"checksum field", path, replace(`"content_checksum":"sha256:.`, `"content_checksum":"sha256:x`),
			tag + "|content_checksum|sha256:"},
		{"checksum header", path, func(w *httptest.ResponseRecorder) {
			w.Header().Set("X-Content-Checksum", "sha256:0")
		}, tag + "|X-Content-Checksum|sha256:"},
		{"version", path, replace(`"guideline_version":"1.0.0"`, `"guideline_version":"1.1.0"`),
			tag + "|guideline_version|1.0.0|1.1.0"},
		{"id", path, replace(`"guideline_id":"product.common.001"`, `"guideline_id":"product.other.001"`),
			tag + "|guideline_id|product.common.001|product.other.001"},
		{"date", path, replace(`"published_at":"2026-`, `"published_at":"2025-`),
			tag + "|published_at|2026-02-02T10:00:00+03:00|2025-"},
		{"status", path, replace(`"status":"[a-z]*"`, `"status":"archived"`), tag + "|status|superseded|archived"},
		{"algorithm", path, replace(`"checksum_algorithm":"sha256"`, `"checksum_algorithm":"md5"`),
			tag + "|checksum_algorithm|sha256|md5"},
		{"field twice", path, replace(`^\{`, `{"content_checksum":"x",`),
			tag + "|the body|a JSON object|jsontext: duplicate object member name \"content_checksum\""},
		{"no JSON", path, func(w *httptest.ResponseRecorder) {
			w.Body = bytes.NewBufferString("<html>")
		}, tag + "|the body|a JSON object|"},
		{"a kind of a terminal", "/api/v1/checksums", replace(`(?s)^.*$`, "spells/\x1b[31m/v1.0.0 sha256:0 now\n"),
			`spells/\u001b[31m/v1.0.0 sha256:0 now|of a kind that this build does not know||`},
		{"a coding that it is not in", path, func(w *httptest.ResponseRecorder) {
			w.Header().Set("Content-Encoding", "gzip")
		}, tag + "|cannot be fetched||"},
		{"an array", path, func(w *httptest.ResponseRecorder) { w.Body = bytes.NewBufferString("[]") },
			tag + "|the body|a JSON object|"},
		{"nested deep", path, func(w *httptest.ResponseRecorder) {
			w.Body = bytes.NewBufferString(`{"a":` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + "}")
		}, tag + "|the body|a JSON object|"},
		{"gone", path, func(w *httptest.ResponseRecorder) { w.Code = 410 },
			tag + "|status|200, as it is not redacted in the repository|410"},
		{"not found", path, func(w *httptest.ResponseRecorder) { w.Code = 404 }, tag + "|status|200 or 410|404"},
		{"an escape sequence", path, replace(`"guideline_version":"1.0.0"`, `"guideline_version":"\u001b[2J"`),
			tag + "|guideline_version|1.0.0|\\u001b[2J"},
		{"another current version", item, replace(`"guideline_version":"1.1.0"`, `"guideline_version":"1.0.0"`),
			"guidelines/product.common.001 (current)|guideline_version|1.1.0|1.0.0"},
		{"no current version", item, func(w *httptest.ResponseRecorder) { w.Code = 404 },
			"guidelines/product.common.001 (current)|status|200|404"},
		{"upcoming, of no repository", "/api/v1/upcoming", replace(`"upcoming":\[\]`,
			`"upcoming":[{"tag":"guidelines/x.y.001/v1.0.0","content_checksum":"sha256:0","body":{}}]`),
			"guidelines/x.y.001/v1.0.0|upcoming, and not in the repository||sha256:0"},
		{"upcoming with another checksum", "/api/v1/upcoming",
			replace(`"upcoming":\[\]`, `"upcoming":[{"tag":"guidelines/x.y.001/v1.0.0",`+
				`"content_checksum":"sha256:0","body":{}}]`),
			"guidelines/x.y.001/v1.0.0|recomputed " +
				"checksum|sha256:0|sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"},
		{"nothing upcoming", "/api/v1/upcoming", func(w *httptest.ResponseRecorder) { w.Code = 404 },
			"/api/v1/upcoming|the body|a JSON object|"},
		{"not listed", "/api/v1/checksums", replace(`guidelines/product.common.001/v1.0.0 .*\n`, ""),
			tag + "|not served|sha256:"},
		{"listed twice", "/api/v1/checksums", replace(`(guidelines/product.common.001/v1.0.0 .*\n)`, "$1$1"),
			tag + "|listed twice|"},
		{"listed with another date", "/api/v1/checksums", replace(`(product.common.001/v1.0.0 .*) 2026-02-02`,
			"$1 2026-02-03"), tag + "|date in the repository|2026-02-02T10:00:00+03:00|2026-02-03"},
		{"of no kind", "/api/v1/checksums", replace(`^`, "spells/fire/v1.0.0 sha256:0 now\n"),
			"spells/fire/v1.0.0 sha256:0 now|of a kind that this build does not know|"},
		{"too much", "/api/v1/checksums", replace(`^`, "guidelines/product.extra.001/v1.0.0 sha256:"+
			strings.Repeat("0", 64)+" 2026-02-02T10:00:00Z\n"),
			"guidelines/product.extra.001/v1.0.0|not in the repository||sha256:0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewServer(tampered(handler, func(path string, w *httptest.ResponseRecorder) {
				if path == tt.path && w.Body.Len() > 0 {
					tt.change(w)
				}
			}))
			defer s.Close()
			r, err := verify.Run(t.Context(), verify.Config{URL: s.URL, Repository: snapshot})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range r.Differences {
				got = append(got, fmt.Sprintf("%s|%s|%s|%s", d.What, d.Problem, d.Expected, d.Found))
			}
			if all := strings.Join(got, "\n"); !strings.Contains(all, tt.want) || len(got) > 6 {
				t.Errorf("found\n%s\nexpected %s", all, tt.want)
			}
		})
	}
}

// What a server can do to its clients ends in an error, soon and with a reason.
func TestHostileServers(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a redirect to another host was followed")
	}))
	defer other.Close()
	seal := "guidelines/product.common.001/v1.0.0 sha256:" + strings.Repeat("0", 64) + " 2026-02-02T10:00:00Z\n"
	var member bytes.Buffer // a megabyte of zeros; members of gzip add up
	z := gzip.NewWriter(&member)
	if _, err := z.Write(make([]byte, 1<<20)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	zeros := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(bytes.Repeat(member.Bytes(), 100)) // nobody reads it to its end
	}
	list := func(then http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/v1/checksums" {
				fmt.Fprint(w, seal)
				return
			}
			then(w, r)
		}
	}
	tests := []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"another host", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusFound)
		}, "which is not followed"},
		{"another scheme", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://"+r.Host, http.StatusFound)
		}, "which is not followed"},
		{"round and round", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}, "it redirects to \"/api/v1/checksums\", which is not followed"},
		{"no list", http.NotFound, "the answer is 404: is this the base address of a rulestore?"},
		{"a list of nonsense", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>\n") },
			"/api/v1/checksums, line 1: expected three fields"},
		{"a path out of the list", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, strings.Replace(seal, "product.common.001", "../../admin", 1))
		}, "is no name of an item"},
		{"a huge list", zeros, "the answer is larger than"},
		{"huge headers", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Padding", strings.Repeat("x", 1<<20))
		}, "exceeded"},
		{"a slow list", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, seal)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, "fetch /api/v1/checksums: "}, // before or after its headers, by how much else runs
		{"a huge item", list(zeros), "cannot be fetched: the answer is larger than"},
		{"a slow item", list(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
			"cannot be fetched: "},
		{"a broken item", list(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
		}), "cannot be fetched: unexpected EOF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(tt.answer)
			defer s.Close()
			c := verify.Config{URL: s.URL, Timeout: 5 * time.Minute} // a detector of races makes a huge answer slow
			if strings.Contains(tt.name, "slow") {
				c.Timeout = 3 * time.Second // what answers at once has to come in time
			}
			r, err := verify.Run(t.Context(), c)
			got := fmt.Sprint(err)
			for _, d := range r.Differences {
				got += fmt.Sprintf("\n%s: %s", d.Problem, d.Found)
			}
			givenUp := strings.Contains(tt.name, "slow") && strings.Contains(got, "is too slow") // as a whole
			if !strings.Contains(got, tt.want) && !givenUp {
				t.Errorf("%s\nexpected %s", got, tt.want)
			}
		})
	}
}

// A server that stops answering is given up, not waited for a thousand times.
func TestGivesUp(t *testing.T) {
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v1/checksums" {
			for i := range 1000 {
				fmt.Fprintf(w, "guidelines/product.common.001/v1.%d.0 sha256:%064d 2026-02-02T10:00:00Z\n", i, i)
			}
			return
		}
		asked.Add(1)
		panic(http.ErrAbortHandler)
	}))
	defer s.Close()
	_, err := verify.Run(t.Context(), verify.Config{URL: s.URL})
	if err == nil || !strings.Contains(err.Error(), "requests came to nothing, the last one for /api/v1/guidelines/") {
		t.Error(err)
	}
	if n := asked.Load(); n > 100 { // a request on a connection that broke is tried again
		t.Errorf("%d requests", n)
	}
}

// A server that is busy is asked again, when it says so.
func TestBusyServer(t *testing.T) {
	handler := handler(kinds())
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1)%20 == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer s.Close()
	r, err := verify.Run(t.Context(), verify.Config{URL: s.URL})
	if err != nil || len(r.Differences) > 0 {
		t.Errorf("%v, %v", err, r.Differences)
	}
}

// Whoever stops waiting is not kept.
func TestCancelled(t *testing.T) {
	handler := handler(kinds())
	ctx, cancel := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cancel()
		handler.ServeHTTP(w, r)
	}))
	defer s.Close()
	_, err := verify.Run(ctx, verify.Config{URL: s.URL})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A server that is wrong everywhere is not listed without end.
func TestManyDifferences(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/checksums" {
			http.NotFound(w, r)
			return
		}
		for i := range 1500 {
			fmt.Fprintf(w, "guidelines/product.common.001/v1.%d.0 sha256:%064d 2026-02-02T10:00:00Z\n", i, i)
		}
	}))
	defer s.Close()
	r, err := verify.Run(t.Context(), verify.Config{URL: s.URL})
	if err != nil || len(r.Differences) != 1000 || r.More < 500 {
		t.Errorf("%d differences and %d more, %v", len(r.Differences), r.More, err)
	}
}

// Of what an export has no file has to be redacted in the list of the item's versions.
func TestExport(t *testing.T) {
	redacted := content.Mark{Item: "guidelines/product.common.001", Version: "1.0.0", Status: content.Redacted,
		Reason: "Ошибка", Since: "2026-06-01"}
	for name, c := range map[string]struct {
		snapshot *content.Snapshot
		redacted int
		hidden   string
		want     string
	}{
		"whole":                       {oneRule(), 0, "none", ""},
		"with a redacted version":     {oneRule(redacted), 1, "none", ""},
		"with a version that is lost": {oneRule(), 1, "/1.1.0", "v1.1.0|status|current|redacted\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(tampered(handler(c.snapshot), func(path string, w *httptest.ResponseRecorder) {
				if w.Code != http.StatusOK || path == "/api/v1/health" || strings.HasSuffix(path, c.hidden) {
					w.Code = http.StatusNotFound
				}
				w.Header().Del("X-Content-Checksum")
			}))
			defer s.Close()
			r, err := verify.Run(t.Context(), verify.Config{URL: s.URL})
			found := ""
			for _, d := range r.Differences {
				found += fmt.Sprintf("%s|%s|%s|%s\n", d.What, d.Problem, d.Expected, d.Found)
			}
			if err != nil || r.Redacted != c.redacted || !strings.HasSuffix(found, c.want) || c.want == "" && found != "" {
				t.Errorf("%v, %+v\n%s", err, r, found)
			}
		})
	}
}
