package log_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/log"
)

// sameKey makes the same key of the same seed, whatever its name.
func sameKey(t *testing.T, seed byte, name string) log.Key {
	t.Helper()
	text, err := log.NewKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)), name)
	if err != nil {
		t.Fatal(err)
	}
	k, err := log.ParseKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A policy that can never hold, or that counts one party twice, is none.
func TestNewPolicy(t *testing.T) {
	own, one, two := sameKey(t, 1, "rules.example.org/log"), sameKey(t, 2, "one.example.org"),
		sameKey(t, 3, "two.example.org")
	again := sameKey(t, 2, "other.example.org") // the key of one, under another name
	witness := log.Key.PublicOfWitness
	for _, tt := range []struct {
		name      string
		log       string
		witnesses []string
		quorum    int
		age       time.Duration
		want      string // "" if it is well
	}{
		{"without witnesses", own.Public(), nil, 0, 0, ""},
		{"all of two", own.Public(), []string{witness(one), witness(two)}, 2, time.Hour, ""},
		{"no key", "rules.example.org", nil, 0, 0, "the key of the log: \"rules.example.org\" is no public key"},
		{"a witness for a log", witness(own), nil, 0, 0, "is a key of a witness: that of a log is the first"},
		{"a log for a witness", own.Public(), []string{one.Public()}, 1, 0,
			"is a key of a log: that of a witness is the second"},
		{"no witness", own.Public(), []string{"x"}, 1, 0, "the key of a witness: \"x\" is no public key"},
		{"one twice", own.Public(), []string{witness(one), witness(one)}, 1, 0,
			"the witness one.example.org stands twice"},
		{"one under two names", own.Public(), []string{witness(one), witness(again)}, 1, 0,
			"the witness other.example.org stands twice"},
		{"its own witness", own.Public(), []string{witness(own)}, 1, 0,
			"the witness rules.example.org/log stands twice"},
		{"a quorum of nobody", own.Public(), nil, 1, 0, "a quorum of 1 needs witnesses"},
		{"an age of nobody", own.Public(), nil, 0, time.Hour, "an age needs witnesses: only they say when they signed"},
		{"no quorum", own.Public(), []string{witness(one)}, 0, 0, "the quorum is 0 of 1 witnesses: expected 1 to 1"},
		{"more than there are", own.Public(), []string{witness(one)}, 2, 0,
			"the quorum is 2 of 1 witnesses: expected 1 to 1"},
		{"less than nothing", own.Public(), []string{witness(one)}, 1, -1, "is less than nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := log.NewPolicy(tt.log, tt.witnesses, tt.quorum, tt.age)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v\nexpected %s", err, tt.want)
			}
		})
	}
}

// What was seen goes on after the key of the log was replaced, and is nothing if it is damaged.
func TestSeen(t *testing.T) {
	before, now := sameKey(t, 1, "rules.example.org/log"), sameKey(t, 2, "rules.example.org/log")
	head := log.Checkpoint{Origin: before.Name(), Size: 7}
	signed, err := head.Sign(before.Log())
	if err != nil {
		t.Fatal(err)
	}
	damaged := strings.Replace(string(signed), "\n7\n", "\n8\n", 1)
	for _, tt := range []struct {
		name, signed string
		key          log.Key
		want         string
	}{
		{"by the key", string(signed), before, ""},
		{"by the key before", string(signed), now, ""},
		{"damaged", damaged, before, "the signature of rules.example.org/log on the checkpoint is not right"},
		{"cut off", string(signed[:30]), before, "this is no checkpoint"},
		{"empty", "", before, "this is no checkpoint"},
		{"of another log", string(signed), sameKey(t, 1, "other.example.org"),
			"is of the log rules.example.org/log, and the key is that of other.example.org"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			policy, err := log.NewPolicy(tt.key.Public(), nil, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			c, err := policy.Seen([]byte(tt.signed))
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) ||
				err == nil && c != head {
				t.Errorf("%+v %v\nexpected %s", c, err, tt.want)
			}
		})
	}
}

// A mark is read from its leaf and from nothing else.
func TestMarkOfLeaf(t *testing.T) {
	m := content.Mark{Item: "guidelines/a.b.001", Version: "1.0.0", Status: content.Redacted,
		Reason: "a \"reason\"\n", Since: "2026-05-01"}
	leaf, ok := log.MarkOf(m)
	if got, well := leaf.Mark(); !ok || !well || got != m {
		t.Errorf("%v %+v", well, got)
	}
	for _, text := range []log.Leaf{"", "mark ", "mark {}", leaf + " ",
		log.Leaf(strings.Replace(string(leaf), `"item"`, `"Item"`, 1)), leaf[5:], "seal x"} {
		if m, ok := text.Mark(); ok {
			t.Errorf("%q is %+v", text, m)
		}
	}
}
