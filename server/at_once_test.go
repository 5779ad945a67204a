package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/loader/git"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// asked is a request: a GET without a body.
type asked struct{ path, body string }

// Every operation and every tool of MCP is asked several times at once in each form, while sites are
// swapped: nothing that requests share may be written without a lock. The race detector looks on in
// make check; a map that is written at once ends the process without it, too.
func TestEverythingAtOnce(t *testing.T) {
	script := readScript("testdata/kinds.txtar")
	e := kindsSite().Snapshot.Item(content.Guidelines, "fraud.code.001").Current
	seal := e.Tag() + " " + e.Checksum + " " + e.PublishedAt.Format(time.RFC3339) + "\n"
	snapshots := []*content.Snapshot{load(script[:2]).Snapshot, load(append(script, git.ScriptCommit{
		Date: today, Message: "Печать", Files: map[string][]byte{"sealed/" + e.Item() + ".sum": []byte(seal)},
	})).Snapshot}
	c := site.Config{BaseURL: baseURL, Schemas: schemas.Embedded(), Math: calc.New(),
		MCP: true}
	swapped := func(prev *site.Site, to int) *site.Site {
		view, _ := logs.Load(snapshots[to])
		c.Log = view.(*log.Served)
		return site.Build(prev, snapshots[to], c)
	}
	now := swapped(nil, 1)
	sites := serving(now)
	h := handler(*start(t, server.Config{Sites: sites}).config)
	for i, a := range append(everyOperation(t, now), everyTool(t, h, now)...) {
		var all sync.WaitGroup
		if i%8 == 0 {
			all.Go(func() { sites.Store(swapped(sites.Current(), i/8%2)) })
		}
		for _, form := range []string{jsonType, markdownType, browser, jsonType, markdownType, browser} {
			all.Go(func() {
				if w := a.of(h, form); w.Code >= http.StatusInternalServerError {
					t.Errorf("%s as %s: %d %s", a, form, w.Code, w.Body)
				}
			})
		}
		all.Wait()
	}
}

// of asks a handler, for a form or else any other.
func (a asked) of(h http.Handler, form string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, baseURL+a.path, nil)
	if a.body != "" {
		r = httptest.NewRequest(http.MethodPost, baseURL+a.path, strings.NewReader(a.body))
		r.Header.Set("Content-Type", jsonType)
	}
	r.Header.Set("Accept", form+", */*;q=0.1")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// queried are values of parameters. Each place in a comparison is made anew.
var queried = map[string][]string{
	"q": {"%D0%BA%D0%BE%D0%B4", "rjl"}, "signal": {"CODE_REQUESTED"}, "section": {"title"}, "sort": {"-title"},
	"view": {"brief", "referenced_by"}, "as_of": {"2026-05-01"}, "in_force": {"2026-05-01"},
	"since": {"2026-04-01"}, "offset": {"1", "2", "3", "4", "5"},
}

// everyOperation has requests for each operation of the table, with each of its parameters.
func everyOperation(t *testing.T, s *site.Site) (all []asked) {
	// What answers only for a clone or for drafts.
	tried := map[api.Action]bool{}
	for _, o := range api.Operations() {
		path := o.Path
		if strings.Contains(path, "{") {
			path = pathFor(s, path)
		}
		switch {
		case path == "":
			continue
		case o.Action == api.Compare: // of an item whose versions differ in what they refer to
			path = api.ComparePath + "instructions/assistant"
			fallthrough
		case o.Method == "":
			all = append(all, asked{path, ""})
			for _, p := range o.Query() {
				for _, value := range queried[p.Name] {
					all = append(all, asked{path + "?" + p.Name + "=" + value, ""})
				}
			}
		case o.Action == api.Calculate:
			tool, _ := s.Math.Tool("loan_payment")
			all = append(all, asked{path, tool.Examples[0].Request})
		case o.Action == api.CheckCitations:
			cited := must(json.Marshal(citing(s.Snapshot.Items[0].Current, "")))
			all = append(all, asked{path, `{"citations":[` + string(cited) + `]}`})
		}
		tried[o.Action] = true
	}
	for _, o := range api.Operations() {
		if !tried[o.Action] {
			t.Errorf("nothing is asked of %s", o.ID)
		}
	}
	return all
}

// argued are the arguments that tools require, but for calculations, which have examples.
var argued = map[string]string{
	"guideline_id": "fraud.code.001", "name": "fraud-response", "folder": "instructions", "parameter_id": "bank.limit",
	"registry": "fraud-signals", "code": "CODE_REQUESTED", "calendar_id": "ru-2026", "scenario_id": "fraud_risk",
	"tool_id": "loan_payment", "url": "/api/v1/taxonomy", "tag": "guidelines/fraud.code.001/v1.0.0", "query": "код",
	"signal": "CODE_REQUESTED", "id": "rulestore://guidelines/fraud.code.001/v1.0.0",
}

// everyTool has a call of each tool of MCP.
func everyTool(t *testing.T, h http.Handler, s *site.Site) (all []asked) {
	for _, set := range []string{"all", "connector"} {
		path := api.MCPPath + "?toolsets=" + set
		var listed struct {
			Result struct {
				Tools []struct {
					Name        string
					InputSchema struct{ Required []string }
				}
			}
		}
		answer := asked{path, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`}.of(h, jsonType)
		if err := json.Unmarshal(answer.Body.Bytes(), &listed); err != nil || len(listed.Result.Tools) < 2 {
			t.Fatalf("%d %s (%v)", answer.Code, answer.Body, err)
		}
		for _, tool := range listed.Result.Tools {
			arguments := map[string]any{}
			for _, name := range tool.InputSchema.Required {
				arguments[name] = argued[name]
			}
			if calculation, ok := s.Math.Tool(tool.Name); ok {
				must(0, json.Unmarshal([]byte(calculation.Examples[0].Request), &arguments))
			}
			body := must(json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
				"params": map[string]any{"name": tool.Name, "arguments": arguments}}))
			all = append(all, asked{path, string(body)})
		}
	}
	return all
}
