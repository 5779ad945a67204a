package server_test

import "testing"

// BenchmarkInForce compares the processor time of asking what was in force on a day with
// that of reading the same parameter: of one with a value for each period, and of one with a
// single value.
func BenchmarkInForce(b *testing.B) {
	const path = "/api/v1/external-parameters/"
	request := func(path string) string {
		return "GET " + path + " HTTP/1.1\r\nHost: rules.example.org\r\nAccept: " + jsonType +
			"\r\nAccept-Encoding: identity\r\n\r\n"
	}
	for name, id := range map[string]string{"series": "rate.key-series", "value": "tax.interest-exempt-base"} {
		b.Run(name, func(b *testing.B) {
			dated, whole := startProcess(b, "rulestore", connections), startProcess(b, "rulestore", connections)
			dated.request, whole.request = request(path+id+"?in_force=2025-06-01"), request(path+id)
			compare(b, dated, whole, "read")
		})
	}
}
