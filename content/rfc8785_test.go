package content_test

import (
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"rulestore/content"
)

// The checksum is frozen, and the library that writes the canonical form is not: what it
// must go on writing stands here, from the standard and from the corpus of its author.

// canonical returns the canonical form of the value of a member.
func canonical(t *testing.T, value string) string {
	t.Helper()
	form, err := content.Canonical(content.Object{{Name: "a", Value: json.RawMessage(value)}})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(form), `{"a":`), "}")
}

// The examples of the standard: section 3.2.2 and 3.2.3.
func TestExamplesOfTheStandard(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{
			"whole", `{
			  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
			  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
			  "literals": [null, true, false]
			}`,
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
				`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		},
		{
			"order", `{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh",` +
				`"1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O ` +
				`With Diaeresis"}`,
			`{"\r":"Carriage Return","1":"One","` + "\u0080" +
				`":"Control","ö":"Latin Small Letter O With Diaeresis",` +
				`"€":"Euro Sign","😀":"Emoji: Grinning Face","` + "\ufb33" + `":"Hebrew Letter Dalet With Dagesh"}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := canonical(t, tt.value); got != tt.want {
				t.Errorf("got\n%s, want\n%s", got, tt.want)
			}
		})
	}
}

// The table of appendix B: the bits of a double, and how it is written.
func TestNumbersOfTheStandard(t *testing.T) {
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0",
		0x8000000000000000: "0",
		0x0000000000000001: "5e-324",
		0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308",
		0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992",
		0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22",
		0x44b52d02c7e14af6: "1e+23",
		0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000",
		0x444b1ae4d6e2ef4f: "999999999999999900000",
		0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7",
		0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332",
		0x41b3de4355555554: "333333333.33333325",
		0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334",
		0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333",
		0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		t.Run(fmt.Sprintf("%016x", bits), func(t *testing.T) {
			if got := canonical(t, plainNumber(bits)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// plainNumber writes a double with more digits than any needs.
func plainNumber(bits uint64) string {
	return strconv.FormatFloat(math.Float64frombits(bits), 'e', 20, 64)
}

// The corpus of the standard's author is made by a rule, and known by its hash: a line
// for each double has its bits and its canonical form.
func TestNumberCorpus(t *testing.T) {
	const lines, want = 10_000, "b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892"
	corpus := corpusNumbers(t, lines)
	values := make([]string, lines)
	for i, bits := range corpus {
		values[i] = plainNumber(bits)
	}
	array := strings.Trim(canonical(t, "["+strings.Join(values, ",")+"]"), "[]")
	hash := sha256.New()
	for i, form := range strings.Split(array, ",") {
		fmt.Fprintf(hash, "%x,%s\n", corpus[i], form)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

//go:embed testdata/es6-numbers.txt
var firstNumbers string

// corpusNumbers returns the first n doubles of the corpus: a list, 2,000 in a row from
// the smallest normal one on, and then what a chain of hashes gives, eight bytes each,
// without zeros, infinities and what is no number.
func corpusNumbers(t *testing.T, n int) []uint64 {
	t.Helper()
	var all []uint64
	for line := range strings.Lines(firstNumbers) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, field := range strings.Fields(line) {
			bits, err := strconv.ParseUint(field, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, bits)
		}
	}
	for i := range uint64(2000) {
		all = append(all, 1<<52+i)
	}
	for block := [sha256.Size]byte{}; len(all) < n; {
		block = sha256.Sum256(block[:])
		for i := 0; i < len(block); i += 8 {
			bits := binary.LittleEndian.Uint64(block[i:])
			if f := math.Float64frombits(bits); f != 0 && !math.IsNaN(f) && !math.IsInf(f, 0) {
				all = append(all, bits)
			}
		}
	}
	return all[:n]
}
