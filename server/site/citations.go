package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/server/api"
	"rulestore/server/calc"
)

// MaxCitations is the maximum number of citations in one check.
const MaxCitations = 200

// maxCited is the maximum length of an id or a version in a citation, in characters.
const maxCited = 300

// Citation names a version as an earlier answer relied on it.
type Citation struct {
	ID       string `json:"id"` // of the item, its name, or folder and name
	Version  string `json:"version"`
	Checksum string `json:"content_checksum"`
	At       string `json:"at,omitempty"` // the day of that answer, 2026-05-01
}

// ReadCitations parses a request: {"citations": [{id, version, content_checksum, at?}]}. The
// result is valid only if there are no faults.
func ReadCitations(raw []byte) (all []Citation, faults []calc.Fault) {
	var sent struct {
		Citations []Citation `json:"citations"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(&sent)
	if _, after := d.Token(); err != nil || after != io.EOF {
		return nil, []calc.Fault{{
			Code: "type", Detail: "Ожидается объект с цитатами.",
			Hint: `Например: {"citations":[{"id":"…","version":"1.0.0","content_checksum":"sha256:…",` +
				`"at":"2026-05-01"}]}; других полей нет.`,
		}}
	}
	if n := len(sent.Citations); n == 0 || n > MaxCitations {
		hint := "Разделите запрос."
		if n == 0 {
			hint = "Пришлите хотя бы одну."
		}
		return nil, []calc.Fault{{
			Pointer: "/citations", Code: "out_of_range",
			Detail: "Цитат должно быть от 1 до " + strconv.Itoa(MaxCitations) + ".", Hint: hint,
		}}
	}
	for i, c := range sent.Citations {
		faults = append(faults, c.faults(fmt.Sprintf("/citations/%d/", i))...)
	}
	return sent.Citations, faults[:min(len(faults), 20)]
}

// faults are those of the fields, below a pointer.
func (c Citation) faults(below string) (all []calc.Fault) {
	for _, f := range []struct{ name, value string }{{"id", c.ID}, {"version", c.Version}} {
		fault := calc.Fault{Pointer: below + f.name}
		switch {
		case f.value == "":
			fault.Code, fault.Detail, fault.Hint = calc.FaultRequired, "Значение не указано.", "Укажите его."
		case utf8.RuneCountInString(f.value) > maxCited:
			fault.Code, fault.Detail = "too_long", "Значение слишком длинное."
			fault.Hint = fmt.Sprintf("Не больше %d знаков.", maxCited)
		default:
			continue
		}
		all = append(all, fault)
	}
	if !content.ValidChecksum(c.Checksum) {
		all = append(all, calc.Fault{
			Pointer: below + "content_checksum", Code: "no_checksum", Detail: "Ожидается контрольная сумма.",
			Hint: "sha256: и 64 шестнадцатеричные цифры, строчными буквами.",
		})
	}
	if !IsDay(c.At) {
		all = append(all, calc.Fault{
			Pointer: below + "at", Code: "no_date", Detail: "Ожидается дата.", Hint: "Запишите день как 2026-05-01.",
		})
	}
	return all
}

// IsDay reports whether a text is a day, or empty.
func IsDay(s string) bool {
	_, err := time.Parse(content.Date, s)
	return err == nil || s == ""
}

// CheckCitations checks for each citation whether the version has that checksum, and whether it
// was current at the end of the day and is now.
func (s *Site) CheckCitations(all []Citation) *Resource {
	return jsonResource(func() Body {
		var o object
		o.value("total", len(all))
		o.text("date", s.Snapshot.Date)
		o.fetchedAt()
		o.array("citations", bodies(all, s.checkCitation))
		return o.end()
	})
}

func (s *Site) checkCitation(c Citation) Body {
	item, e := s.cited(c)
	var o object
	o.text("id", c.ID)
	o.text("version", c.Version)
	o.text("result", citationResult(c, e))
	if e == nil {
		o.value("item_known", item != nil)
	}
	if e == nil || e.Checksum != c.Checksum {
		if other := s.published(c.Checksum); other != nil {
			o.text("checksum_of", other.Tag())
		}
	}
	if e == nil {
		return o.end()
	}
	o.text("tag", e.Tag())
	if e.Checksum != c.Checksum {
		o.text("content_checksum", e.Checksum)
	}
	o.optional("status_reason", e.Reason)
	o.text("status", string(e.Status))
	s.addDay(&o, item, e, c.At)
	o.value("current_now", item.Current == e)
	if now := item.Current; now != nil && now.Version.GreaterThan(e.Version) {
		o.text("newer", now.Version.String())
		if isReadable(e) && isReadable(now) {
			o.text("change", s.changeClass(e, now).String())
		}
	}
	o.logIndex(s.log, e.Publication)
	if e.Status != content.Redacted {
		o.text("canonical_url", s.URL(e.Path()))
	}
	return o.end()
}

// citationResult compares a citation with the version that it names; e is nil if this site does
// not know that version.
func citationResult(c Citation, e *content.Entry) string {
	switch {
	case e == nil:
		return "unknown"
	case e.Checksum != c.Checksum:
		return "other_checksum"
	case e.Status == content.Redacted:
		return "redacted"
	}
	return "matches"
}

// addDay adds whether the version was current at the end of a day, as as_of answers it, and which
// version was in force on it. It adds nothing without a day, and for a future one.
func (s *Site) addDay(o *object, item *content.Item, e *content.Entry, day string) {
	if day == "" || day > s.Snapshot.Date {
		return
	}
	current := s.OnDay(item, day, "")
	o.value("current_then", current == e)
	applied := current
	if api.HasPeriods(item.Kind) {
		applied = s.OnDay(item, day, day)
	}
	if applied != nil {
		o.text("in_force_then", applied.Version.String())
	}
}

// indexItems indexes the items by the names used in citations: id, name, folder and name, and the
// end of the address.
func (s *Site) indexItems() map[string][]*content.Item {
	all := make(map[string][]*content.Item, 3*len(s.Snapshot.Items))
	for _, it := range s.Snapshot.Items {
		e := it.Entries[0]
		names := []string{
			it.ID(), it.Name, e.Publication.ID(), strings.TrimPrefix(it.Kind.ItemPath(it.Name), "/api/v1/"),
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			all[name] = append(all[name], it)
		}
	}
	return all
}

// cited returns the item and the version of a citation, nil if unknown. If several items have
// the id, it is the one whose version has the checksum, else the first with such a version.
func (s *Site) cited(c Citation) (item *content.Item, entry *content.Entry) {
	for _, it := range s.itemsByName()[c.ID] {
		i := slices.IndexFunc(it.Entries, func(e *content.Entry) bool {
			return !e.Draft && e.Version.String() == c.Version
		})
		switch {
		case i >= 0 && (entry == nil || it.Entries[i].Checksum == c.Checksum):
			item, entry = it, it.Entries[i]
		case item == nil:
			item = it
		}
	}
	return item, entry
}

// changeClass is the class of the change from a version to the current one. Those of recent citations are cached.
func (s *Site) changeClass(from, to *content.Entry) change.Class {
	return remembered(&s.recent, [2]*content.Publication{from.Publication, to.Publication}, func() (change.Class, int) {
		_, class := change.Count(s.Schemas, from.Kind, from.Name, from.Body(), to.Body())
		return class, maxChangeClass
	})
}

// maxChangeClass is about the size of what is cached of a change, in bytes.
const maxChangeClass = 128
