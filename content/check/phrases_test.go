package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/language"

	"rulestore/content"
)

// sentence is what the code says somewhere: a message or a hint of a rule.
type sentence struct {
	at, rule, key string
	names         []string
}

// sentences collects what all code of this module says.
func sentences(t *testing.T) (all []sentence, words map[string]string) {
	t.Helper()
	words = map[string]string{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncDecl); ok && f.Recv == nil && (f.Name.Name == "say" || f.Name.Name == "Say") {
				return false // the function itself
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			where := set.Position(call.Pos()).String()
			switch name := called(call.Fun); name {
			case "content.Say", "Say", "say":
				if name != "say" || !strings.HasPrefix(path, "../../server/") { // where it writes
					all = append(all, said(t, where, call))
				}
			case "content.Word", "crashed", "run":
				for _, e := range call.Args {
					if word, ok := literal(e); ok && (name == "content.Word" || strings.Contains(word, "ing ")) {
						words[word] = where
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, words
}

// called returns the name of a function that is called, with its package if that is
// content.
func called(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "content" {
			return "content." + f.Sel.Name
		}
		if f.Sel.Name == "crashed" || f.Sel.Name == "run" {
			return f.Sel.Name
		}
	}
	return ""
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// said reads one call. What it says is written there, so that it can be checked against the
// files.
func said(t *testing.T, where string, call *ast.CallExpr) (s sentence) {
	t.Helper()
	s.at = where
	var isRule, isKey bool
	if len(call.Args) == 3 {
		s.rule, isRule = literal(call.Args[0])
		s.key, isKey = literal(call.Args[1])
	}
	if !isRule || !isKey {
		t.Errorf("%s: the rule and the key have to be written there", where)
		return s
	}
	switch named := call.Args[2].(type) {
	case *ast.Ident: // nil
		if named.Name != "nil" {
			t.Errorf("%s: the arguments have to be written there", where)
		}
	case *ast.CompositeLit:
		for _, e := range named.Elts {
			pair, _ := e.(*ast.KeyValueExpr)
			name, ok := "", pair != nil
			if ok {
				name, ok = literal(pair.Key)
			}
			if !ok {
				t.Errorf("%s: the names of the arguments have to be written there", where)
			}
			s.names = append(s.names, name)
		}
	default:
		t.Errorf("%s: the arguments have to be written there", where)
	}
	slices.Sort(s.names)
	return s
}

// What the code says has words, with a place for each argument that it gives, and no
// words are left that nothing says.
func TestEverySentenceHasWords(t *testing.T) {
	all, words := sentences(t)
	if len(all) < 150 {
		t.Fatalf("only %d sentences were found", len(all))
	}
	used := map[string]bool{"/guess": true}
	for _, s := range all {
		used[s.rule+"/"+s.key] = true
		messages, hints := phrasesOf(s.rule)
		message, isMessage := messages[s.key]
		hint, isHint := hints[s.key]
		if !isMessage && !isHint {
			t.Errorf("%s: the rule %q has no words for %q", s.at, s.rule, s.key)
			continue
		}
		places := slices.Concat(message.english.names(), hint.english.names())
		slices.Sort(places)
		if places = slices.Compact(places); !slices.Equal(places, s.names) {
			t.Errorf("%s: %s/%s is given %v and has places for %v", s.at, s.rule, s.key, s.names, places)
		}
	}
	for _, rule := range append(Rules(), Rule{}) {
		messages, hints := phrasesOf(rule.ID)
		for _, key := range slices.Concat(slices.Collect(maps.Keys(messages)), slices.Collect(maps.Keys(hints))) {
			if !used[rule.ID+"/"+key] {
				t.Errorf("nothing says %s/%s", rule.ID, key)
			}
		}
	}
	for word, where := range words {
		if _, ok := shared().words[content.Word(word)]; !ok {
			t.Errorf("%s: there is no word %q", where, word)
		}
	}
}

// phrasesOf returns the sentences of a rule, or what rules share.
func phrasesOf(rule string) (messages, hints phrases) {
	if rule == "" {
		return nil, shared().hints
	}
	r, _ := RuleOf(rule)
	return r.messages, r.hints
}

// Every sentence is there in both languages, with the same arguments; those that go by a
// number have as many forms as the language has.
func TestEverySentenceIsInBothLanguages(t *testing.T) {
	for _, rule := range append(Rules(), Rule{}) {
		messages, hints := phrasesOf(rule.ID)
		for section, all := range map[string]phrases{"messages": messages, "hints": hints} {
			for key, p := range all {
				t.Run(rule.ID+"/"+section+"/"+key, func(t *testing.T) { inBoth(t, p) })
			}
		}
		if title, advice := rule.Told(language.Russian); rule.ID != "" &&
			(!isRussian(title) || !isRussian(advice) || !strings.HasSuffix(advice, ".")) {
			t.Errorf("%s: %q, %q", rule.ID, title, advice)
		}
		if rule.ID != "" && len(messages) == 0 {
			t.Errorf("%s has no message", rule.ID)
		}
	}
	for word, p := range shared().words {
		t.Run("words/"+string(word), func(t *testing.T) { inBoth(t, p) })
	}
}

func inBoth(t *testing.T, p phrase) {
	english, russian := p.english.fill(nil, language.English), p.russian.fill(nil, language.Russian)
	if !slices.Equal(p.english.names(), p.russian.names()) {
		t.Errorf("%s names %v, %s names %v", english, p.english.names(), russian, p.russian.names())
	}
	hasArguments := slices.ContainsFunc(p.russian, func(p piece) bool { return p.name != "" })
	if english == "" || isRussian(english) || !isRussian(russian) && !hasArguments {
		t.Errorf("%q, %q", english, russian)
	}
	for forms, t2 := range map[int]template{2: p.english, 3: p.russian} {
		for _, part := range t2 {
			if part.forms != nil && len(part.forms) != forms {
				t.Errorf("%v: %d forms", part.forms, forms)
			}
		}
	}
}

func isRussian(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) })
}

// The word that goes with a number is the one that Russian has for it.
func TestForms(t *testing.T) {
	days := parseTemplate("{n} {n|день|дня|дней}")
	for n, want := range map[int]string{
		0: "0 дней", 1: "1 день", 2: "2 дня", 4: "4 дня", 5: "5 дней", 11: "11 дней", 12: "12 дней", 14: "14 дней",
		21: "21 день", 22: "22 дня", 25: "25 дней", 101: "101 день", 111: "111 дней", 1002: "1002 дня", -1: "-1 день",
	} {
		t.Run(want, func(t *testing.T) {
			if got := days.fill(args{"n": n}, language.Russian); got != want {
				t.Error(got)
			}
			if got := days.fill(args{"n": float64(n)}, language.Russian); got != want {
				t.Error(got)
			}
		})
	}
	for n, want := range map[int]string{0: "0 days", 1: "1 day", 2: "2 days", 21: "21 days"} {
		t.Run(want, func(t *testing.T) {
			if got := parseTemplate("{n} {n|day|days}").fill(args{"n": n}, language.English); got != want {
				t.Error(got)
			}
		})
	}
}

// A sentence in pieces that do not fit together is told all the same.
func TestSentencesThatDoNotFit(t *testing.T) {
	for _, c := range []struct {
		name string
		says content.RuleText
		want string
	}{
		{"no rule", say("nonsense", "key", args{"a": 1}), `key a="1"`},
		{"no words", say("key", "nonsense", args{"b": "x\n", "a": content.Word("or")}), `nonsense a="or" b="x\n"`},
		{"an argument is missing", say("duplicate-key", "twice", args{"line": 3}),
			`the field "{field}" is written twice`},
		{"one is surplus", say("lfs", "pointer", args{"line": 3}),
			"the file is a Git LFS pointer, its content is elsewhere"},
		{"of another type", say("length", "short", args{"got": "x", "want": []string{"a", "b"}}),
			"x characters are too few, at least a, b are needed"},
		{"that is nothing", say("mention", "id", args{"id": nil}), `the text names "<nil>", and no item has that id`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := Find(c.says)
			if f.Message != c.want {
				t.Errorf("%q", f.Message)
			}
			if message, hint := Text(f, language.Russian); message == "" || strings.Contains(hint, "\n") {
				t.Errorf("%q, %q", message, hint)
			}
		})
	}
}

// names lists the arguments of a sentence, sorted.
func (t template) names() (names []string) {
	for _, p := range t {
		if p.name != "" && !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	slices.Sort(names)
	return names
}
