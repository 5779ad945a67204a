package check_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

const scenario = "scenario_id: x\nschema_version: \"1.0\"\ntitle: Название\ndescription: Описание сценария.\n"

func item(text string) check.Checked {
	return check.Item(schemas.Embedded(), content.Scenarios, "x", []byte(text))
}

func TestSizeLimit(t *testing.T) {
	full := scenario + "#" + strings.Repeat("x", check.MaxSize-len(scenario)-1)
	if r := item(full); !r.OK() {
		t.Errorf("%d bytes: %v", len(full), r.Findings)
	}
	r := item(full + "x")
	if want := "scenarios/x.yaml: error: the file has 1048577 bytes, at most 1048576 are allowed [size] (split the " +
		"item)"; len(r.Findings) != 1 || r.Findings[0].String() != want {
		t.Errorf("got %v", r.Findings)
	}
	if r.Body != nil || r.OK() {
		t.Error("a file that was not read has a body")
	}
}

// A file whose aliases stand for a billion texts is judged as it is written.
func TestAliasBombStaysSmall(t *testing.T) {
	var b strings.Builder
	b.WriteString(scenario + "a0: &a0 [" + strings.Repeat("lol, ", 9) + "]\n")
	for i := range 11 {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := item(b.String())
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
		t.Errorf("it took %d bytes", used)
	}
	if first := r.Findings[0].String(); len(r.Findings) != 101 ||
		!strings.HasPrefix(first, "scenarios/x.yaml:5:5: error: the anchor &a0 is not allowed") {
		t.Errorf("got %d findings, the first is %s", len(r.Findings), first)
	}
}

// Whoever writes such files gets a list that can be worked through, soon.
func TestManyFindingsAreCutShort(t *testing.T) {
	for name, text := range map[string]string{
		"unknown fields": scenario + numbered("field%d: x\n"),
		"wrong elements": scenario + "stop_filters: [" + strings.Repeat("1,", 5000) + "]\n",
		"broken scalars": scenario + "stop_filters: [" + strings.Repeat("yes,", 5000) + "]\n",
		"equal names":    scenario + strings.Repeat("a: 1\n", 5000),
		"names of lists": scenario + strings.Repeat("? []\n", 5000),
		"equal codes": scenario + "stop_filters:\n" + strings.Repeat("- {stop_code: A, title: Да, condition: Да}\n",
			1000),
		"wrong in depth":  scenario + "stop_filters:\n" + strings.Repeat("- {stop_code: a, titel: Да}\n", 1000),
		"late broken end": scenario + numbered("field%d: x\n") + "a: [\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := item(text)
			if name == "late broken end" {
				if len(r.Findings) != 1 || r.Findings[0].Line != strings.Count(text, "\n") {
					t.Errorf("%s: %v", name, r.Findings)
				}
				return
			}
			if len(r.Findings) != 101 {
				t.Errorf("%s: %d findings", name, len(r.Findings))
				return
			}
			if last := r.Findings[100]; last.Rule != "more" || last.Line == 0 ||
				last.Message != "there is more to mend from here on" {
				t.Errorf("%s: the last finding is %s", name, last)
			}
		})
	}
}

func numbered(format string) string {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestAHundredFindingsAreAllListed(t *testing.T) {
	r := item(scenario + strings.Repeat("a: 1\n", 101))
	if len(r.Findings) != 100 || r.Findings[99].Rule != "duplicate-key" {
		t.Errorf("got %d findings, the last is %s", len(r.Findings), r.Findings[len(r.Findings)-1])
	}
}

func TestMessagesAreShort(t *testing.T) {
	long := strings.Repeat("Я", 100000)
	for _, text := range []string{
		scenario + "a: 0x" + strings.Repeat("F", 100000), scenario + "a: 1" + strings.Repeat("0", 100000),
		scenario + "a: &" + strings.Repeat("b", 100000) + " 1", scenario + "a: !" + strings.Repeat("b", 100000) + " 1",
		scenario + "product_types: [" + long + "]", scenario + "? |\n  " + long + "\n: 1\n? |\n  " + long + "\n: 1\n",
	} {
		r := item(text)
		if len(r.Findings) == 0 {
			t.Errorf("%.200s: nothing found", text)
		}
		for _, f := range r.Findings {
			if n := len([]rune(f.Message)); n > 310 {
				t.Errorf("a message has %d characters: %.100s", n, f.Message)
			}
		}
	}
}

// The findings of a file come in the same order whenever it is judged.
func TestFindingsAreInOneOrder(t *testing.T) {
	text := strings.Replace(scenario, "title: Название", "title: 1", 1) +
		"b: 1\na: 1\nproduct_types: [A, B, C]\nstop_filters: [{}, {}, {}]\nstatus: x\n"
	want := item(text).Findings
	for range 50 {
		if got := item(text).Findings; !slices.Equal(got, want) {
			t.Fatalf("got %v\nbefore %v", got, want)
		}
	}
}
