package check_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"rulestore/content/check"
)

// number returns how a number written in YAML is spelled in the body, and
// whether it is accepted.
func number(t testing.TB, written string) (spelled string, ok bool) {
	t.Helper()
	doc, findings := check.Parse("x.yaml", []byte("value: "+written+"\n"))
	if doc == nil {
		t.Fatalf("%s: %v", written, findings)
	}
	return string(doc.Body.Get("value")), len(findings) == 0
}

func TestCanonicalNumbers(t *testing.T) {
	for written, want := range map[string]string{
		"0": "0", "1": "1", "-1": "-1", "9007199254740992": "9007199254740992",
		"-9007199254740992": "-9007199254740992",
		"1.0":               "1", "4.50": "4.5", "-0.10": "-0.1", "0.0": "0", "0e9": "0", "0.000e-3": "0",
		"1e3": "1000", "1E+3": "1000", "15e-1": "1.5", "1.5e14": "150000000000000",
		"999999999999999e0": "999999999999999",
		"0.0001":            "0.0001", "1e-4": "0.0001", "-0.000100": "-0.0001",
		"0.123456789012345":     "0.123456789012345",
		"100000000000000.00000": "100000000000000", "0.30000000000000": "0.3", "10000000000000000000e-10": "1000000000",
		"21.5": "21.5", "0.1": "0.1", "16.9999": "16.9999",
	} {
		t.Run(written, func(t *testing.T) {
			if got, ok := number(t, written); got != want || !ok {
				t.Errorf("%s became %s, accepted: %t", written, got, ok)
			}
		})
	}
}

func TestRefusedNumbers(t *testing.T) {
	for _, written := range []string{
		"9007199254740993", "-9007199254740993", "9223372036854775808", strings.Repeat("9", 400),
		"1e15", "-1e15", "1000000000000000.0", "1e400", "-1e400", "1e99999999999",
		"1e-5", "-1e-5", "0.00009", "1e-400", "-1e-400", "0.0000000001",
		"0.1234567890123456", "123456789012345.6", "3.141592653589793",
		"-0", "-0.0", "-0e5",
	} {
		if got, ok := number(t, written); ok {
			t.Errorf("%s is accepted as %s", written, got)
		}
	}
}

// What is accepted is spelled as RFC 8785 spells it and as Go's shortest form,
// means exactly what was written, and is what the design allows.
func TestNumberProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 10000 {
		written := randomNumber(random)
		spelled, ok := number(t, written)
		if want := allowed(written); ok != want {
			t.Fatalf("%s is accepted: %t, expected %t", written, ok, want)
		}
		if !ok {
			continue
		}
		accepted++
		canonical, err := jcs.Transform(fmt.Appendf(nil, `[%s]`, written))
		if err != nil || string(canonical) != "["+spelled+"]" {
			t.Fatalf("%s became %s, RFC 8785 has %s, %v", written, spelled, canonical, err)
		}
		f, err := strconv.ParseFloat(written, 64)
		if shortest := strconv.FormatFloat(f, 'f', -1, 64); err != nil || shortest != spelled {
			t.Fatalf("%s became %s, the shortest form is %s", written, spelled, shortest)
		}
		if exact(written).Cmp(exact(spelled)) != 0 {
			t.Fatalf("%s became %s, which is another number", written, spelled)
		}
	}
	if accepted < 2000 {
		t.Errorf("only %d numbers were accepted", accepted)
	}
}

func exact(number string) *big.Rat {
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		panic(number)
	}
	return r
}

// allowed is section 5 of the design in exact arithmetic: integers up to 2^53;
// decimals from 1e-4 to below 1e15 with at most 15 significant digits; no -0.
func allowed(written string) bool {
	size := exact(written)
	if size.Sign() == 0 {
		return !strings.HasPrefix(written, "-")
	}
	size.Abs(size)
	if !strings.ContainsAny(written, ".eE") {
		return size.Cmp(exact("9007199254740992")) <= 0
	}
	return size.Cmp(exact("1e-4")) >= 0 && size.Cmp(exact("1e15")) < 0 && significant(size) <= 15
}

// significant counts the digits of a decimal fraction without the zeros at
// either end.
func significant(size *big.Rat) int {
	text := strings.Replace(size.FloatString(60), ".", "", 1)
	return len(strings.Trim(text, "0"))
}

func randomNumber(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(3) == 0 {
		b.WriteByte('-')
	}
	if r.IntN(4) == 0 {
		b.WriteByte('0')
	} else {
		b.WriteString(strconv.Itoa(1 + r.IntN(9)))
		b.WriteString(randomDigits(r, r.IntN(18)))
	}
	if r.IntN(2) == 0 {
		b.WriteString("." + strings.Repeat("0", r.IntN(5)) + randomDigits(r, 1+r.IntN(17)))
	}
	if r.IntN(4) == 0 {
		b.WriteString([]string{"e", "E", "e-", "E+"}[r.IntN(4)] + strconv.Itoa(r.IntN(20)))
	}
	return b.String()
}

func randomDigits(r *rand.Rand, n int) string {
	digits := make([]byte, n)
	for i := range digits {
		digits[i] = "0001234567899"[r.IntN(13)]
	}
	return string(digits)
}

func TestBodyIsCanonicalJSONButForOrder(t *testing.T) {
	doc, findings := check.Parse("x.yaml", []byte("b: {d: 1.50, c: [~, да, 'on', 2026-05-01]}\na: TRUE\n"))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	const want = `{"b":{"d":1.5,"c":[null,"да","on","2026-05-01"]},"a":true}`
	if got := string(doc.Body.AppendJSON(nil)); got != want {
		t.Errorf("got %s", got)
	}
}
