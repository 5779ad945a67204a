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

// The end of a mark is a leaf of its own, which determines the mark, and what is neither is no leaf.
func TestLeafOfAnEnd(t *testing.T) {
	mark, _ := log.MarkOf(content.Mark{Item: "guidelines/a", Status: content.Archived, Since: "2026-05-01"})
	seal, _ := log.ReadSeal("a " + sum + " 2026-05-01T10:00:00Z")
	end := mark.End()
	if begun, ok := end.Begin(); !ok || begun != mark ||
		string(end) != "end "+strings.TrimPrefix(string(mark), "mark ") {
		t.Errorf("%q ends %q", end, begun)
	}
	for _, leaf := range []log.Leaf{mark, seal, seal.End(), "end {}", "end ", ""} {
		if begun, ok := leaf.Begin(); ok {
			t.Errorf("%q ends %q", leaf, begun)
		}
	}
	for _, wrong := range []string{
		"", "x", "approval x", string(seal.End()), string(mark) + " ", string(end) + "\r",
	} {
		if _, line := log.ReadFile([]byte(string(seal) + "\n" + wrong + "\n")); line != 2 {
			t.Errorf("%q is a leaf", wrong)
		}
	}
}

// Files of leaves are read as they were written, 256 lines each, and nothing else is.
func TestFiles(t *testing.T) {
	l := ofSeals(600)
	var back *log.Log
	for n := range int64(3) {
		raw := l.Files(0)[log.FilePath(n)]
		leaves, line := log.ReadFile([]byte(raw))
		if line != 0 || strings.Count(raw, "\n") != len(leaves) {
			t.Fatalf("file %d: line %d", n, line)
		}
		back = back.Extend(leaves...)
	}
	if back.Head("x") != l.Head("x") || len(l.Files(0)) != 3 || len(l.Files(512)) != 1 || len(l.Files(600)) != 1 ||
		log.FilePath(1234) != "log/entries/x001/234" {
		t.Errorf("%d leaves come back, and file 1234 is %s", back.Size(), log.FilePath(1234))
	}
	for raw, want := range map[string]int{
		"": 0,
		strings.TrimSuffix(l.Files(512)[log.FilePath(2)], "\n"):     88,
		l.Files(0)[log.FilePath(0)] + l.Files(512)[log.FilePath(2)]: 257,
		"\n": 1,
	} {
		if _, line := log.ReadFile([]byte(raw)); line != want {
			t.Errorf("%d bytes are wrong in line %d, want %d", len(raw), line, want)
		}
	}
}

// ofSeals is a log of seals.
func ofSeals(n int) *log.Log {
	var leaves []log.Leaf
	for i := range n {
		leaf, _ := log.ReadSeal(fmt.Sprintf("guidelines/a/v1.0.%d %s 2026-05-01T10:00:00Z", i, sum))
		leaves = append(leaves, leaf)
	}
	return (*log.Log)(nil).Extend(leaves...)
}

// A mark may begin and end again and again, in turn; a seal stands once.
func TestMarks(t *testing.T) {
	a, _ := log.MarkOf(content.Mark{Item: "guidelines/a", Status: content.Archived})
	b, _ := log.MarkOf(content.Mark{Item: "guidelines/b", Status: content.Redacted})
	seal := ofSeals(1).Since(0)[0]
	for i, tt := range []struct {
		leaves    []log.Leaf
		open      int
		misplaced int64
	}{
		{nil, 0, -1},
		{[]log.Leaf{a, seal, b, a.End(), a, a.End(), a}, 2, -1},
		{[]log.Leaf{a, b, b.End()}, 1, -1},
		{[]log.Leaf{a, a}, 1, 1},
		{[]log.Leaf{a.End()}, 0, 0},
		{[]log.Leaf{a, a.End(), a.End()}, 0, 2},
		{[]log.Leaf{seal, a, seal}, 1, 2},
	} {
		open, misplaced := (*log.Log)(nil).Extend(tt.leaves...).Marks()
		if len(open) != tt.open || misplaced != tt.misplaced {
			t.Errorf("%d: %v are in force, leaf %d is misplaced", i, open, misplaced)
		}
	}
}
