package server_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// raw sends a request as it is written and returns the answer.
func (c client) raw(method, target, host string) *http.Response {
	c.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, method+" "+target+" HTTP/1.1\r\nHost: "+host+
		"\r\nConnection: close\r\n\r\n"); err != nil {
		c.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		c.Fatalf("%s %.100q: %v", method, target, err)
	}
	return resp
}

// Paths are taken as they come: nothing is cleaned or redirected, and only what need not be escaped
// is unescaped (RFC 3986, section 6.2.2.2), so there is one address for each resource, and every other
// answer is a 4xx.
func TestPathTricks(t *testing.T) {
	c := ask(t, storeSite())
	const found, guideline, version, path, schema, bad = "", "guideline_not_found", "version_not_found",
		"path_not_found", "schema_not_found", "bad request"
	for _, test := range []struct{ target, want string }{
		{deposit + "?", found},
		{deposit + "/", path},
		{"/" + deposit, path},
		{"//EVIL.example/", path}, // a path, however it looks
		{"/api/v1/./guidelines", path},
		{"/api/v1/guidelines/../guidelines", path},
		{"/api/v1/guidelines/..", guideline},
		{"/../../etc/passwd", path},
		{`/api\v1\guidelines`, path},

		{"/api/v1/guidelines/%2e%2e%2f%2e%2e%2fetc", guideline},
		{"/api/v1%2fguidelines", path},
		{"/%61pi/v1/guidelines", found},
		{"/api/v1/guidelines/%70roduct%2Edeposit%2e001", found},
		{"/api/v1/guidelines/%70roduct.deposit.002", guideline},
		{"/api/v1/guidelines/product.deposit.001%2f%76ersions", guideline},
		{"/api/v1/guidelines/%2570roduct.deposit.001", guideline},
		{deposit + "/versions/1.0.0%00", version},
		{"/guidelines/product.deposit.001/current%2ejson", found},
		{"/api/v1/guidelines/%0d%0aX-Evil:%201", guideline},
		{"/api/v1/guidelines/\xff\xfe", guideline},
		{"/api/v1/guidelines/правило", guideline},
		{"/api/v1/guidelines/<script>alert(1)</script>", path},
		{"/api/v1/guidelines/" + strings.Repeat("a", 8<<10), guideline},
		{"/" + strings.Repeat("../", 2700), path},
		{"/api/v1/guidelines#fragment", path},
		{"/api/v1/schemas/math%2floan-calculation", schema},
		{"/api/v1/schemas/math//loan-calculation/versions/1.0.0", schema},
		{"/api/v1/schemas/" + strings.Repeat("a/", 4<<10), schema},
		{"/instructions/.md", path},
		{"*", path},

		{"/api/v1/guidelines/\x00", bad},
		{"/api/v1/guidelines/%zz", bad},
		{"api/v1/guidelines", bad},

		{"http://evil.example" + deposit, found},
		{"ftp://user:secret@evil.example/nowhere", path},
	} {
		for _, host := range []string{"rules.example.org", "evil.example:99999", ""} {
			resp := c.raw(http.MethodGet, test.target, host)
			if test.want == bad {
				if resp.StatusCode != http.StatusBadRequest {
					t.Errorf("%.80q: %d, want 400", test.target, resp.StatusCode)
				}
				continue
			}
			r := c.read(http.MethodGet, test.target, resp)
			if r.header.Get("Location") != "" || r.header.Get("X-Evil") != "" ||
				strings.HasPrefix(r.asProblem().Instance, "//") {
				t.Errorf("%.80q: %v\n%s", test.target, r.header, r.body)
			}
			status := http.StatusNotFound
			if test.want == found {
				status = http.StatusOK
			}
			r.want(t, status, test.want)
		}
	}
}

// Other methods find nothing else.
func TestOddRequests(t *testing.T) {
	c := ask(t, storeSite())
	for _, test := range []struct {
		method, target string
		status         int
	}{
		{"CONNECT", "evil.example:443", 404},
		{"CONNECT", "/", 405},
		{"PRI", "/", 405},
		{"GET", "/api/v1/guidelines?" + strings.Repeat("a", 8<<10), 400},
		{"GET", "/api/v1/changelog?limit=" + strings.Repeat("9", 8<<10), 400},
		{"GET", "/" + strings.Repeat("a", 25<<10), 414},
	} {
		r := c.read(test.method, test.target, c.raw(test.method, test.target, "rules.example.org"))
		if r.status != test.status {
			t.Errorf("%s %.80s: %d, want %d", test.method, test.target, r.status, test.status)
		}
	}
}
