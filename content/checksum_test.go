package content_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"
	"github.com/gowebpki/jcs"

	"rulestore/content"
)

func object(t testing.TB, text string) content.Object {
	t.Helper()
	var o content.Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func checksum(t testing.TB, o content.Object) string {
	t.Helper()
	sum, err := content.Checksum(o)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// The sums were made with printf and sha256sum.
func TestKnownChecksums(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                        "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
		`{"status":"current"}`:      "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
		`{"a":1}`:                   "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862",
		" {\n\t\"a\" : 1.0 }\n":     "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862",
		`{"a":1,"fetched_at":null}`: "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862",
		`{"guideline_id":"a.b.001","guideline_version":"1.0.0","status":"current","schema_version":"1.0","title":"Ёлка \u003c\u0026> \"кавычки\"","published_at":"2026-11-20T11:21:00Z","checksum_algorithm":"sha256","fetched_at":"2026-11-20T11:21:00Z"}`: "7a09aeb94c753e41c6eab70b490206666f48e1d1ed2b427dd1297bc46882aaad",
		`{"é":{"status":"x"},"b":[1, 0.50, true, false, null, {}],"a":"\u0001\b\t\n\f\r\"\\\/\u2028\ud83d\ude00","total":3}`:                                                                                                                                "948f8fd9b6322035826fccb7cfb045c33d100f3379c6c27b6c9b53448eb51b2d",
	} {
		t.Run(text, func(t *testing.T) {
			if got := checksum(t, object(t, text)); got != "sha256:"+want {
				t.Errorf("%s: got %s", text, got)
			}
		})
	}
}

// sample is an item as it is served.
const sample = `{"guideline_id":"a.b.001","guideline_version":"1.0.0","status":"current","title":"Название",
	"rules":[{"rule_id":"b","status":"inner"},{"rule_id":"a","total":0.25}],"valid_from":"2026-05-01",
	"published_at":"2026-05-01T00:00:00Z","updated_at":"2026-05-01T00:00:00Z","change_note":"x","total":2,
	"canonical_url":"https://x/","discovery_urls":[],"output_schema_url":"","checksum_algorithm":"sha256",
	"content_checksum":"sha256:00","fetched_at":"2026-05-01T00:00:00Z"}`

func TestDerivedFieldsAreNoPartOfTheChecksum(t *testing.T) {
	item := object(t, sample)
	want := checksum(t, item)
	for i, m := range item {
		changed := slices.Clone(item)
		changed[i].Value = json.RawMessage(`"something else"`)
		removed := slices.Delete(slices.Clone(item), i, i+1)
		derived := slices.Contains(content.Derived, m.Name)
		if got := checksum(t, changed); (got == want) != derived {
			t.Errorf("changing %s: got %s, before %s", m.Name, got, want)
		}
		if got := checksum(t, removed); (got == want) != derived {
			t.Errorf("removing %s: got %s, before %s", m.Name, got, want)
		}
	}
	for _, name := range content.Derived {
		if item.Get(name) == nil {
			t.Errorf("the sample has no field %s", name)
		}
	}
	nested := strings.Replace(sample, `"status":"inner"`, `"status":"other"`, 1)
	if checksum(t, object(t, nested)) == want {
		t.Error("a field below the top with a derived name does not count")
	}
}

// The list is part of a promise that others recompute: it never changes.
func TestDerivedFieldsAreFixed(t *testing.T) {
	const want = "status published_at updated_at change_note canonical_url discovery_urls output_schema_url total " +
		"content_checksum fetched_at"
	if got := strings.Join(content.Derived, " "); got != want {
		t.Errorf("got %s", got)
	}
}

func TestOrderOfFieldsDoesNotMatter(t *testing.T) {
	item := object(t, sample)
	want := checksum(t, item)
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		random.Shuffle(len(item), func(i, j int) { item[i], item[j] = item[j], item[i] })
		if got := checksum(t, item); got != want {
			t.Fatalf("got %s for %s", got, item.AppendJSON(nil))
		}
	}
}

func TestOrderOfElementsMatters(t *testing.T) {
	if a, b := checksum(t, object(t, `{"a":[1,2]}`)), checksum(t, object(t, `{"a":[2,1]}`)); a == b {
		t.Error("the order of an array does not count")
	}
}

func TestChecksumOfWhatIsNoJSON(t *testing.T) {
	for _, value := range []string{"", "x", `"`, "[", "NaN"} {
		if sum, err := content.Checksum(content.Object{{Name: "a", Value: json.RawMessage(value)}}); err == nil {
			t.Errorf("%q has the checksum %s", value, sum)
		}
	}
}

// plain is the recipe once more, in as few words as possible.
func plain(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var fields []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, plain(k)+":"+plain(v[k]))
		}
		return "{" + strings.Join(fields, ",") + "}"
	case []any:
		var elements []string
		for _, e := range v {
			elements = append(elements, plain(e))
		}
		return "[" + strings.Join(elements, ",") + "]"
	case string:
		b := &strings.Builder{}
		enc := json.NewEncoder(b)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(v)
		return strings.NewReplacer("\n", "", `\u2028`, "\u2028", `\u2029`, "\u2029").Replace(b.String())
	}
	return fmt.Sprint(v)
}

func TestChecksumAgreesWithASecondImplementation(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		value := randomObject(random, 3)
		item := object(t, plain(value))
		for _, name := range content.Derived {
			delete(value, name)
		}
		sum := sha256.Sum256([]byte(plain(value)))
		if got, want := checksum(t, item), "sha256:"+hex.EncodeToString(sum[:]); got != want {
			t.Fatalf("got %s, expected %s for %s", got, want, plain(value))
		}
	}
}

