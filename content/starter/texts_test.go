package starter_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/schemas"
	"rulestore/server/calc"
)

// passage is one text that people read, or a code that stands in its place.
type passage struct {
	where  string // the item and the address of the section
	fields string // the names of the fields that lead to it: /rules/action/
	text   string
}

func (p passage) field() string {
	steps := strings.Split(strings.Trim(p.fields, "/"), "/")
	return steps[len(steps)-1]
}

// in says whether one of the fields leads to the text.
func (p passage) in(fields ...string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return strings.Contains(p.fields, "/"+f+"/") })
}

func (p passage) isProse() bool { return strings.Contains(p.text, " ") && isRussian(p.text) }

func isRussian(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) })
}

// russianWords takes a text apart; what a hyphen joins are two words.
func russianWords(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return !unicode.Is(unicode.Cyrillic, c) })
}

// tree reads a version as a tree of sections.
func tree(e *content.Entry) *document.Node {
	folder := content.FormatsOf(schemas.Embedded(), e.Kind, e.Name)
	return document.Read(e.Body(), schemas.Embedded().Schema(folder, e.Body().Text(e.Kind.Format)).Root())
}

// passages lists all texts of a version, and its change note.
func passages(e *content.Entry) (all []passage) {
	var visit func(n *document.Node, fields string)
	visit = func(n *document.Node, fields string) {
		if n.Kind == document.Text {
			all = append(all, passage{e.Item(), fields, n.Text})
		}
		for i := range n.Kids {
			k, own := &n.Kids[i], fields
			if n.Kind == document.Object {
				own += k.Name + "/"
			}
			visit(k, own)
		}
	}
	visit(tree(e), "/")
	return append(all, passage{e.Item(), "/change_note/", e.ChangeNote})
}

// sentences lists everything that people read of the current content, but for how people ask.
func sentences(t *testing.T) (all []passage) {
	t.Helper()
	for _, e := range currents(t) {
		for _, p := range passages(e) {
			if !p.in("search_terms") && !(p.in("words") && p.in("synonyms")) {
				all = append(all, p)
			}
		}
	}
	for _, c := range published(t).Snapshot.Changes {
		text := strings.Join(append([]string{c.Title, c.Summary}, c.Changes...), "\n")
		all = append(all, passage{"releases/" + c.Tag, "/", text})
	}
	return all
}

func russian(t *testing.T) []passage {
	t.Helper()
	return slices.DeleteFunc(sentences(t), func(p passage) bool { return !isRussian(p.text) || p.field() == "command" })
}

// quoting are the fields that say what must not be said: they quote it.
var quoting = strings.Fields(`
	prohibited prohibited_actions prohibited_ai_actions prohibited_attribution prohibited_claims prohibited_phrases
	prohibited_phrasing prohibited_statements prohibited_wordings guardrails`)

// slips are characters that do not stand beside each other.
var slips = []string{"  ", " ,", " ;", " :", " !", " ?", " .", " )", " »", "( ", "« ", " -", "..", ",,", ";;", "::", `"`}

