//go:build slow

package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// On SIGTERM the process first says that it wants no more requests, answers those
// that come all the same and those under way, and ends well.
func TestDrain(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--drain-delay", "15s") // time for all that is asked below
	slow, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "GET / HTTP/1.1\r\nHost: a\r\n") // under way, and not complete
	if status, _ := p.operator("/readyz"); status != http.StatusOK {
		t.Errorf("not ready: %d", status)
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.await("readiness", func() bool {
		status, body := p.operator("/readyz")
		return status == 503 && body == "draining\n"
	})
	fmt.Fprintf(slow, "\r\n")
	if res, err := http.ReadResponse(bufio.NewReader(slow), nil); err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("the request under way: %v, %v", res, err)
	}
	if status, _ := p.operator("/livez"); status != http.StatusOK {
		t.Errorf("not alive while draining: %d", status)
	}
	if got := p.mustGet("/api/v1/health", "*/*").status; got != http.StatusServiceUnavailable {
		t.Errorf("health while draining: %d", got)
	}
	if err := agree(p.mustGet("/api/v1/guidelines/"+common, "*/*")); err != nil {
		t.Errorf("while draining: %v", err)
	}
	for _, c := range calls { // a kept connection ends by the answer, whoever gives it
		req, err := http.NewRequest(c.method, p.url+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if res, err := client.Do(req); err != nil || !res.Close || res.StatusCode != http.StatusOK {
			t.Errorf("%s while draining: %v, %v", c.name, res, err)
		} else {
			res.Body.Close()
		}
	}
	if err := <-p.done; err != nil {
		t.Errorf("ended with %v\n%s", err, p.log)
	}
	p.done <- nil
}
