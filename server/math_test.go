package server_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rulestore/server/calc"
	"rulestore/server/site"
)

const toolsPath = "/api/v1/math/tools/"

// post sends a body; headers are names and values in turn.
func (c client) post(path, body string, headers ...string) response {
	c.Helper()
	req := must(http.NewRequest(http.MethodPost, c.url+path, strings.NewReader(body)))
	req.Header.Set("Content-Type", jsonType)
	for pair := range slices.Chunk(headers, 2) {
		req.Header.Set(pair[0], pair[1])
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		c.Fatalf("POST %s: %v", path, err)
	}
	return c.read(http.MethodPost, path, resp)
}

func tools() []*calc.Tool { return slices.Collect(kindsSite().Math.Tools()) }

// Every example of every tool gives over HTTP, byte for byte, what the engine
// gives, in both forms.
func TestCalculationsAreTheEngines(t *testing.T) {
	c := ask(t, kindsSite())
	for _, tool := range tools() {
		for _, e := range tool.Examples {
			want := must(tool.Calculate([]byte(e.Request), kindsSite().Facts()))
			r := c.post(toolsPath+tool.ID, e.Request)
			if r.status != http.StatusOK || !bytes.Equal(r.body, want.JSON()) {
				t.Errorf("%s: %q: %d\n%s\nexpected\n%s", tool.ID, e.Title, r.status, r.body, want.JSON())
			}
			for name, want := range map[string]string{
				"Content-Type": jsonType, "Cache-Control": "no-store", "Content-Language": "ru",
				"X-Snapshot": kindsSite().ID, "Etag": "", "Deprecation": "",
			} {
				if got := r.header.Get(name); got != want {
					t.Errorf("%s: %s is %q, want %q", tool.ID, name, got, want)
				}
			}
			text := c.post(toolsPath+tool.ID, e.Request, "Accept", markdownType)
			if text.status != http.StatusOK || !bytes.Equal(text.body, want.Markdown()) ||
				text.header.Get("Content-Type") != "text/markdown; charset=utf-8" {
				t.Errorf("%s: %q as Markdown: %d %v\n%s", tool.ID, e.Title, text.status, text.header, text.body)
			}
		}
	}
}

// The paths from before the registry answer as their successors do, and say so whatever the answer,
// to scripts as well.
func TestLegacyCalculations(t *testing.T) {
	c := ask(t, kindsSite())
	for path, id := range map[string]string{"loan/calculate": "loan_payment", "loan/compare": calc.CompareLoansID} {
		tool, _ := kindsSite().Math.Tool(id)
		request := tool.Examples[0].Request
		path = "/api/v1/math/" + path
		if r, want := c.post(path, request), c.post(toolsPath+id, request); r.status != http.StatusOK ||
			!bytes.Equal(r.body, want.body) {
			t.Errorf("%s: %d\n%s\nits successor\n%s", path, r.status, r.body, want.body)
		}
		for status, r := range map[int]response{
			http.StatusNoContent:             c.do(http.MethodOptions, path),
			http.StatusBadRequest:            c.post(path, "no JSON"),
			http.StatusMethodNotAllowed:      c.get(path + "?x=1"),
			http.StatusNotAcceptable:         c.post(path, request, "Accept", "image/png"),
			http.StatusRequestEntityTooLarge: c.post(path, request+strings.Repeat(" ", 64<<10)),
			http.StatusUnsupportedMediaType:  c.post(path, request, "Content-Type", "text/plain"),
			http.StatusUnprocessableEntity:   c.postForm(path, nil),
		} {
			successor := "<" + baseURL + toolsPath + id + `>; rel="successor-version"`
			exposed := strings.Split(r.header.Get("Access-Control-Expose-Headers"), ", ")
			if r.status != status || r.header.Get("Deprecation") != site.LegacySince ||
				!slices.Equal(r.header["Link"], []string{successor}) || !slices.Contains(exposed, "Deprecation") ||
				!slices.Contains(exposed, "Link") {
				t.Errorf("%s: %d, want %d: %v", path, r.status, status, r.header)
			}
			if status == http.StatusMethodNotAllowed && r.header.Get("Allow") != "POST, OPTIONS" {
				t.Errorf("%s: %v", path, r.header)
			}
		}
		if r := c.get(path, "Accept", browser); r.status != http.StatusMethodNotAllowed || !r.isPage() {
			t.Errorf("%s in a browser: %d", path, r.status)
		}
	}
}

const loanRequest = `{"inputs":{"principal":"1000000","annual_rate_pct":"12","term_months":12}}`

// What is wrong with the form of a request: of what is in it, testdata/scripts and server/calc tell.
func TestRefusedCalculations(t *testing.T) {
	c := ask(t, kindsSite())
	const refused, form = "unsupported_media_type", "application/x-www-form-urlencoded"
	for name, test := range map[string]struct {
		body    string
		headers []string
		status  int
		code    string
	}{
		"not UTF-8":        {"{\"\xff\":1}", nil, 400, "invalid_json"},
		"a form":           {loanRequest, []string{"Content-Type", form}, 415, refused},
		"no type":          {loanRequest, []string{"Content-Type", ""}, 415, refused},
		"compressed":       {loanRequest, []string{"Content-Encoding", "gzip"}, 415, refused},
		"an image":         {loanRequest, []string{"Accept", "image/png"}, 406, "not_acceptable"},
		"JSON with a name": {loanRequest, []string{"Content-Type", "Application/JSON; charset=utf-8"}, 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := client{TB: t, url: c.url}.post(toolsPath+"loan_payment", test.body, test.headers...)
			r.want(t, test.status, test.code)
		})
	}
}

// A tool describes itself: its schemas are those that are served alone.
func TestToolDescription(t *testing.T) {
	c := ask(t, kindsSite())
	for _, tool := range tools() {
		doc := decode[struct {
			ID       string          `json:"tool_id"`
			Policy   string          `json:"rounding_policy"`
			Formula  string          `json:"formula_id"`
			Input    json.RawMessage `json:"input_schema"`
			Output   json.RawMessage `json:"output_schema"`
			Limits   map[string]int
			Examples []struct{ Request json.RawMessage }
		}](t, c.get(toolsPath+tool.ID).body)
		if doc.ID != tool.ID || doc.Policy != calc.RoundingPolicy || doc.Formula != tool.Formula ||
			doc.Limits["max_body_bytes"] != 65536 || len(doc.Examples) == 0 {
			t.Errorf("%s: %+v", tool.ID, doc)
		}
		for name, inline := range map[string]json.RawMessage{"input": doc.Input, "output": doc.Output} {
			alone := c.get(toolsPath + tool.ID + "/" + name + "-schema")
			var compact bytes.Buffer
			if err := json.Compact(&compact, alone.body); err != nil || compact.String() != string(inline) ||
				alone.header.Get("Content-Type") != schemaType {
				t.Errorf("%s: the %s schema differs (%v)", tool.ID, name, err)
			}
		}
	}
}
