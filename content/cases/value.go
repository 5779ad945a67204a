package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// spelled writes a value for people: a text without quotes.
func spelled(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return string(value)
	}
	return b.String()
}

// says reports whether the text of a value has some words, in any case of letters.
func says(value json.RawMessage, words string) bool {
	return strings.Contains(strings.ToLower(spelled(value)), strings.ToLower(words))
}

// equal reports whether two values are the same, where a number is the same as the text
// that spells it.
func equal(a, b json.RawMessage) bool {
	x, y := decoded(a), decoded(b)
	return within(x, y) && within(y, x)
}

// gives reports whether a calculation gives what is expected: of objects, the fields that
// are named.
func gives(got string, want json.RawMessage) bool {
	w := decoded(want)
	switch w.(type) {
	case map[string]any, []any:
		return within(w, decoded(json.RawMessage(got)))
	}
	return scalar(w) == got
}

func decoded(raw json.RawMessage) (v any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// within reports whether a value has all that another one has.
func within(part, whole any) bool {
	switch p := part.(type) {
	case map[string]any:
		w, ok := whole.(map[string]any)
		for name, value := range p {
			inner, exists := w[name]
			ok = ok && exists && within(value, inner)
		}
		return ok
	case []any:
		w, ok := whole.([]any)
		ok = ok && len(w) == len(p)
		for i := 0; ok && i < len(p); i++ {
			ok = within(p[i], w[i])
		}
		return ok
	}
	switch whole.(type) {
	case map[string]any, []any:
		return false
	}
	return scalar(part) == scalar(whole)
}

// scalar spells a text, a number, true or false, or nothing.
func scalar(v any) string {
	if v == nil {
		return "null"
	}
	return fmt.Sprint(v)
}
