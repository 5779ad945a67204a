// Package telemetry exports traces as configured by the environment variables of OpenTelemetry.
// Without them there is no [Tracer], and this package has no effect on requests.
// It is the only package that imports OpenTelemetry.
//
// A span of a request has the method, the route, the status, the size of the
// response and the snapshot, and continues the client's trace (W3C
// Trace Context). Like all data for operators, it has no query string, no
// path, no header and no address: hence no ready-made middleware is used.
package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"rulestore/server/observe"
)

// Enabled reports whether the environment configures traces: it names an endpoint or the
// exporter, and does not disable the SDK. A protocol other than HTTP with protobuf is an error.
func Enabled(getenv func(string) string) (bool, error) {
	exporter := getenv("OTEL_TRACES_EXPORTER")
	asked := exporter == "otlp" || exporter == "" && (getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || getenv(
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
	) != "")
	if !asked || strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		if p := getenv(name); p != "" && p != "http/protobuf" {
			return false, fmt.Errorf("%s is %q: traces are sent as http/protobuf only", name, p)
		}
	}
	return true, nil
}

// Tracer creates a span for each request.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	context  propagation.TraceContext
}

// New returns a tracer for a program with that version. The library reads the other settings
// from the environment: the endpoint, the sampler, the name of the service. Later errors are
// logged.
func New(ctx context.Context, version string, log *slog.Logger) (*Tracer, error) {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces were not sent", "error", err) }))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(
			attribute.String("service.name", "rulestore"), attribute.String("service.version", version),
		),
		resource.WithTelemetrySDK(),
		resource.WithFromEnv(), // last: it wins
	)
	if err != nil {
		return nil, fmt.Errorf("send traces: read OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return &Tracer{
		provider: provider, tracer: provider.Tracer("rulestore", trace.WithInstrumentationVersion(version)),
	}, nil
}

// Close exports the remaining spans.
func (t *Tracer) Close(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// Start implements observe.Tracer.
func (t *Tracer) Start(r *http.Request) (*http.Request, func(observe.Outcome)) {
	ctx := t.context.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	method := observe.Method(r)
	ctx, span := t.tracer.Start(ctx, method, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", method)))
	return r.WithContext(ctx), func(o observe.Outcome) {
		span.SetName(method + " " + o.Route)
		span.SetAttributes(
			attribute.String("http.route", o.Route),
			attribute.Int("http.response.status_code", o.Status),
			attribute.Int64("http.response.body.size", o.Bytes),
			attribute.String("rulestore.snapshot", o.Snapshot),
		)
		if o.ID != "" {
			span.SetAttributes(attribute.String("rulestore.request_id", o.ID))
		}
		if o.Status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}
