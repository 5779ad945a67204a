package main

import (
	"io"
	"net/http"
	"regexp"
	"runtime"
	"strings"
)

// goroutines are the stacks of those that the program's own code is part of, by number.
func goroutines() map[string]string {
	buf := make([]byte, 16<<20)
	all := map[string]string{}
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		number, _, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine "), " ")
		if own.MatchString(stack) && !tests.MatchString(stack) {
			all[number] = stack
		}
	}
	return all
}

var (
	own   = regexp.MustCompile(`rulestore/|go-git|fsnotify|modelcontextprotocol|opentelemetry|persistConn`)
	tests = regexp.MustCompile(`_test\.go`)
)

// converse asks for this and that, and leaves a stream open until it is told to close
// it.
func (s *running) converse() (end func()) {
	s.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	for _, path := range []string{"/", "/api/v1/search?q=банк", "/api/v1/health"} {
		res, err := client.Get(s.url + path)
		if err != nil {
			s.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			s.Errorf("%s: %d", path, res.StatusCode)
		}
	}
	post := func(body, accept string) *http.Response {
		req, err := http.NewRequest(http.MethodPost, s.url+"/mcp", strings.NewReader(body))
		if err != nil {
			s.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", accept)
		res, err := client.Do(req)
		if err != nil {
			s.Fatal(err)
		}
		return res
	}
	const both = "application/json, text/event-stream"
	res := post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",`+
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, both)
	_, _ = io.Copy(io.Discard, res.Body)
	res.Body.Close()
	req, err := http.NewRequest(http.MethodGet, s.url+"/mcp", nil)
	if err != nil {
		s.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Mcp-Session-Id", res.Header.Get("Mcp-Session-Id"))
	stream, err := client.Do(req)
	if err != nil {
		s.Fatal(err)
	}
	return func() { stream.Body.Close() }
}
