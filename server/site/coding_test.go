package site

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// picked is what CodingFor picks, by name; "" is no coding.
func picked(lines ...string) string {
	h := http.Header{}
	for _, line := range lines {
		h.Add("Accept-Encoding", line)
	}
	i := CodingFor(h)
	if i < 0 {
		return ""
	}
	return Encodings[i]
}

func TestAcceptEncoding(t *testing.T) {
	const none = ""
	for _, test := range []struct{ accept, want string }{
		{" GZip ", "gzip"},
		{"gzip, deflate, br, zstd", "br"}, // a tie: ours decides
		{"br;q=0.1, gzip;q=0.3", "gzip"},
		{"gzip ; q = 0.5 , br ; q=0.4", "gzip"},
		{"gzip;q=0.5;x=y", "gzip"},
		{"br;q=0.000, gzip;q=0", none},
		{"*;q=0, gzip", "gzip"},
		{"*;q=0.5, gzip", "gzip"},
		{"br;q=0, *;q=0.1", "gzip"},

		// Identity, preferred or not.
		{"", none},
		{"identity, gzip", "gzip"}, // a tie: less to send
		{"gzip;q=0.8, identity;q=0.9", none},
		{"br;q=0.1, gzip;q=0.8, identity;q=0.5", "gzip"},
		{"identity;q=0", none}, // nothing else is taken: better this than nothing

		// Malformed elements are as if they were not there, and so is what there is not.
		{"gzip;q=2", none},
		{"gzip;q=-1, br;q=0.1", "br"},
		{"gzip;q=high, br", "br"},
		{";;q=1,,gzip,", "gzip"},
		{"\xff\xfe, gzip", "gzip"},
		{"gzip br", none},
		{strings.Repeat("x;q=0.3, ", 3000) + "gzip", "gzip"},
	} {
		if got := picked(test.accept); got != test.want {
			t.Errorf("Accept-Encoding: %.80s: %q, want %q", test.accept, got, test.want)
		}
	}
	if got := picked() + picked("deflate", "gzip;q=0.5", "br;q=0.4"); got != "gzip" {
		t.Errorf("without the header, and in several lines: %q", got)
	}
}

// codingElement is a well-formed element of an Accept-Encoding header; empty ones
// are allowed (RFC 9110, section 5.6.1).
var codingElement = regexp.MustCompile(`^[ \t]*(?:([!#$%&'*+.^_|~0-9A-Za-z-]+)[ \t]*(?:;[ ` +
	`\t]*[qQ]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?)?[ \t]*$`)

// codingWeights is RFC 9110, section 12.5.3, written down once more: the weight of
// each coding that the header names. ok is false for a header that is malformed,
// or that names a coding twice, about which there is nothing to say.
func codingWeights(accept string) (weights map[string]float64, ok bool) {
	weights = map[string]float64{}
	for e := range strings.SplitSeq(accept, ",") {
		m := codingElement.FindStringSubmatch(e)
		if m == nil {
			return nil, false
		}
		name, q := strings.ToLower(m[1]), 1.0
		if _, again := weights[name]; again {
			return nil, false
		}
		if m[2] != "" {
			q, _ = strconv.ParseFloat(m[2], 64)
		}
		if name != "" {
			weights[name] = q
		}
	}
	return weights, true
}

// FuzzAcceptEncoding sends any header: CodingFor never crashes, and for a
// well-formed one it takes what the client weighs highest, in our order, nothing
// that it excludes, and no coding at all if the client likes that best.
func FuzzAcceptEncoding(f *testing.F) {
	for _, seed := range []string{
		"", "gzip", "gzip, deflate, br, zstd", "br;q=0.1, gzip;q=0.3", "*", "*;q=0", "gzip;q=0, *;q=0.5",
		"identity;q=0.5, gzip;q=0.4",
		"identity;q=0", "gzip;q=2", "GZIP;Q=0.5", ",,,", ";q=1", "gzip;q=\xff", strings.Repeat("x,", 500) + "zstd",
		"identity;q=0, *;q=0.1", "gzip;q=0.0001",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		got := picked(accept)
		weights, ok := codingWeights(accept)
		if !ok {
			return
		}
		any, best, want := weights["*"], 0.0, ""
		for _, coding := range Encodings {
			q, named := weights[coding]
			if !named {
				q = any
			}
			if q > best {
				best, want = q, coding
			}
		}
		if weights["identity"] > best {
			want = ""
		}
		if got != want {
			t.Errorf("Accept-Encoding: %q: %q, want %q (%v)", accept, got, want, weights)
		}
	})
}
