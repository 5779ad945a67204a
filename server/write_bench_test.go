package server_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rulestore/server"
)

// BenchmarkMadePages is the time that pages take that are made for one request, compressed as
// for a browser: the 95th percentile, and that and the mean of the processor time of the process alone.
func BenchmarkMadePages(b *testing.B) {
	e, stop := encoder(starterSite()) // what is made when a site is new is ready before anything is measured
	defer stop()
	h := handler(server.Config{Sites: serving(starterSite()), Encoder: e, Log: slog.New(slog.DiscardHandler)})
	loan := url.Values{"principal": {"5000000"}, "annual_rate_pct": {"18.5"}, "term_months": {"360"}}.Encode()
	for name, page := range map[string]struct{ path, form string }{
		"search":          {"/api/v1/search?q=%D1%87%D1%82%D0%BE+%D0%B4%D0%B5%D0%BB%D0%B0%D1%82%D1%8C+%D0%B5%D1%81%D0%BB%D0%B8+%D0%BF%D0%B5%D1%80%D0%B5%D0%B2%D1%91%D0%BB+%D0%B4%D0%B5%D0%BD%D1%8C%D0%B3%D0%B8", ""},
		"records":         {"/api/v1/fraud/signals?severity=critical", ""},
		"list":            {"/api/v1/external-parameters?prefix=consumer-rights.", ""},
		"comparison":      {"/compare/guidelines/product.common.001?as_of=2026-03-", ""},
		"long comparison": {"/compare/registries/glossary?as_of=2026-03-", ""},
		"form":            {toolsPath + "deposit_comparison", ""},
		"answer":          {toolsPath + "loan_payment", loan},
	} {
		b.Run(name, func(b *testing.B) {
			var took, used []float64
			for i := 0; b.Loop(); i++ {
				path := page.path
				if strings.HasSuffix(path, "-") { // a comparison is kept: there is another one for each day
					path += strconv.Itoa(10 + i%20)
				}
				r := httptest.NewRequest(http.MethodGet, path, nil)
				if page.form != "" {
					r = httptest.NewRequest(http.MethodPost, page.path, strings.NewReader(page.form))
					r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				}
				r.Header.Set("Accept", browser)
				r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
				w := httptest.NewRecorder()
				start, before := time.Now(), processorTime(b)
				h.ServeHTTP(w, r)
				took, used = append(took, float64(time.Since(start).Microseconds())),
					append(used, float64((processorTime(b)-before).Microseconds()))
				if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
					b.Fatalf("%d %v", w.Code, w.Header())
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(p95(took), "µs/p95")
			b.ReportMetric(p95(used), "cpu-µs/p95") // of a page during which garbage was collected
			b.ReportMetric(mean(used), "cpu-µs/page")
		})
	}
}

func p95(all []float64) float64 { return slices.Sorted(slices.Values(all))[len(all)*95/100] }

func mean(all []float64) (m float64) {
	for _, v := range all {
		m += v / float64(len(all))
	}
	return m
}

// processorTime is what the process has used of it.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
