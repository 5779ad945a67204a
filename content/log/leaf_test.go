package log_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/log"
)

var sum = "sha256:" + strings.Repeat("0a", 32)

func TestLeafOfASeal(t *testing.T) {
	for i, c := range []struct{ line, want string }{
		{"guidelines/a/v1.0.0 " + sum + " 2026-05-01T10:00:00Z",
			"seal guidelines/a/v1.0.0 " + sum + " 2026-05-01T10:00:00Z"},
		{"guidelines/a/v1.0.0 " + sum + " 2026-05-01T13:00:00+03:00",
			"seal guidelines/a/v1.0.0 " + sum + " 2026-05-01T10:00:00Z"},
		{"kinds-to-come/a/v1.0.0 " + sum + " 2026-05-01T10:00:00Z",
			"seal kinds-to-come/a/v1.0.0 " + sum + " 2026-05-01T10:00:00Z"},
		{"", ""},
		{"a b", ""},
		{" " + sum + " 2026-05-01T10:00:00Z", ""},
		{"a  " + sum + " 2026-05-01T10:00:00Z", ""},
		{"a " + sum + " 2026-05-01T10:00:00Z ", ""},
		{"a " + sum + " 2026-05-01T10:00:00.5Z", ""},
		{"a " + sum + " 2026-05-01", ""},
		{"a sha256:00 2026-05-01T10:00:00Z", ""},
		{"a " + strings.ToUpper(sum) + " 2026-05-01T10:00:00Z", ""},
		{"а " + sum + " 2026-05-01T10:00:00Z", ""},
		{"a\u00a0b " + sum + " 2026-05-01T10:00:00Z", ""},
		{"a\nseal b " + sum + " 2026-05-01T10:00:00Z", ""},
		{strings.Repeat("a", log.MaxLeaf) + " " + sum + " 2026-05-01T10:00:00Z", ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			leaf, ok := log.ReadSeal(c.line)
			if ok != (c.want != "") || ok && string(leaf) != c.want {
				t.Errorf("%.80q has the leaf %.200q", c.line, string(leaf))
			}
			seal, ok := leaf.Seal()
			if ok != (c.want != "") || ok && log.SealOf(seal) != leaf {
				t.Errorf("%.200q is the seal %v", string(leaf), seal)
			}
		})
	}
	at := time.Date(2026, 5, 1, 13, 0, 0, 0, time.FixedZone("", 3*3600))
	if got := log.SealOf(content.Seal{Tag: "a", Checksum: sum, PublishedAt: at}); string(got) != "seal a "+sum+
		" 2026-05-01T10:00:00Z" {
		t.Errorf("the leaf is %q", string(got))
	}
}

func TestLeafOfAMark(t *testing.T) {
	m := content.Mark{Item: "guidelines/a", Version: "1.0.0", Status: content.Void,
		Reason: "Потеряно: \"x\"\n\\ \x01 <&>\u2028", Since: "2026-05-01"}
	want := `mark {"item":"guidelines/a","reason":"Потеряно: \"x\"\n\\ \u0001 <&>` + "\u2028" +
		`","replaced_by":"","since":"2026-05-01","status":"void","version":"1.0.0"}`
	if leaf, ok := log.MarkOf(m); !ok || string(leaf) != want {
		t.Errorf("the leaf is\n%s, want\n%s", leaf, want)
	}
	largest := content.Mark{ // that a format of lifecycle.yaml allows, in the characters that take most
		Item: strings.Repeat("\x01", 200), ReplacedBy: strings.Repeat("\x01", 200), Version: strings.Repeat("1", 60),
		Status: content.ReviewRequired, Reason: strings.Repeat("\x01", 1000), Since: "2026-05-01",
	}
	if leaf, ok := log.MarkOf(largest); !ok {
		t.Errorf("a mark of %d bytes is not in the log", len(leaf))
	}
	for _, reason := range []string{"\xff", strings.Repeat("a", log.MaxLeaf)} {
		if leaf, ok := log.MarkOf(content.Mark{Reason: reason}); ok {
			t.Errorf("there is a leaf of %d bytes", len(leaf))
		}
	}
}

// Whatever a mark says can be read back from its leaf, and so no two have the same.
func FuzzMark(f *testing.F) {
	f.Add("guidelines/a", "1.0.0", "void", "\"},{\n", "2026-05-01", "")
	f.Add(`a","reason":"`, "", "\x7f\x00", "\u2028", "seal", "😀")
	f.Fuzz(func(t *testing.T, item, version, status, reason, since, by string) {
		m := content.Mark{Item: item, Version: version, Status: content.Status(status), Reason: reason,
			Since: since, ReplacedBy: by}
		leaf, ok := log.MarkOf(m)
		if !ok {
			return
		}
		var back content.Mark
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(leaf), "mark ")), &back); err != nil || back != m {
			t.Errorf("%+v is written as %s: %v", m, leaf, err)
		}
		if strings.ContainsAny(string(leaf), "\n\r") {
			t.Errorf("%q is not one line", leaf)
		}
	})
}

// An approval's leaf is its line; what is none is none, and no other leaf reads as one.
func TestLeafOfAnApproval(t *testing.T) {
	sum := "sha256:" + strings.Repeat("ab", 32)
	line := "guidelines/a.b.001/v1.0.0 " + sum + " 2026-05-01T10:00:00Z U1NIU0lH"
	leaf, ok := log.ReadApproval(line)
	if !ok || leaf != log.Leaf("approval "+line) {
		t.Fatalf("%v %q", ok, leaf)
	}
	a, ok := leaf.Approval()
	if !ok || string(a.Signature) != "SSHSIG" || a.String() != line ||
		string(a.Seal.Approved()) != line[:len(line)-len(" U1NIU0lH")]+"\n" {
		t.Errorf("%v %+v", ok, a)
	}
	if local, ok := log.ReadApproval(strings.Replace(line, "T10:00:00Z", "T13:00:00+03:00", 1)); !ok || local != leaf {
		t.Errorf("in another zone: %q", local)
	}
	for _, other := range []string{
		"", " ", "x", line + "\n", line + "\r", line + " ", line + "=", line[:len(line)-1],
		strings.Replace(line, " U1", " U1\n", 1), "seal " + line,
		line[:len(line)-9], line[:len(line)-8], strings.Replace(line, "sha256:", "sha512:", 1),
		line + strings.Repeat("AAAA", log.MaxLeaf/4),
	} {
		if leaf, ok := log.ReadApproval(other); ok {
			t.Errorf("%.80q is %.80q", other, leaf)
		}
	}
	if _, ok := leaf.Seal(); ok {
		t.Error("an approval is a seal")
	}
	if _, ok := leaf.Mark(); ok {
		t.Error("an approval is a mark")
	}
	if seal, _ := log.ReadSeal(line[:len(line)-9]); seal != "" {
		if _, ok := seal.Approval(); ok {
			t.Error("a seal is an approval")
		}
	}
}
