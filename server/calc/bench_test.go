package calc

import "testing"

// BenchmarkTools is what a typical request to each tool costs, from JSON to JSON:
// its first example.
func BenchmarkTools(b *testing.B) {
	for tool := range registry.Tools() {
		b.Run(tool.ID, func(b *testing.B) { benchmarkTool(b, tool, tool.Examples[0].Request) })
	}
}

// Benchmark360Rows is a schedule of thirty years with all of its rows.
func Benchmark360Rows(b *testing.B) {
	for id, inputs := range map[string]string{
		"loan_payment":      `"principal":"5000000","annual_rate_pct":"18.5","term_months":360`,
		"mortgage_schedule": `"principal":"5000000","annual_rate_pct":"12","term_months":360,"start_date":"2025-01-31","day_count":"act_act"`,
	} {
		tool, _ := registry.Tool(id)
		b.Run(id, func(b *testing.B) {
			benchmarkTool(b, tool, `{"inputs":{`+inputs+`},"options":{"include_schedule":true,"schedule_limit":1200}}`)
		})
	}
}

func benchmarkTool(b *testing.B, tool *Tool, request string) {
	b.ReportAllocs()
	for b.Loop() {
		a, err := tool.Calculate([]byte(request), testFacts)
		if err != nil {
			b.Fatal(err)
		}
		a.JSON()
	}
}