// faults are what no text says; most are statements that an assistant would repeat to a person.
var faults = []struct {
	name, stems, text string // one of the stems is in every such text: they are quicker to look for
	unless            string // what the text says when it is right
	except            string // those that may say so
}{
	{"no space after a mark", "",
		`[,;:!?][а-яё]`, "", ""},
	{"a value of a program without its meaning", "true false null passed failed unverified unknown",
		`(^|[^(a-z_])(true|false|null|passed|failed|unverified|unknown)([.,;:)]|$| [^—])`, "", `releases/`},
	{"a value that is kept back", "сверк",
		`сверк[иа][^.]*число\s+не\s+называть`, "", ""},
	{"a promise of victory", "выигра побед",
		`(точно|обязательно|непременно|наверняка) (выигра|победит)|обеща(ть|ем) победу|гарант\S+ побед`, "", ""},
	{"a promise of a refund", "верн возврат",
		`(деньги|сумму|средства) (вам )?(гарантированно |точно |обязательно )?верн(ут|ём|ётся)|гарантир\S* возврат|обеща(ть|ем) возврат`, `не обещать возврат`, ""},
	{"a promise of income", "гарантирован обеспечен обещать",
		`(доход|прибыль|одобрение) (гарантирован[ао]?|обеспечен[ао]?)([^а-яё]|$)|обещать (одобрение|доход|доходность)`, "", ""},
	{"a statement of guilt", "доказан винов нарушил",
		`(нарушение|преступление|вина) (или преступление )?доказан[оа]?([^а-яё]|$)|(организация|банк|страховщик|человек)( или организация)? (виновн|виновен|нарушил)`, "", ""},
	// The law says so of a part of a contract, and of no contract in particular.
	{"a verdict on a contract", "незакон недействит ничтож",
		`(договор|условие) (незакон(ен|но)|недействител(ен|ьно)|ничтож(ен|но))([^а-яё]|$)`, `договор ничтожен в этой части`, ""},
	// What may be asked is whether, never what; some is asked not to be shown.
	{"a request for card data", "просить назовите сообщите пришлите введите укажите",
		`(^|[^а-яё])(спросить|попросить|просить|запросить|назовите|сообщите|пришлите|введите|укажите)[^.;:]{0,70}(cvv|пин-код|парол|номер карты|данные карты|код[аы]? из |код[аы]? подтверждения|паспорт)`, `не (просить|спрашивать|запрашивать)|никогда не|попросить закрыть`, ""},
	// A user may ask for it, and is told why not.
	{"the central bank as the user's bank", "россии",
		`банк россии (может |обязан |сразу |немедленно )*(вернёт|вернуть|возвратит|взыщет|возместит|заблокирует|отзовёт|спишет)|банк россии (ваш|банком|банк пользователя)`, `прос(ит|ят) банк россии`, ""},
	// What a law sets is read from the parameters, so that it cannot grow old in a text.
	{"a term or a sum", "рабоч календарн год лет руб ₽ миллион",
		`(\d|пятнадцат\S+|десят\S+|тридцат\S+|ст[ао] восьмидесят\S+) (рабоч|календарн)\S+ д|([^\d]|^)(3|тр(и|[её]х)) (года|лет)([^а-яё]|$)|тр[её]хлетн|полмиллиона|\d\s?(₽|руб)`, "", `parameters/`},
}

func TestFaults(t *testing.T) {
	all := russian(t)
	for _, f := range faults {
		text, unless, stems := regexp.MustCompile(f.text), regexp.MustCompile(f.unless), strings.Fields(f.stems)
		for _, p := range all {
			low := strings.ToLower(p.text)
			may := p.in(quoting...) || f.except != "" && strings.HasPrefix(p.where, f.except)
			stem := func(s string) bool { return strings.Contains(low, s) }
			if !may && (len(stems) == 0 || slices.ContainsFunc(stems, stem)) &&
				text.MatchString(low) && (f.unless == "" || !unless.MatchString(low)) {
				t.Errorf("%s %s says %s, %q: %s", p.where, p.fields, f.name, text.FindString(low), p.text)
			}
		}
	}
}

// corrected.txt has what led people to a false step once, and is not said again.
func TestSlips(t *testing.T) {
	corrected := strings.Split(strings.TrimSpace(string(must(os.ReadFile("testdata/corrected.txt"))(t))), "\n")
	for _, p := range russian(t) {
		text := strings.ToLower(p.text)
		for _, slip := range slices.Concat(slips, corrected) {
			if strings.Contains(text, slip) {
				t.Errorf("%s: %q in %q", p.where, slip, p.text)
			}
		}
		if strings.Count(p.text, "«") != strings.Count(p.text, "»") {
			t.Errorf("%s: quotation marks do not match in %q", p.where, p.text)
		}
		words := strings.Fields(p.text)
		for i, w := range words[1:] {
			if w == words[i] && utf8.RuneCountInString(w) > 2 && isRussian(w) {
				t.Errorf("%s: %q twice in %q", p.where, w, p.text)
			}
		}
	}
}

