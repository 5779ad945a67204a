package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/citation"
	"rulestore/server/calc"
)

// MaxCitations is the maximum number of citations in one check, MaxCalculations that of
// calculations.
const MaxCitations, MaxCalculations = 200, 20

// MaxCitedText is the maximum length of a text with citations, in characters.
const MaxCitedText = 8000

// maxCited is the maximum length of a citation's field, in characters.
const maxCited = 300

// Citations are the sources of an answer given elsewhere: versions, and calculations.
type Citations struct {
	Versions     []citation.Found
	Left         int // versions cited in a text beyond the maximum, which are not checked
	Calculations []calc.StoredAnswer
}

// sentCitations is a request to check citations.
type sentCitations struct {
	Citations    []citation.Citation `json:"citations"`
	Text         string              `json:"text"`
	At           string              `json:"at"`
	Calculations []json.RawMessage   `json:"calculations"`
}

// ReadCitations parses a request: {"citations": [{id, version, content_checksum, at?}], "text":
// a text that contains citations, "at": the day that these are checked for, "calculations":
// [answers, or what [calc.ReadRecord] needs of them]}, any of which may be missing. The result
// is valid only if there are no faults.
func (s *Site) ReadCitations(raw []byte) (all Citations, faults []calc.Fault) {
	var sent sentCitations
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&sent); err != nil || d.More() {
		return all, []calc.Fault{{
			Code: "type", Detail: "Ожидается объект с цитатами.",
			Hint: `Например: {"citations":[{"id":"…","version":"1.0.0","content_checksum":"sha256:…",` +
				`"at":"2026-05-01"}]}; текст с цитатами — в text; расчёты — в calculations; других полей нет.`,
		}}
	}
	return s.readCitations(sent)
}

func (s *Site) readCitations(sent sentCitations) (all Citations, faults []calc.Fault) {
	fault := func(pointer, code, detail, hint string) {
		if len(faults) < 20 {
			faults = append(faults, calc.Fault{Pointer: pointer, Code: code, Detail: detail, Hint: hint})
		}
	}
	versions, calculations := len(sent.Citations), len(sent.Calculations)
	if limits := "Цитат должно быть от 1 до " + strconv.Itoa(MaxCitations) + "."; versions > MaxCitations {
		fault("/citations", "out_of_range", limits, "Разделите запрос.")
	} else if versions+calculations == 0 && sent.Text == "" {
		fault("/citations", "out_of_range", limits, "Пришлите хотя бы одну.")
	}
	if calculations > MaxCalculations {
		fault(
			"/calculations", "out_of_range", "Расчётов должно быть не больше "+strconv.Itoa(MaxCalculations)+".",
			"Разделите запрос.",
		)
	}
	if utf8.RuneCountInString(sent.Text) > MaxCitedText {
		fault(
			"/text", "too_long", fmt.Sprintf("Текст длиннее %d знаков.", MaxCitedText),
			"Оставьте в нём только цитаты или разделите его.",
		)
	}
	if !isDay(sent.At) {
		fault("/at", "no_date", noDate, dateHint)
	}
	if len(faults) > 0 {
		return all, faults
	}
	for i, c := range sent.Citations {
		checkFields(c, func(field, code, detail, hint string) {
			fault(fmt.Sprintf("/citations/%d/%s", i, field), code, detail, hint)
		})
		all.Versions = append(all.Versions, citation.Found{Citation: c})
	}
	if sent.Text != "" {
		found, left := citation.Find(sent.Text, func(id string) bool { return s.itemsByName()[id] != nil })
		if len(found) == 0 {
			fault(
				"/text", "no_citation", "В тексте нет ни контрольной суммы, ни адреса, ни версии.",
				"Вставьте цитату целиком: так, как она была дана.",
			)
		}
		for i := range found {
			found[i].At = sent.At
		}
		all.Versions, all.Left = append(all.Versions, found...), left
	}
	for i, kept := range sent.Calculations {
		record, err := calc.ReadRecord(kept)
		if wrong, ok := errors.AsType[*calc.Error](err); ok {
			at := fmt.Sprintf("/calculations/%d", i)
			if len(wrong.Faults) == 0 {
				fault(at, wrong.Code, wrong.Detail, "Возьмите ответ расчёта целиком или без schedule и trace.")
			}
			for _, f := range wrong.Faults {
				fault(at+f.Pointer, f.Code, f.Detail+".", f.Hint+".")
			}
		}
		all.Calculations = append(all.Calculations, record)
	}
	return all, faults
}

const noDate, dateHint = "Ожидается дата.", "Запишите день как 2026-05-01."

// isDay reports whether a text is a day, or empty.
func isDay(s string) bool {
	_, err := time.Parse(content.Date, s)
	return err == nil || s == ""
}

// checkFields reports invalid fields of a citation.
func checkFields(c citation.Citation, fault func(field, code, detail, hint string)) {
	for _, f := range []struct {
		name, value string
		required    bool
	}{
		{"id", c.ID, true}, {"version", c.Version, true}, {"section", c.Section, false}, {"title", c.Title, false},
		{"section_title", c.SectionTitle, false}, {"published_at", c.Published, false},
		{"publisher", c.Publisher, false},
	} {
		if f.required && f.value == "" || utf8.RuneCountInString(f.value) > maxCited {
			fault(
				f.name, "required", "Значение не указано или слишком длинное.",
				fmt.Sprintf("Не больше %d знаков.", maxCited),
			)
		}
	}
	if !content.ValidChecksum(c.Checksum) {
		fault(
			"content_checksum", "no_checksum", "Ожидается контрольная сумма.",
			"sha256: и 64 шестнадцатеричные цифры, строчными буквами.",
		)
	}
	if !isDay(c.At) {
		fault("at", "no_date", noDate, dateHint)
	}
}

// CheckCitations checks for each citation whether the version has that checksum, and whether it
// was current at the end of the day and is now, and for each calculation whether it gives that
// answer.
func (s *Site) CheckCitations(all Citations) *Resource {
	checked := sync.OnceValue(func() []checked { return s.check(all.Versions) })
	return jsonResource(func() Body {
		var o object
		o.value("total", len(all.Versions)+len(all.Calculations))
		o.text("date", s.Snapshot.Date)
		o.fetchedAt()
		o.array("citations", bodies(checked(), s.checkedJSON))
		o.count("citations_left", all.Left)
		if len(all.Calculations) > 0 {
			o.array("calculations", bodies(all.Calculations, s.checkCalculation))
		}
		return o.end()
	}).withMarkdown(func() []byte { return s.checkedMarkdown(checked(), all) })
}

func (s *Site) checkCalculation(r calc.StoredAnswer) Body {
	var o object
	o.text("tool_id", r.ToolID)
	o.text("tool_version", r.ToolVersion)
	o.text("receipt", r.Receipt)
	result, differs := Replay(s.config.Math, s.Snapshot, r)
	o.text("result", result)
	o.texts("differs", differs)
	if now, ok := s.config.Math.Tool(r.ToolID); ok && now.Version != r.ToolVersion {
		o.text("newer", now.Version)
	}
	return o.end()
}
