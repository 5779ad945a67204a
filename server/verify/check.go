package verify

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"rulestore/content"
	"rulestore/content/i18n"
)

// publication checks the response at the permanent path of a publication.
func (v *verifier) publication(t content.Tag, s content.Seal, a answer, r *report) {
	v.count(&v.result.Publications)
	switch a.status {
	case http.StatusOK:
		if l := v.ledger; l != nil && l.must.of(s, content.Redacted) {
			r.differ(s.Tag, theStatus, i18n.New("410, as it is redacted in the signed log"), "200")
		}
		v.body(t, s, a, r)
	case http.StatusGone:
		v.count(&v.result.Redacted)
		v.redacted(s, a, r)
	case http.StatusNotFound:
		if v.files { // see compareStatuses
			v.count(&v.result.Redacted)
			v.setStatus(v.served, s.Tag, content.Redacted)
			return
		}
		fallthrough
	default:
		r.differ(s.Tag, theStatus, i18n.New("200 or 410"), strconv.Itoa(a.status))
	}
}

// setStatus records the status of a publication.
func (v *verifier) setStatus(statuses map[string]content.Status, tag string, status content.Status) {
	v.mu.Lock()
	defer v.mu.Unlock()
	statuses[tag] = status
}

// body recomputes the checksum of a publication and compares the members that identify it.
func (v *verifier) body(t content.Tag, s content.Seal, a answer, r *report) {
	item, sum, err := read(a.body)
	if err != nil {
		r.differ(s.Tag, theBody, aJSONObject, err)
		return
	}
	r.same(s.Tag, recomputed, s.Checksum, sum)
	r.same(s.Tag, "content_checksum", s.Checksum, item.Text("content_checksum"))
	if sent := a.header.Get("X-Content-Checksum"); sent != "" || !v.files {
		r.same(s.Tag, "X-Content-Checksum", s.Checksum, sent)
	}
	r.same(s.Tag, "checksum_algorithm", content.Algorithm, item.Text("checksum_algorithm"))
	r.same(s.Tag, t.Kind.Version, t.Version.String(), item.Text(t.Kind.Version))
	if t.Kind.NameIsID {
		r.same(s.Tag, t.Kind.ID, t.Name, item.Text(t.Kind.ID))
	}
	if at, err := time.Parse(time.RFC3339, item.Text("published_at")); err != nil || !at.Equal(s.PublishedAt) {
		r.differ(s.Tag, "published_at", s.PublishedAt.Format(time.RFC3339), clip(item.Text("published_at")))
	}
	if l := v.ledger; l != nil && l.must[s.Tag][content.Archived] {
		r.same(s.Tag, "status", string(content.Archived), item.Text("status"))
	}
	v.setStatus(v.served, s.Tag, content.Status(item.Text("status")))
	v.checkSame(s.Tag, jsonType, "JSON", a.body, r)
	v.checkTitle(s.Tag, "JSON", item, r)
	if v.same && v.chosen[s.Tag] {
		if text := v.Markdown(t, item); text != nil {
			v.checkSame(s.Tag, markdownType, i18n.New("JSON, rendered"), text, r)
		}
	}
	if e := v.known[s.Tag]; e != nil && e.Status == content.Redacted {
		r.differ(s.Tag, theStatus, i18n.New("410, as it is redacted in the repository"), "200")
	}
}

// read returns an item and its checksum. Duplicate fields are an error, as parsers interpret
// them differently.
func read(raw []byte) (content.Object, string, error) {
	item, err := object(raw)
	if err != nil {
		return nil, "", err
	}
	sum, err := content.Checksum(item)
	return item, sum, err
}

// object parses the fields of an object in one pass, for speed; their values are parts of the
// text.
func object(raw []byte) (item content.Object, err error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true)) // a Buffer avoids a copy
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, cmp.Or(err, errNoObject)
	}
	seen := map[string]bool{}
	for d.PeekKind() == '"' {
		t, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name := t.String()
		if seen[name] {
			return nil, i18n.Errorf("the field %q stands twice", clip(name))
		}
		seen[name] = true
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		end := d.InputOffset()
		item = append(item, content.Member{Name: name, Value: json.RawMessage(raw[end-int64(len(value)) : end : end])})
	}
	if _, err := d.ReadToken(); err != nil { // the end of the object, or an error
		return nil, err
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, cmp.Or(err, errNoObject)
	}
	return item, nil
}

// errNoObject is the error for a text that is not a single JSON object.
var errNoObject = i18n.Errorf("it is not one JSON object and nothing else")

// redacted checks what is served of a redacted version.
func (v *verifier) redacted(s content.Seal, a answer, r *report) {
	var problem struct {
		Checksum string `json:"content_checksum"`
	}
	if err := json.Unmarshal(a.body, &problem); err != nil {
		r.differ(s.Tag, theBody, aJSONObject, err)
		return
	}
	r.same(s.Tag, "content_checksum", s.Checksum, problem.Checksum)
	v.setStatus(v.served, s.Tag, content.Redacted)
	if l := v.ledger; l != nil && !l.may.of(s, content.Redacted) {
		r.differ(s.Tag, theStatus, i18n.New("200, as no mark in the signed log redacts it"), "410")
	}
	if e := v.known[s.Tag]; e != nil && e.Status != content.Redacted {
		r.differ(s.Tag, theStatus, i18n.New("200, as it is not redacted in the repository"), "410")
	}
}

// current checks that the address without a version serves the current one.
func (v *verifier) current(e *content.Entry, a answer, r *report) {
	v.count(&v.result.Current)
	what := i18n.New("%s (current)", e.Item())
	if a.status != http.StatusOK {
		r.differ(what, theStatus, "200", strconv.Itoa(a.status))
		return
	}
	item, sum, err := read(a.body)
	if err != nil {
		r.differ(what, theBody, aJSONObject, err)
		return
	}
	r.same(what, e.Kind.Version, e.Version.String(), item.Text(e.Kind.Version))
	r.same(what, recomputed, e.Checksum, sum)
}

// compareLists compares the server's list of publications with the repository.
func (v *verifier) compareLists(listed []content.Seal) {
	served := map[string]content.Seal{}
	for _, s := range listed {
		served[s.Tag] = s
	}
	for tag, e := range v.known {
		s, ok := served[tag]
		if !ok {
			v.differ(tag, i18n.New("not served"), e.Checksum, "")
			continue
		}
		if e.Checksum != s.Checksum {
			v.differ(tag, i18n.New("checksum in the repository"), e.Checksum, s.Checksum)
		}
		if !e.PublishedAt.Equal(s.PublishedAt) {
			v.differ(
				tag, i18n.New("date in the repository"), e.PublishedAt.Format(time.RFC3339),
				s.PublishedAt.Format(time.RFC3339),
			)
		}
	}
}

// entries returns the versions in a snapshot by tag; nil without a snapshot.
func entries(s *content.Snapshot) map[string]*content.Entry {
	if s == nil {
		return nil
	}
	all := map[string]*content.Entry{}
	for _, it := range s.Items {
		for _, e := range it.Entries {
			all[e.Tag()] = e
		}
	}
	return all
}
