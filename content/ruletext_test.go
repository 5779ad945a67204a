package content_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"rulestore/content"
)

// What a finding says is read again as it was, but for numbers, which are those of JSON.
func TestSaid(t *testing.T) {
	commit := content.Say("seal", "commit", content.Args{"commit": "a1"})
	for _, test := range []struct {
		name string
		says content.RuleText
	}{
		{"nothing named", content.Say("lfs", "pointer", nil)},
		{"a text", content.Say("mention", "id", content.Args{"id": "a\"{b}\n\u202e»"})},
		{"a number", content.Say("depth", "deep", content.Args{"most": 32.0})},
		{"a word", content.Say("calendar", "weekday", content.Args{"day": content.Word("Monday")})},
		{"one of some", content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"string", "null"}})},
		{"a sentence", content.Say("seal-changed", "line", content.Args{"from": commit})},
		{"sentences", content.Say("seal-twice", "dispute", content.Args{"from": content.AllOf{commit, commit}})},
		{"hints", content.Say("tag", "item", nil).Advise(commit, content.Say("", "served", nil))},
		{"a guess", content.Say("folder", "unread", nil).Guess("registries")},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := content.DecodeRuleText(test.says.Encode())
			if !ok || !reflect.DeepEqual(got, test.says) {
				t.Errorf("%+v, %v", got, ok)
			}
		})
	}
	for _, text := range []string{"", "x", "[]", `{"args":{"a":}}`, `{"args":{"a":{"word":1}}}`} {
		t.Run("not "+text, func(t *testing.T) {
			if s, ok := content.DecodeRuleText(text); ok {
				t.Errorf("%+v", s)
			}
		})
	}
}

// A guess changes no other finding with the same arguments.
func TestGuessIsOneFindings(t *testing.T) {
	one := content.Say("unknown-code", "code", content.Args{"code": "a"})
	if one.Guess("b"); len(one.Args) != 1 {
		t.Errorf("%v", one.Args)
	}
}

// Programs get the words, not what they were made from.
func TestSaidIsNoPartOfTheAnswer(t *testing.T) {
	f := content.Finding{
		Rule: "lfs", Severity: content.Error, Message: "wrong", Encoded: content.Say("lfs", "pointer", nil).Encode(),
	}
	raw, err := json.Marshal(f)
	if err != nil || strings.Contains(string(raw), "pointer") {
		t.Errorf("%s, %v", raw, err)
	}
}
