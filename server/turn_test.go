package server_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rulestore/server"
)

var lifetime = regexp.MustCompile(`=([0-9]+)`)

// Whatever is asked for shortly before content changes by itself, in whichever form, no cache is told to keep it
// past that.
func TestNothingOutlivesTheDay(t *testing.T) {
	s := build(nil, load(readScript("testdata/coming.txtar")).Snapshot)
	const left = 20 // seconds
	turn := today.Add(s.UntilChange(today, 1e6*time.Hour))
	c := start(t, server.Config{Sites: serving(s), Now: func() time.Time { return turn.Add(-left * time.Second) }})
	for _, path := range append(s.Paths(), "/api/v1/search?q=1", "/api/v1/health", "/api/v1/fraud-brief") {
		if strings.HasPrefix(path, "/assets/") {
			continue // it has another address when it changes
		}
		for _, accept := range []string{"application/json", "text/html"} {
			tag := c.get(path, "Accept", accept).header.Get("ETag")
			again := c.get(path, "Accept", accept, "If-None-Match", tag)
			for _, d := range lifetime.FindAllStringSubmatch(again.header.Get("Cache-Control"), -1) {
				if n, _ := strconv.Atoi(d[1]); n > left {
					t.Errorf("%s as %s: %d %s", path, accept, again.status, again.header.Get("Cache-Control"))
				}
			}
		}
	}
}
