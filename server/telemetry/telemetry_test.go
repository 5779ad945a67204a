package telemetry_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"rulestore/server/observe"
	"rulestore/server/telemetry"
)

// environment returns a lookup of names and values in turn.
func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestEnabled(t *testing.T) {
	const endpoint, at = "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318"
	for i, test := range []struct {
		env  []string
		want bool
		bad  bool
	}{
		{nil, false, false},
		{[]string{endpoint, at}, true, false},
		{[]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", at}, true, false},
		{[]string{"OTEL_TRACES_EXPORTER", "otlp"}, true, false},
		{[]string{endpoint, at, "OTEL_TRACES_EXPORTER", "none"}, false, false},
		{[]string{endpoint, at, "OTEL_SDK_DISABLED", "TRUE"}, false, false},
		{[]string{endpoint, at, "OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"}, true, false},
		{[]string{endpoint, at, "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"}, false, true},
		{[]string{"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"}, false, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got, err := telemetry.Enabled(environment(test.env...))
			if got != test.want || (err != nil) != test.bad {
				t.Errorf("%v: %v, %v", test.env, got, err)
			}
		})
	}
}

// A collector gets one span for a request: part of the client's trace, with the
// route and the outcome, and with nothing that the client wrote.
func TestSpans(t *testing.T) {
	got := make(chan *collector.ExportTraceServiceRequest, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		var batch collector.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(raw, &batch) != nil {
			t.Errorf("%s: %d bytes, %v", r.URL, len(raw), err)
		}
		got <- &batch
	}))
	defer s.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", s.URL)
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")

	tracer, err := telemetry.New(t.Context(), "1.2.3", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	q := observe.NewRequests()
	h := observe.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		observe.Take(w, q.Route("/api/v1/search"))
		w.WriteHeader(http.StatusInternalServerError)
	}), observe.Config{Requests: q, Tracer: tracer})
	r := httptest.NewRequest(http.MethodGet, "/api/v1/search?q=SECRET", nil)
	r.RemoteAddr = "192.0.2.1:1234"
	r.Header.Set("Traceparent", "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01")
	r.Header.Set("User-Agent", "SECRET")
	h.ServeHTTP(httptest.NewRecorder(), r)
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	batch := <-got
	spans := batch.ResourceSpans[0].ScopeSpans[0].Spans
	if len(spans) != 1 {
		t.Fatalf("%d spans", len(spans))
	}
	span := spans[0]
	if span.Name != "GET /api/v1/search" || !bytes.Equal(span.TraceId,
		[]byte("\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67\x89\xab\xcd\xef")) || span.Status.GetCode() != 2 {
		t.Errorf("%v", span)
	}
	text, err := prototext.Marshal(batch)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"rulestore", "1.2.3", "deployment.environment.name", "http.route",
		"http.response.status_code"} {
		if !bytes.Contains(text, []byte(part)) {
			t.Errorf("no %s in %s", part, text)
		}
	}
	for _, part := range []string{"SECRET", "192.0.2.1"} {
		if bytes.Contains(text, []byte(part)) {
			t.Errorf("%s is in %s", part, text)
		}
	}
}