// A word is spelled with ё everywhere or nowhere, but for pairs of words and what people search for.
func TestYo(t *testing.T) {
	different := strings.Fields("все счета чем нем осел")
	forms, all := map[string]string{}, sentences(t)
	for _, p := range all {
		for _, w := range russianWords(strings.ToLower(p.text)) {
			if strings.Contains(w, "ё") {
				forms[strings.ReplaceAll(w, "ё", "е")] = w
			}
		}
	}
	for _, p := range all {
		for _, w := range russianWords(strings.ToLower(p.text)) {
			if forms[w] != "" && !slices.Contains(different, w) && !p.in("synonyms") {
				t.Errorf("%s: %s, elsewhere %s", p.where, w, forms[w])
			}
		}
	}
}

var (
	latin     = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_-]*(?:[./][A-Za-z0-9{}_-]+)*`)
	fieldName = regexp.MustCompile(`"([a-z0-9_]+)":`)
)

// No English is left over but codes, and each of them is one: it stands in a field of its own
// somewhere, or names a field, a calculation or an address. A misspelt one would lead nowhere.
// latin.txt has those that no field of the content has: names of things that are called so in
// Russian too, of headers and values, and of what calculations answer and requests carry.
func TestOnlyCodesAreInEnglish(t *testing.T) {
	known := map[string]bool{}
	for _, w := range strings.Fields(string(must(os.ReadFile("testdata/latin.txt"))(t))) {
		known[w] = true
	}
	for tool := range calc.New().Tools() {
		known[tool.ID] = true
	}
	for _, e := range currents(t) {
		known[e.ID()], known[e.Name], known[strings.TrimPrefix(e.Kind.ItemPath(e.Name), "/")] = true, true, true
		for _, name := range fieldName.FindAllSubmatch(e.Body().AppendJSON(nil), -1) {
			known[string(name[1])] = true
		}
		for _, p := range passages(e) {
			if !p.isProse() {
				known[p.text] = true
			}
		}
	}
	for _, p := range sentences(t) {
		if !p.isProse() || p.field() == "command" {
			continue
		}
		for _, w := range latin.FindAllString(p.text, -1) {
			if !known[strings.TrimSuffix(w, "-")] {
				t.Errorf("%s: %q in %q", p.where, w, p.text)
			}
		}
	}
}

// What is not in the dictionary is in words.txt: names, abbreviations, colloquial and new words.
func TestSpelling(t *testing.T) {
	all := sentences(t)
	for name, schema := range schemas.Embedded().Documents() {
		all = append(all, passage{"schemas/" + name, "/", string(schema())})
	}
	places := map[string]string{}
	for _, p := range all {
		for _, w := range russianWords(p.text) {
			if places[w] == "" {
				places[w] = p.where
			}
		}
	}
	var in, out, complaint bytes.Buffer
	for w := range places {
		fmt.Fprintln(&in, w)
	}
	c := exec.CommandContext(t.Context(), "hunspell", "-d", "ru_RU", "-i", "UTF-8", "-l")
	c.Stdin, c.Stdout, c.Stderr = &in, &out, &complaint
	if err := c.Run(); err != nil || complaint.Len() > 0 {
		t.Skipf("hunspell or its Russian dictionary: apt-get install hunspell hunspell-ru (%v %s)", err, &complaint)
	}
	own := strings.Fields(string(must(os.ReadFile("testdata/words.txt"))(t)))
	for _, w := range strings.Fields(out.String()) {
		if !slices.Contains(own, strings.ToLower(w)) {
			t.Errorf("%s: %s", w, places[w])
		}
	}
}
