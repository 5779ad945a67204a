package mcpserver_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What a call of a tool costs beside a handler that only copies as many bytes, over
// real connections in one run: compare the ratios, not the times.
func BenchmarkCall(b *testing.B) {
	r := start(b, starterSite())
	for _, one := range []struct{ name, tool, args string }{
		{"read", "get_parameter", `{"parameter_id":"consumer-rights.fo-response-standard-working-days"}`},
		{"calculate", "calculate_loan", `{"inputs":{"principal":"5000000.00","annual_rate_pct":"18.5","term_months":360},"options":{"include_trace":false}}`},
	} {
		for _, era := range []struct{ name, meta string }{{"stateful", ""}, {"stateless", "," + newMeta}} {
			message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + one.tool + `","arguments":` + one.args + era.meta + `}}`
			headers := map[string]string{}
			if era.meta == "" {
				headers["Mcp-Session-Id"] = r.open()
			} else {
				headers["Mcp-Protocol-Version"], headers["Mcp-Method"], headers["Mcp-Name"] = "2026-07-28", "tools/call", one.tool
			}
			_, answer := r.message(message, headers)
			bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, "event: message\ndata: %s\n\n", answer)
			}))
			defer bare.Close()
			b.Run(one.name+"/"+era.name+"/bare", func(b *testing.B) { benchmark(b, bare.URL, message, headers) })
			b.Run(one.name+"/"+era.name+"/mcp", func(b *testing.B) { benchmark(b, r.url+"/mcp", message, headers) })
		}
	}
}

func benchmark(b *testing.B, url, message string, headers map[string]string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	defer client.CloseIdleConnections()
	before := processor(b)
	for b.Loop() {
		req := must(http.NewRequest(http.MethodPost, url, strings.NewReader(message)))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		for name, value := range headers {
			req.Header.Set(name, value)
		}
		res, err := client.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		body := must(io.ReadAll(res.Body))
		res.Body.Close()
		if res.StatusCode != http.StatusOK || !strings.Contains(string(body), "structuredContent") {
			b.Fatalf("%d %.300s", res.StatusCode, body)
		}
	}
	b.ReportMetric(float64(processor(b)-before)/float64(b.N), "cpu-ns/op") // of both ends
}

// processor returns the processor time that was used so far.
func processor(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
