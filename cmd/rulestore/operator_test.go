package main

import (
	"io"
	"net/http"
	"regexp"
	"strings"
)

// answeringOperators finds the address of the admin listener in the log, text or JSON.
var answeringOperators = regexp.MustCompile(`answering operators"[ ,]"?addr"?[=:]"?([^\s",]+)`)

// admin returns the address of the admin listener, for --admin-addr.
func (s *running) admin() string {
	s.Helper()
	m := answeringOperators.FindStringSubmatch(s.log.String())
	if m == nil {
		s.Fatalf("no address for operators in\n%s", s.log)
	}
	return m[1]
}

// operator asks the admin listener.
func (s *running) operator(path string) (status int, body string) {
	s.Helper()
	res, err := client.Get("http://" + s.admin() + path)
	if err != nil {
		s.Fatalf("%v\n%s", err, s.log)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		s.Fatal(err)
	}
	return res.StatusCode, string(raw)
}

// metric returns the value of a metric, labels and all; "" if there is none.
func (s *running) metric(name string) string {
	s.Helper()
	status, body := s.operator("/metrics")
	if status != http.StatusOK {
		s.Fatalf("metrics: %d %s", status, body)
	}
	for line := range strings.Lines(body) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
