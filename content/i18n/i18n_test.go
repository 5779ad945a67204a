package i18n_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"rulestore/content/i18n"
)

var catalogue = i18n.Catalogue{
	Texts: [][2]string{
		{"there is no %s", "нет %s"},
		{"%s at line %d", "%[1]s, строка %[2]d"},
		{"%[2]d of %[1]q", "%[1]q, %[2]d"},
		{"read %s: %w", "прочитать %s: %v"},
		{"%s with %s", "%[2]s и %[1]s"},
		{"a file", "файл"},
		{"the end", "конец"},
	},
	Counts: [][4]string{{"file", "файл", "файла", "файлов"}},
}

// russian also knows what an error of a library means.
func russian() *i18n.Printer {
	p := i18n.Russian(catalogue)
	p.Foreign = func(v any) (i18n.Text, bool) { return i18n.New("the end"), v == io.EOF }
	return p
}

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		name             string
		text             i18n.Localizable
		english, russian string
	}{
		{"an argument", i18n.New("there is no %s", "a.yaml"), "there is no a.yaml", "нет a.yaml"},
		{"a text in a text", i18n.New("there is no %s", i18n.New("a file")), "there is no a file", "нет файл"},
		{"a number", i18n.New("%s at line %d", "a.yaml", 12345), "a.yaml at line 12345", "a.yaml, строка 12345"},
		{"indexes", i18n.New("%[2]d of %[1]q", "a", 3), `3 of "a"`, `"a", 3`},
		{"another order", i18n.New("%s with %s", "a", "b"), "a with b", "b и a"},
		{"one", i18n.Count{N: 1, Noun: "file"}, "1 file", "1 файл"},
		{"two", i18n.Count{N: 2, Noun: "file"}, "2 files", "2 файла"},
		{"five", i18n.Count{N: 5, Noun: "file"}, "5 files", "5 файлов"},
		{"eleven", i18n.Count{N: 11, Noun: "file"}, "11 files", "11 файлов"},
		{"twenty-one", i18n.Count{N: 10021, Noun: "file"}, "10021 files", "10021 файл"},
		{"no Russian", i18n.New("nobody said %s", i18n.New("a file")), "nobody said a file", "nobody said файл"},
		{"no verbs", i18n.New("100% sure"), "100% sure", "100% sure"},
		{"joined", i18n.Join(" % ", "a", i18n.New("a file"), 3), "a % a file % 3", "a % файл % 3"},
		{"an error of others", i18n.New("there is no %s", io.EOF), "there is no EOF", "нет конец"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (*i18n.Printer)(nil).Sprint(c.text); got != c.english {
				t.Errorf("in English it is %q", got)
			}
			if got := fmt.Sprint(c.text); got != c.english {
				t.Errorf("by itself it is %q", got)
			}
			if got := russian().Sprint(c.text); got != c.russian {
				t.Errorf("in Russian it is %q", got)
			}
		})
	}
}

type code struct{ error }

func (c code) Unwrap() error { return c.error }

func TestErrors(t *testing.T) {
	missing := i18n.Errorf("there is no %s", "a.yaml")
	for _, c := range []struct {
		name             string
		err              error
		english, russian string
	}{
		{"one", missing, "there is no a.yaml", "нет a.yaml"},
		{"wrapped", i18n.Errorf("read %s: %w", "b", missing), "read b: there is no a.yaml", "прочитать b: нет a.yaml"},
		{"in a type that adds nothing", code{missing}, "there is no a.yaml", "нет a.yaml"},
		{"in an error of others", fmt.Errorf("open: %w", missing), "open: there is no a.yaml", "open: нет a.yaml"},
		{"joined", errors.Join(missing, i18n.Errorf("the end")), "there is no a.yaml\nthe end", "нет a.yaml\nконец"},
		{"of others", errors.New("who knows"), "who knows", "who knows"},
		{"of others, known", fmt.Errorf("open: %w", io.EOF), "open: EOF", "open: конец"},
		{"two in one", i18n.Errorf("%w: %w", missing, io.EOF), "there is no a.yaml: EOF", "нет a.yaml: конец"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (*i18n.Printer)(nil).Error(c.err); got != c.english {
				t.Errorf("in English it is %q", got)
			}
			if got := russian().Error(c.err); got != c.russian {
				t.Errorf("in Russian it is %q", got)
			}
		})
	}
}

func TestErrorfWraps(t *testing.T) {
	cause := i18n.Errorf("the end")
	err := i18n.Errorf("read %s: %w", "a", errors.Join(cause, io.EOF))
	for _, target := range []error{cause, io.EOF} {
		if !errors.Is(err, target) {
			t.Errorf("it is no %v", target)
		}
	}
	if _, ok := errors.AsType[*i18n.Error](fmt.Errorf("around: %w", err)); !ok {
		t.Error("it is not found in another")
	}
}

func TestTextInJSON(t *testing.T) {
	raw, err := json.Marshal(map[string]i18n.Text{"why": i18n.New("there is no %s", "a")})
	if err != nil || string(raw) != `{"why":"there is no a"}` {
		t.Errorf("%s, %v", raw, err)
	}
}

func TestPrinterOfManyGoroutines(t *testing.T) {
	p := russian()
	done := make(chan string)
	for i := range 8 {
		go func() { done <- p.Sprintf("%s at line %d", "a", i) }()
	}
	for range 8 {
		<-done
	}
}
