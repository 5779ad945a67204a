package check

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"rulestore/content"
)

// texts checks the texts that readers see.
func (r *reviewer) texts(o *File, values parameterNumbers, ids identifiers) {
	o.each(func(at []string, value any, f *content.Field) {
		text, ok := value.(string)
		if !ok || !f.Prose {
			return
		}
		if f.Name == "title" && r.russian() && !hasCyrillic(text) {
			r.add(o, at, content.Warning, say("not-russian", "title", args{"title": text}))
		}
		if sign := markup(text); sign != nil {
			r.add(o, at, content.Warning, say("markup", "sign", args{"sign": sign}))
		}
		r.mixes(o, at, text)
		r.mentions(o, at, text, ids)
		if isName(at) {
			return
		}
		for _, p := range values.in(o, text) {
			r.add(o, at, content.Warning, say(
				"value-in-text", "value", args{"parameter": p.id, "value": p.form.FindStringSubmatch(text)[1]},
			))
		}
	})
}

// isName reports whether a text is a name that people use for something.
func isName(at []string) bool {
	return slices.Contains(at, "synonyms") || slices.Contains(at, "search_terms")
}

// mixes finds words that mix alphabets: readers do not see the difference, but searches fail.
func (r *reviewer) mixes(o *File, at []string, text string) {
	for _, w := range mixedWords(text) {
		if isJoined(w.text) || r.isFull(o.doc.Path, content.Warning) {
			continue
		}
		r.addWord(o, at, text[:w.at], w.text, w.nth, w.problem())
	}
}

// russian reports whether the content is in Russian.
func (r *reviewer) russian() bool {
	return r.Settings == nil || r.Settings.DefaultLanguage == "ru"
}

func hasCyrillic(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) })
}

// signs are markup of Markdown and HTML that authors use by mistake. Texts are plain: it is
// escaped in the Markdown that is served.
var signs = []sign{
	{"**", regexp.MustCompile(`\*\*[^*\s][^*]*\*\*`)},
	{"__", regexp.MustCompile(`(^|\s)__[^_\s][^_]*__`)},
	{"[…](…)", regexp.MustCompile(`\[[^\]\n]+\]\([^)\s]+\)`)},
	{"`", regexp.MustCompile("`[^`]+`")},
	{"#", regexp.MustCompile(`(?m)^#{1,6} \S`)},
	{content.Word("list"), regexp.MustCompile(`(?m)^ *([-*+•]|\d+[.)]) +\S[^\n]*\n+ *([-*+•]|\d+[.)]) +\S`)},
	{content.Word("table"), regexp.MustCompile(`(?m)^\|.*\|$`)},
	{
		content.Word("markup tag"),
		regexp.MustCompile(`(?i)</?(b|i|u|a|p|br|ul|ol|li|em|strong|table|tr|td|h[1-6]|div|span)(\s[^>]*)?/?>`),
	},
	{content.Word("markup entity"), regexp.MustCompile(`&(nbsp|amp|lt|gt|quot|mdash|ndash|laquo|raquo);`)},
}

// sign is a kind of markup.
type sign struct {
	name any // a string as written, or a content.Word
	form *regexp.Regexp
}

// markup returns the name of the first markup in a text, nil if there is none.
func markup(text string) any {
	if !strings.ContainsAny(text, "*_[`#|<&\n") {
		return nil
	}
	i := slices.IndexFunc(signs, func(s sign) bool { return s.form.MatchString(text) })
	if i < 0 {
		return nil
	}
	return signs[i].name
}

// parameterValue is the number of a parameter, in the forms used in texts.
type parameterValue struct {
	id   string
	form *regexp.Regexp
}

// units has the words after a number in texts, by the unit of the parameter.
var units = map[string]string{
	"RUB":          `(?:руб|₽)`,
	"business_day": `рабоч\p{L}* дн`,
	"calendar_day": `(?:календарн\p{L}* )?дн`,
	"month":        `месяц`,
	"year":         `(?:год|лет)`,
	"percent":      `(?:%|процент)`,
}

// parameterNumbers are the current values of parameters, by number.
type parameterNumbers map[string][]parameterValue

// parameterValues returns today's values of parameters, which texts should not repeat.
func parameterValues(files []*File, today string) parameterNumbers {
	all := parameterNumbers{}
	for _, o := range files {
		var p struct {
			Value json.Number
			Unit  string
		}
		if o.Kind != content.Parameters || json.Unmarshal(o.Body.AppendJSON(nil), &p) != nil {
			continue
		}
		for _, v := range content.ValuesOf(o.Body) {
			if v.Has(today) {
				p.Unit = cmp.Or(v.Fields.Text("unit"), p.Unit)
				_ = json.Unmarshal(v.Fields.Get("value"), &p.Value)
			}
		}
		if p.Value == "" || units[p.Unit] == "" {
			continue
		}
		form, err := regexp.Compile(
			`(?i)(?:^|[^\d.,\x{00A0} ]|[^\d.,][\x{00A0} ])(` + grouped(p.Value.String()) + `[\x{00A0} -]?` +
				units[p.Unit] + `\p{L}*)`,
		)
		if err == nil {
			all[p.Value.String()] = append(all[p.Value.String()], parameterValue{o.Name, form})
		}
	}
	return all
}

// grouped returns a pattern for a number with or without spaces between groups of three
// digits, and with a point or a comma before the decimals.
func grouped(number string) string {
	whole, decimals, _ := strings.Cut(number, ".")
	var b strings.Builder
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(`[\x{00A0}\x{202F} ]?`)
		}
		b.WriteRune(c)
	}
	if decimals != "" {
		b.WriteString("[.,]" + decimals)
	}
	return b.String()
}

// numbers matches digits, spaces between them, and decimals.
var (
	numbers   = regexp.MustCompile(`\d+(?:[\x{00A0}\x{202F} ]\d{3})*(?:[.,]\d+)?`)
	ungrouped = strings.NewReplacer("\u00A0", "", "\u202F", "", " ", "", ",", ".")
)

// in returns the parameters whose values a text repeats. Texts of parameters are not
// searched.
func (v parameterNumbers) in(o *File, text string) (found []parameterValue) {
	if len(v) == 0 || o.Kind == content.Parameters || o.Kind == content.Calendars ||
		!strings.ContainsAny(text, "0123456789") {
		return nil
	}
	for _, n := range numbers.FindAllString(text, -1) {
		for _, p := range v[ungrouped.Replace(n)] {
			if p.form.MatchString(text) && !slices.Contains(found, p) {
				found = append(found, p)
			}
		}
	}
	return o.meant(found)
}

// meant returns those parameters to which the file refers, if several have the same value.
func (o *File) meant(found []parameterValue) []parameterValue {
	if len(found) < 2 {
		return found
	}
	return slices.DeleteFunc(found, func(p parameterValue) bool {
		return !slices.ContainsFunc(
			o.References, func(ref content.Reference) bool { return path.Base(ref.Item) == p.id },
		)
	})
}
