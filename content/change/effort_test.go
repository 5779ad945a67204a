package change_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"rulestore/content"
	"rulestore/content/change"
)

// hostile are pairs of values that are as hard to compare as their size allows.
var hostile = sync.OnceValue(func() map[string][2]any {
	r := rand.New(rand.NewPCG(1, 2))
	words := func(n int, format string) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, format, r.IntN(1000))
		}
		return b.String()
	}
	list := func(n int, of func(i int) any) []any {
		all := make([]any, n)
		for i := range all {
			all[i] = of(i)
		}
		return all
	}
	two := func(of func() any) [2]any { return [2]any{of(), of()} }
	nested := func(levels, n int) any {
		v := any(list(n, func(int) any { return r.IntN(1000) }))
		for range levels {
			v = []any{v, r.IntN(1000)}
		}
		return v
	}
	return map[string][2]any{
		"a long text":           two(func() any { return words(90_000, "%d ") }),
		"very many small words": two(func() any { return words(180_000, "%c ") }),
		"very many lines":       two(func() any { return words(180_000, "%c\n") }),
		"one long word":         {strings.Repeat("а", 180_000) + "б", strings.Repeat("а", 180_000) + "в"},
		"nothing but signs":     {strings.Repeat(",", 360_000), strings.Repeat(".", 360_000)},
		"very many numbers":     two(func() any { return words(90_000, "%da") }),
		"a long list of texts":  two(func() any { return list(20_000, func(int) any { return words(10, "%d ") }) }),
		"a long list of values": two(func() any { return list(150_000, func(int) any { return r.IntN(1 << 30) }) }),
		"a list of objects": two(func() any {
			return list(4000, func(int) any {
				return map[string]any{"a": words(5, "%d "), "b": words(5, "%d "), "c": r.IntN(1000)}
			})
		}),
		"lists in lists": two(func() any { return nested(30, 20_000) }),
		"lists of lists": two(func() any {
			return list(2000, func(int) any { return list(20, func(int) any { return r.IntN(1000) }) })
		}),
		"very many fields": two(func() any {
			o := map[string]any{}
			for range 30_000 {
				o[fmt.Sprint(r.IntN(1<<30))] = r.IntN(9)
			}
			return o
		}),
		"names that are long": two(func() any {
			v := any(list(10_000, func(int) any { return r.IntN(1 << 30) }))
			for range 8 {
				v = map[string]any{strings.Repeat("name", 5000): v}
			}
			return v
		}),
	}
})

func bodyOf(t testing.TB, v any) content.Object {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return content.Object{{Name: "field", Value: raw}}
}

// Whatever two versions hold, comparing them takes a bounded amount of memory, and
// something is said of what differs.
func TestHostileContentIsCompared(t *testing.T) {
	text := &content.Field{Name: "field", Title: "Поле", Prose: true, Items: &content.Field{Prose: true}}
	for name, v := range hostile() {
		t.Run(name, func(t *testing.T) {
			before, after := bodyOf(t, v[0]), bodyOf(t, v[1])
			for _, root := range []*content.Field{{Fields: []*content.Field{text}}, {}} {
				var fields []change.Field
				if used := allocated(func() {
					fields = change.Fields(content.Guidelines, root, before, after)
				}); used > 24<<20 {
					t.Errorf("it took %d KiB", used>>10)
				}
				if len(fields) == 0 || len(fields) > 10_000 || change.ClassOf(fields) == change.None {
					t.Errorf("%d places differ", len(fields))
				}
			}
			if same := change.Fields(content.Guidelines, nil, before, before); len(same) > 0 {
				t.Errorf("it differs from itself: %s", same[0].Why)
			}
		})
	}
}

