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

// texts looks at what readers will see.
func (r *reviewer) texts(o *opened, values parameterNumbers, ids identifiers) {
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

// isName reports whether a text is one of the names by which people call something.
func isName(at []string) bool {
	return slices.Contains(at, "synonyms") || slices.Contains(at, "search_terms")
}

// mixes finds words of a text that mix alphabets: readers see the word that is meant,
// and no search and no program finds it.
func (r *reviewer) mixes(o *opened, at []string, text string) {
	if !mayMix(text) {
		return
	}
	for _, w := range mixedWords(text) {
		if isJoined(w.text) || r.isFull(o.doc.Path, content.Warning) {
			continue
		}
		f := o.doc.finding(at, w.problem())
		f.Severity = content.Warning
		f.Line, f.Column = o.doc.place(o.doc.at(at), text[:w.at], w.text, w.nth)
		r.addFinding(f)
	}
}

// russian says whether readers expect Russian.
func (r *reviewer) russian() bool {
	return r.Settings == nil || r.Settings.DefaultLanguage == "ru"
}

func hasCyrillic(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) })
}

// signs are what authors write who think that texts are Markdown or HTML. Texts
// are plain: the Markdown that is served escapes all of it.
var signs = []sign{
	{"**", regexp.MustCompile(`\*\*[^*\s][^*]*\*\*`)},
	{"__", regexp.MustCompile(`(^|\s)__[^_\s][^_]*__`)},
	{"[…](…)", regexp.MustCompile(`\[[^\]\n]+\]\([^)\s]+\)`)},
	{"`", regexp.MustCompile("`[^`]+`")},
	{"#", regexp.MustCompile(`(?m)^#{1,6} \S`)},
	{content.Word("list"), regexp.MustCompile(`(?m)^ *([-*+•]|\d+[.)]) +\S[^\n]*\n+ *([-*+•]|\d+[.)]) +\S`)},
	{content.Word("table"), regexp.MustCompile(`(?m)^\|.*\|$`)},
	{content.Word("markup tag"), regexp.MustCompile(`(?i)</?(b|i|u|a|p|br|ul|ol|li|em|strong|table|tr|td|h[1-6]|div|span)(\s[^>]*)?/?>`)},
	{content.Word("markup entity"), regexp.MustCompile(`&(nbsp|amp|lt|gt|quot|mdash|ndash|laquo|raquo);`)},
}

// sign is what is written, or what people call it.
type sign struct {
	name any // a text or a word
	form *regexp.Regexp
}

// markup names the first sign of markup in a text, nil if there is none.
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

// parameterValue is a number that a law sets, in the forms that texts write.
type parameterValue struct {
	id   string
	form *regexp.Regexp
}

// units are what texts write after a number, by the unit of the parameter.
var units = map[string]string{
	"RUB":          `(?:руб|₽)`,
	"business_day": `рабоч\p{L}* дн`,
	"calendar_day": `(?:календарн\p{L}* )?дн`,
	"month":        `месяц`,
	"year":         `(?:год|лет)`,
	"percent":      `(?:%|процент)`,
}

// parameterNumbers are the values of parameters, by the number.
type parameterNumbers map[string][]parameterValue

// parameterValues returns the numbers that texts should not repeat: those of today.
func parameterValues(files []*opened, today string) parameterNumbers {
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
		form, err := regexp.Compile(`(?i)(?:^|[^\d.,\x{00A0} ]|[^\d.,][\x{00A0} ])(` + grouped(p.Value.String()) + `[\x{00A0} -]?` + units[p.Unit] + `\p{L}*)`)
		if err == nil {
			all[p.Value.String()] = append(all[p.Value.String()], parameterValue{o.Name, form})
		}
	}
	return all
}

// grouped returns a pattern for a number with or without spaces between groups
// of three digits, and with either sign before its decimals.
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

// in returns the parameters whose values a text has. Parameters describe
// themselves and each other.
func (v parameterNumbers) in(o *opened, text string) (found []parameterValue) {
	if len(v) == 0 || o.Kind == content.Parameters || o.Kind == content.Calendars || !strings.ContainsAny(text, "0123456789") {
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

// meant leaves those of several parameters that a file refers to: thirty days are the
// value of many, and say by themselves of none.
func (o *opened) meant(found []parameterValue) []parameterValue {
	if len(found) < 2 {
		return found
	}
	return slices.DeleteFunc(found, func(p parameterValue) bool {
		return !slices.ContainsFunc(o.References, func(ref content.Reference) bool { return path.Base(ref.Item) == p.id })
	})
}
