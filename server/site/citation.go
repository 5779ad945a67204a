package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/server/calc"
)

// CitationsPath is where citations are checked.
const CitationsPath = "/api/v1/citations"

// MaxCitations is how many citations are checked at once, MaxCalculations how many
// calculations.
const MaxCitations, MaxCalculations = 200, 20

// maxCited is how many characters a field of a citation may have.
const maxCited = 300

// Citation is what an answer given elsewhere says it was made from.
type Citation struct {
	ID       string `json:"id"` // of the item, or folder and name
	Version  string `json:"version"`
	Checksum string `json:"content_checksum"`
	At       string `json:"at,omitempty"` // the day, "" if it is not said
}

// Citations are what an answer given elsewhere was made from: versions, and calculations.
type Citations struct {
	Versions     []Citation
	Calculations []calc.Record
}

// ReadCitations reads citations as they are sent: {"citations": [{id, version,
// content_checksum, at?}], "calculations": [answers, or what [calc.ReadRecord] needs of
// them]}, either of which may be missing. They count only if there are no faults.
func ReadCitations(raw []byte) (all Citations, faults []calc.Fault) {
	fault := func(pointer, code, detail, hint string) {
		if len(faults) < 20 {
			faults = append(faults, calc.Fault{Pointer: pointer, Code: code, Detail: detail, Hint: hint})
		}
	}
	var sent struct {
		Citations    []Citation        `json:"citations"`
		Calculations []json.RawMessage `json:"calculations"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&sent); err != nil || d.More() {
		fault("", "type", "Ожидается объект с цитатами.", `Например: {"citations":[{"id":"…","version":"1.0.0","content_checksum":"sha256:…","at":"2026-05-01"}]}; расчёты — в calculations; других полей нет.`)
		return all, faults
	}
	versions, calculations := len(sent.Citations), len(sent.Calculations)
	if versions > MaxCitations || versions+calculations == 0 {
		fault("/citations", "out_of_range", "Цитат должно быть от 1 до "+strconv.Itoa(MaxCitations)+".", "Разделите запрос.")
	}
	if calculations > MaxCalculations {
		fault("/calculations", "out_of_range", "Расчётов должно быть не больше "+strconv.Itoa(MaxCalculations)+".", "Разделите запрос.")
	}
	if len(faults) > 0 {
		return all, faults
	}
	for i, c := range sent.Citations {
		at := func(field string) string { return fmt.Sprintf("/citations/%d/%s", i, field) }
		for _, f := range []struct{ name, value string }{{"id", c.ID}, {"version", c.Version}} {
			if f.value == "" || utf8.RuneCountInString(f.value) > maxCited {
				fault(at(f.name), "required", "Значение не указано или слишком длинное.", fmt.Sprintf("Не больше %d знаков.", maxCited))
			}
		}
		if !content.ValidChecksum(c.Checksum) {
			fault(at("content_checksum"), "no_checksum", "Ожидается контрольная сумма.", "sha256: и 64 шестнадцатеричные цифры, строчными буквами.")
		}
		if _, err := time.Parse(content.Date, c.At); err != nil && c.At != "" {
			fault(at("at"), "no_date", "Ожидается дата.", "Запишите день как 2026-05-01.")
		}
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
	all.Versions = sent.Citations
	return all, faults
}

// What a citation comes to.
const (
	citationMatches  = "matches"        // the version has that checksum
	citationOther    = "other_checksum" // the version was published, with another one
	citationUnknown  = "unknown"        // this site cannot tell: it knows no such version
	citationRedacted = "redacted"       // it matches, and was taken away
)

// CheckCitations says of each citation whether the version has that checksum, and whether it
// was current on the day and is now, and of each calculation whether it comes to that answer.
// A day counts for both versions that were current on it.
func (s *Site) CheckCitations(all Citations) *Resource {
	return jsonResource(func() Body {
		var o object
		o.value("total", len(all.Versions)+len(all.Calculations))
		o.text("date", s.Snapshot.Date)
		o.fetchedAt()
		o.array("citations", bodies(all.Versions, s.checkCitation))
		if len(all.Calculations) > 0 {
			o.array("calculations", bodies(all.Calculations, s.checkCalculation))
		}
		return o.end()
	})
}

func bodies[T any](all []T, body func(T) Body) []Body {
	out := make([]Body, len(all))
	for i, one := range all {
		out[i] = body(one)
	}
	return out
}

func (s *Site) checkCalculation(r calc.Record) Body {
	var o object
	o.text("tool_id", r.ToolID)
	o.text("tool_version", r.ToolVersion)
	o.text("receipt", r.Receipt)
	result, differs := Replay(s.config.Math, s.Snapshot, r)
	o.text("result", result)
	if len(differs) > 0 {
		o.value("differs", differs)
	}
	if now, ok := s.config.Math.Tool(r.ToolID); ok && now.Version != r.ToolVersion {
		o.text("newer", now.Version)
	}
	return o.end()
}

func (s *Site) checkCitation(c Citation) Body {
	var o object
	o.text("id", c.ID)
	o.text("version", c.Version)
	item, e := s.cited(c)
	if e == nil {
		o.text("result", citationUnknown)
		return o.end()
	}
	switch {
	case e.Checksum != c.Checksum:
		o.text("result", citationOther)
		o.text("content_checksum", e.Checksum)
	case e.Status == content.Redacted:
		o.text("result", citationRedacted)
		o.optional("status_reason", e.Reason)
	default:
		o.text("result", citationMatches)
	}
	o.text("status", string(e.Status))
	if c.At != "" && c.At <= s.Snapshot.Date {
		o.value("current_then", s.currentOn(item, e, c.At))
	}
	o.value("current_now", item.Current == e)
	if now := item.Current; now != nil && now.Version.GreaterThan(e.Version) {
		o.text("newer", now.Version.String())
	}
	if index, ok := s.Logged(e.Publication); ok {
		o.value("log_index", index)
	}
	if e.Status != content.Redacted {
		o.text("canonical_url", s.URL(e.Path()))
	}
	return o.end()
}

// currentOn reports whether a version was current on a day, from its first moment to its
// last.
func (s *Site) currentOn(item *content.Item, e *content.Entry, day string) bool {
	before := day
	if t, err := time.Parse(content.Date, day); err == nil {
		before = t.AddDate(0, 0, -1).Format(content.Date)
	}
	return s.Snapshot.On(day).Current(item) == e || s.Snapshot.On(before).Current(item) == e
}

// calledOnce lists the items by what citations call them: id, name, folder and name.
func (s *Site) calledOnce() func() map[string][]*content.Item {
	return sync.OnceValue(func() map[string][]*content.Item {
		all := make(map[string][]*content.Item, 2*len(s.Snapshot.Items))
		for _, it := range s.Snapshot.Items {
			names := []string{it.ID(), it.Name, it.Entries[0].Publication.ID()}
			slices.Sort(names)
			for _, name := range slices.Compact(names) {
				all[name] = append(all[name], it)
			}
		}
		return all
	})
}

// cited returns the version that a citation names. Several items can have one id: the one
// counts whose version has the checksum, else the first that has such a version.
func (s *Site) cited(c Citation) (item *content.Item, entry *content.Entry) {
	for _, it := range s.called()[c.ID] {
		i := slices.IndexFunc(it.Entries, func(e *content.Entry) bool { return !e.Draft && e.Version.String() == c.Version })
		if i >= 0 && (entry == nil || it.Entries[i].Checksum == c.Checksum) {
			item, entry = it, it.Entries[i]
		}
	}
	return item, entry
}