// allocated is how much memory a function takes, in bytes, whether or not it keeps it.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// What is compared as a whole says so; what is as long and not as hard is compared in
// detail.
func TestComparedAsAWhole(t *testing.T) {
	list := func(n int, last string) []any {
		all := make([]any, n)
		for i := range all {
			all[i] = map[string]any{"text": fmt.Sprint("Запись ", i), "note": "Примечание"}
		}
		all[n-1] = map[string]any{"text": last, "note": "Примечание"}
		return all
	}
	v := hostile()["a list of objects"]
	fields := change.Fields(content.Guidelines, nil, bodyOf(t, v[0]), bodyOf(t, v[1]))
	if len(fields) != 1 || fields[0].Path != "field" || fields[0].Class != change.Breaking ||
		!strings.Contains(string(fields[0].Why), "too much to be compared in detail") {
		t.Errorf("%d: %.200s", len(fields), fields[0].Why)
	}
	fields = change.Fields(content.Guidelines, nil, bodyOf(t, list(3000, "Запись прежняя")),
		bodyOf(t, list(3000, "Запись новая")))
	if len(fields) != 1 || fields[0].Path != "field[3000].text" {
		t.Errorf("%d: %s", len(fields), fields[0].Path)
	}
}

// However long texts are, and however many, they cost no more than an effort, and what
// is too long for words is compared as a whole.
func TestWordsOfLongTexts(t *testing.T) {
	for _, name := range []string{
		"a long text", "very many small words", "very many lines", "one long word", "nothing but signs",
		"very many numbers",
	} {
		t.Run(name, func(t *testing.T) {
			before, after := hostile()[name][0].(string), hostile()[name][1].(string)
			var segments []change.Segment
			var whole bool
			if used := allocated(func() { segments, whole = change.NewEffort().Phrases(before, after) }); used > 8<<20 {
				t.Errorf("it took %d KiB", used>>10)
			}
			if !whole {
				t.Error("compared by words")
			}
			putTogether(t, segments, before, after)
		})
	}
	t.Run("one after the other", func(t *testing.T) {
		effort, n := change.NewEffort(), 0
		for i := range 100 {
			before, after := strings.Repeat("a\n", 700), strings.Repeat("b\n", 700)
			segments, whole := effort.Phrases(before, after)
			putTogether(t, segments, before, after)
			if whole {
				n++
			}
			if i == 0 && whole {
				t.Error("the first is compared as a whole")
			}
		}
		if n < 50 {
			t.Errorf("%d of 100 are compared as a whole", n)
		}
	})
	t.Run("little changed", func(t *testing.T) {
		text := strings.Repeat("Назвать срок. ", 20_000)
		before, after := text+"Да, всегда."+text, text+"Нет, никогда."+text
		segments, whole := change.NewEffort().Phrases(before, after)
		if whole || len(segments) > 10 {
			t.Errorf("compared as a whole: %t, %d segments", whole, len(segments))
		}
		putTogether(t, segments, before, after)
	})
}

func putTogether(t *testing.T, segments []change.Segment, before, after string) {
	t.Helper()
	var a, b strings.Builder
	for _, s := range segments {
		if s.What != change.Added {
			a.WriteString(s.Text)
		}
		if s.What != change.Removed {
			b.WriteString(s.Text)
		}
	}
	if a.String() != before || b.String() != after {
		t.Errorf("the segments are not the texts")
	}
}

// The segments are those of the plainest table of longest common subsequences.
func TestWordsAgreeWithATable(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	text := func() string {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString([]string{"а", "бв", " ", ",", "\n", "не", "x", "xy"}[r.IntN(8)])
		}
		return b.String()
	}
	for range 3000 {
		before, after := text(), text()
		kept := 0
		for _, s := range change.Words(before, after) {
			if s.What == "" {
				kept += len(pieces(s.Text))
			}
		}
		if want := longest(pieces(before), pieces(after)); kept != want {
			t.Fatalf("%q → %q: %d pieces stay, expected %d: %q", before, after, kept, want, change.Words(before, after))
		}
	}
}

// pieces are words, runs of spaces and single other signs.
func pieces(s string) []string { return piece.FindAllString(s, -1) }

var piece = regexp.MustCompile(`[\pL\pN]+|\s+|.`)

func longest(a, b []string) int {
	table := make([][]int, len(a)+1)
	table[0] = make([]int, len(b)+1)
	for i := range a {
		table[i+1] = make([]int, len(b)+1)
		for j := range b {
			if table[i+1][j+1] = max(table[i][j+1], table[i+1][j]); a[i] == b[j] {
				table[i+1][j+1] = table[i][j] + 1
			}
		}
	}
	return table[len(a)][len(b)]
}