// The command that the design gives to everybody comes to the same sums.
func TestChecksumAgreesWithJq(t *testing.T) {
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("jq is not installed")
	}
	items := []content.Object{object(t, sample)}
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		items = append(items, object(t, plain(randomObject(random, 3))))
	}
	var served bytes.Buffer
	for _, item := range items {
		served.Write(item.AppendJSON(nil))
	}
	cmd := exec.Command(jq, "-cS", "del(."+strings.Join(content.Derived, ",.")+")")
	cmd.Stdin = &served
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	for i, line := range lines {
		sum := sha256.Sum256([]byte(line))
		if got, want := checksum(t, items[i]), "sha256:"+hex.EncodeToString(sum[:]); got != want {
			t.Errorf("got %s, jq comes to %s for %s", got, want, line)
		}
	}
	if len(lines) != len(items) {
		t.Errorf("jq wrote %d lines for %d items", len(lines), len(items))
	}
}

// The canonical form is that of another implementation of RFC 8785, byte for byte.
func FuzzCanonical(f *testing.F) {
	f.Add([]byte(sample))
	for _, seed := range []string{
		`{}`, `{"b":1,"a":[true,null,{"d":"","c":-0.0}]}`,
		`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
		`{"a":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,9007199254740992,1e21,1e-7]}`,
		`{"a":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/\u2028<&>"}`, `{"a":{"a":{"a":[[[]]]}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var o content.Object
		if json.Unmarshal(raw, &o) != nil {
			return
		}
		got, err := content.Canonical(o)
		if err != nil {
			return
		}
		o = slices.DeleteFunc(o, func(m content.Member) bool { return slices.Contains(content.Derived, m.Name) })
		want, err := jcs.Transform(o.AppendJSON(nil))
		if err == nil && !bytes.Equal(got, want) {
			t.Errorf("%s\nis %s\nand not %s", o.AppendJSON(nil), got, want)
		}
	})
}

// randomObject keeps to what content may hold (design, section 5).
func randomObject(r *rand.Rand, depth int) map[string]any {
	o := map[string]any{}
	for range r.IntN(6) {
		name := randomText(r, "aAzZ_09яЁ\u00e9\ue000\uffee")
		if r.IntN(8) == 0 {
			name = content.Derived[r.IntN(len(content.Derived))]
		}
		o[name] = randomValue(r, depth-1)
	}
	return o
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(7); {
	case n == 0 && depth > 0:
		return randomObject(r, depth)
	case n == 1 && depth > 0:
		array := []any{}
		for range r.IntN(4) {
			array = append(array, randomValue(r, depth-1))
		}
		return array
	case n == 2:
		return r.Int64N(1<<54) - 1<<53
	case n == 3:
		return r.IntN(2) == 0
	case n == 4:
		return json.Number("null")
	}
	return randomText(r, "ab \t\n\"\\/<>&'яЁ€\u00a0\u200b\u2028\u2029😀𝄞")
}

func randomText(r *rand.Rand, alphabet string) string {
	letters := []rune(alphabet)
	text := make([]rune, r.IntN(8))
	for i := range text {
		text[i] = letters[r.IntN(len(letters))]
	}
	return string(text)
}

func TestIdentified(t *testing.T) {
	v := semver.MustParse("1.2.0")
	for body, want := range map[string]string{
		`{"guideline_id":"a.b.001","schema_version":"1.0","title":"x"}`: `{"guideline_id":"a.b.001","guideline_version":"1.2.0","schema_version":"1.0","title":"x","checksum_algorithm":"sha256"}`,
		`{"schema_version":"1.0","guideline_id":"a.b.001"}`:             `{"schema_version":"1.0","guideline_id":"a.b.001","guideline_version":"1.2.0","checksum_algorithm":"sha256"}`,
		`{"title":"x"}`: `{"guideline_version":"1.2.0","title":"x","checksum_algorithm":"sha256"}`,
		`{}`:            `{"guideline_version":"1.2.0","checksum_algorithm":"sha256"}`,
	} {
		t.Run(body, func(t *testing.T) {
			before := object(t, body)
			got := string(content.Identified(content.Guidelines, v, before).AppendJSON(nil))
			if got != want {
				t.Errorf("got %s, expected %s", got, want)
			}
			if after := string(before.AppendJSON(nil)); after != body {
				t.Errorf("the body became %s", after)
			}
		})
	}
}

func TestValidChecksum(t *testing.T) {
	for s, want := range map[string]bool{
		checksum(t, nil):                           true,
		"":                                         false,
		"sha256:":                                  false,
		strings.Repeat("0", 64):                    false,
		"sha256:" + strings.Repeat("g", 64):        false,
		"sha256:" + strings.Repeat("A", 64):        false,
		"SHA256:" + strings.Repeat("0", 64):        false,
		"sha256:" + strings.Repeat("0", 63):        false,
		"sha256:" + strings.Repeat("0", 64):        true,
		"sha256:" + strings.Repeat("0", 65):        false,
		"sha256:" + strings.Repeat("0", 64) + "\n": false,
	} {
		t.Run(s, func(t *testing.T) {
			if got := content.ValidChecksum(s); got != want {
				t.Errorf("ValidChecksum(%q) = %t", s, got)
			}
		})
	}
}
