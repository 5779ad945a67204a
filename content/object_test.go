package content_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"rulestore/content"
)

func TestObjectKeepsOrderAndBytes(t *testing.T) {
	for _, text := range []string{
		`{}`,
		`{"z":1,"a":2,"m":{"z":[3,2,1],"a":null}}`,
		`{"n":1.50,"big":123456789012345678901234567890,"e":1E5}`,
		`{"s":"<>&\u00e9\/","inner":{ "spaces" : [ ] }}`,
		`{"a":1,"a":2}`,
		`{"":"","Ключ \" ":true}`,
	} {
		o := object(t, text)
		if got := string(o.AppendJSON(nil)); got != text {
			t.Errorf("%s comes back as %s", text, got)
		}
		if got := string(o.AppendJSON([]byte("before"))); got != "before"+text {
			t.Errorf("appended: %s", got)
		}
	}
}

func TestObjectInsideOtherJSON(t *testing.T) {
	type listing struct{ Items []content.Object }
	const text = `{"Items":[{"b":1,"a":2},{}]}`
	var a listing
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(a); err != nil || string(got) != text {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestUnmarshalReplacesWhatWasThere(t *testing.T) {
	o := content.Object{{Name: "old", Value: content.String("x")}}
	if err := json.Unmarshal([]byte(`{"new":1}`), &o); err != nil {
		t.Fatal(err)
	}
	if got := string(o.AppendJSON(nil)); got != `{"new":1}` {
		t.Errorf("got %s", got)
	}
}

func TestOnlyObjectsAreObjects(t *testing.T) {
	for _, text := range []string{`[]`, `"{}"`, `1`, `null`, `true`, `{`, `{"a"`, `{"a":}`, `{}x`} {
		var o content.Object
		if err := json.Unmarshal([]byte(text), &o); err == nil {
			t.Errorf("%s was read as %s", text, o.AppendJSON(nil))
		}
	}
}

func TestGetAndText(t *testing.T) {
	o := object(t, `{"s":"Ё\n","empty":"","n":1,"null":null,"list":["s"]}`)
	for name, want := range map[string]string{"s": "Ё\n", "empty": "", "n": "", "null": "", "list": "", "none": ""} {
		t.Run(name, func(t *testing.T) {
			if got := o.Text(name); got != want {
				t.Errorf("Text(%q) = %q", name, got)
			}
		})
	}
	for name, want := range map[string]string{"n": "1", "null": "null", "list": `["s"]`, "none": ""} {
		t.Run(name, func(t *testing.T) {
			if got := string(o.Get(name)); got != want {
				t.Errorf("Get(%q) = %s", name, got)
			}
		})
	}
	if broken := (content.Object{{Name: "s", Value: json.RawMessage(`"`)}}); broken.Text("s") != "" {
		t.Error("a broken string is text")
	}
}

func TestWithLeavesTheObjectAlone(t *testing.T) {
	o := make(content.Object, 0, 4).With("a", content.String("1"))
	b, c := o.With("b", content.String("2")), o.With("c", content.String("3"))
	if len(o) != 1 || b[1].Name != "b" || c[1].Name != "c" {
		t.Errorf("got %v, %v and %v", o, b, c)
	}
}

func FuzzObject(f *testing.F) {
	f.Add([]byte(`{"z":1,"a":{"b": [ 2 ]},"z":null}`))
	f.Add([]byte(`{"\ud800":"\u2028"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var o content.Object
		if json.Unmarshal(raw, &o) != nil {
			return
		}
		text := o.AppendJSON(nil)
		if !json.Valid(text) {
			t.Fatalf("%q is no JSON", text)
		}
		var again content.Object
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again.AppendJSON(nil), text) {
			t.Errorf("%s comes back as %s", text, again.AppendJSON(nil))
		}
	})
}

// Strings are written as encoding/json writes them, but for the escapes that are
// meant for HTML.
func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "Правило — «так»", `a "b" \c`, "tab\tline\nbell\a", "\u2028", "a\u2029b", "\u007f",
		"<&>", "\xff", "\xe2\x80", "😀", "\ufffd", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		if got := string(content.AppendString([]byte("x:"), s)); got+"\n" != "x:"+want.String() {
			t.Errorf("%q: got %s, want %s", s, got, want.String())
		}
	})
}

// What stands for itself is not decoded; the result is the same as if it were.
func TestText(t *testing.T) {
	for _, raw := range []string{
		`"product.common.001"`, `""`, `"a b"`, `"правило"`, `"a\u0041\"\\"`, `"<>&"`, "\"\x7f\"", "\"\xff\"", `"a"x"`,
		`"open`, `"`, `"a\"`, "\"a\tb\"", `12`, `null`, `["a"]`, `{"a":"b"}`, ``,
	} {
		var want string
		if json.Unmarshal([]byte(raw), &want) != nil {
			want = ""
		}
		if got := (content.Object{{Name: "id", Value: json.RawMessage(raw)}}).Text("id"); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	}
}
