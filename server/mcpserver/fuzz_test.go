package mcpserver

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"rulestore/server/api"
)

// Whatever comes as a message, what passes can be answered: it has a method that is
// answered, or is a notification or an answer.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `[{"jsonrpc":"2.0","id":"x","method":"tools/list"}]`,
		`{"jsonrpc":"2.0","result":{},"id":1}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}`, `null`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","Method":"subscriptions/listen","m\u0065thod":1}`, ``, "\xff",
	} {
		f.Add([]byte(seed), "2025-11-25")
	}
	f.Fuzz(func(t *testing.T, body []byte, version string) {
		m, fault := readMessage(body, version)
		switch {
		case fault != nil && (fault.Code >= 0 || fault.Message == ""):
			t.Errorf("%+v", fault)
		case fault == nil && !json.Valid(body):
			t.Errorf("no JSON passes: %q", body)
		case m.ID != nil && !json.Valid(m.ID):
			t.Errorf("the id is %q", m.ID)
		}
		if fault == nil && m.Method != "" && !readAlike(body, m) {
			t.Errorf("%q is read as %q with the id %s, by the SDK as something else", body, m.Method, m.ID)
		}
	})
}

// readAlike says whether the SDK reads a message as we do.
func readAlike(body []byte, m message) bool {
	theirs, err := jsonrpc.DecodeMessage(body)
	if err != nil {
		return bytes.Count(body, []byte("["))+bytes.Count(body, []byte("{")) > 1000 // how deep the SDK goes
	}
	request, ok := theirs.(*jsonrpc.Request)
	return ok && strings.ToValidUTF8(request.Method, "\ufffd") == m.Method && request.IsCall() == (m.ID != nil)
}

// Whatever comes as arguments, what passes is of the type and within the limits
// that the schema says, and what does not is told in words that can be sent.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"q":"x","limit":10}`, `{"q":"","day":"2026-05-01","sure":true}`, `{"a/b":1}`,
		`null`, `[]`, `{"limit":1e9}`} {
		f.Add([]byte(seed))
	}
	params := []*api.Param{required(text("q", "")), oneOf("word", "a", "b"), {Name: "day", Type: api.Date},
		{Name: "sure", Type: api.Switch}, limit(10)}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		a := readArgs(bytes.TrimSpace(raw), params)
		if a.err() != nil {
			if told := describe(a.err()); !json.Valid([]byte(told)) || !utf8.ValidString(told) || len(told) > 20_000 {
				t.Errorf("told %q", told)
			}
			return
		}
		if n := a.Number("limit"); n < 1 || n > 500 {
			t.Errorf("the limit is %d", n)
		}
		if w := a.Text("word"); w != "" && w != "a" && w != "b" {
			t.Errorf("the word is %q", w)
		}
		if utf8.RuneCountInString(a.Text("q")) > maxText || strings.TrimSpace(a.Text("q")) == "" {
			t.Errorf("the text is %q", a.Text("q"))
		}
	})
}

// Whatever comes as a URI or as toolsets is found or is not.
func FuzzURI(f *testing.F) {
	reader := starterServer(f)
	s := reader.Sites.Current()
	for _, seed := range []string{
		"rulestore://guidelines/product.common.001", "rulestore://guidelines/product.common.001/v1.0.0.md",
		"rulestore://schemas/math%2Floan-calculation",
		"skill://assistant/SKILL.md", "rulestore://", "rulestore://guidelines/../x", "%zz", "rules,fraud",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		if res, mediaType := locate(s, uri); res != nil && res.Gone == nil && bodyOf(res, mediaType, "") == nil {
			t.Errorf("%q is found and has nothing", uri)
		}
		if skill := reader.skillAt(s, uri); skill != nil && skill.uri != uri {
			t.Errorf("%q is %q", uri, skill.uri)
		}
		if chosen, err := parseSets(uri); err == nil && chosen == 0 {
			t.Errorf("%q chooses nothing", uri)
		}
	})
}
