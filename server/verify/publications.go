package verify

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"rulestore/content"
)

// upcomingPath is the path of announced publications.
const upcomingPath = "/api/v1/upcoming"

// Texts of many differences.
const (
	theStatus   = "status"
	theBody     = "the body"
	aJSONObject = "a JSON object"
	recomputed  = "recomputed checksum"
	notListed   = "not listed among the publications"
)

// publication checks the response at the permanent path of a publication.
func (v *verifier) publication(t content.Tag, s content.Seal, a response, r *report) {
	v.count(&v.result.Publications)
	switch {
	case a.status == http.StatusOK:
		v.body(t, s, a, r)
	case a.status == http.StatusGone:
		var problem struct {
			Checksum string `json:"content_checksum"`
		}
		if err := json.Unmarshal(a.body, &problem); err != nil {
			r.differ(s.Tag, theBody, aJSONObject, err.Error())
			return
		}
		r.same(s.Tag, "content_checksum", s.Checksum, problem.Checksum)
		v.redacted(s, a, r)
	case a.status == http.StatusNotFound && v.files:
		v.redacted(s, a, r)
	default:
		r.differ(s.Tag, theStatus, "200 or 410", strconv.Itoa(a.status))
	}
}

// body recomputes the checksum of a publication and compares the members that identify it.
func (v *verifier) body(t content.Tag, s content.Seal, a response, r *report) {
	item, sum, err := read(a.body)
	if err != nil {
		r.differ(s.Tag, theBody, aJSONObject, err.Error())
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
		r.differ(s.Tag, "published_at", s.PublishedAt.Format(time.RFC3339), item.Text("published_at"))
	}
	if l := v.ledger; l != nil && l.must.of(s, content.Redacted) {
		r.differ(s.Tag, theStatus, "410, as it is redacted in the signed log", "200")
	}
	if l := v.ledger; l != nil && l.must[s.Tag][content.Archived] {
		r.same(s.Tag, theStatus, string(content.Archived), item.Text("status"))
	}
	switch e := v.known[s.Tag]; {
	case e != nil && e.Status == content.Redacted:
		r.differ(s.Tag, theStatus, "410, as it is redacted in the repository", "200")
	case e != nil && !turned(e, item.Text("status")):
		r.same(s.Tag, theStatus, string(e.Status), item.Text("status"))
	}
}

// turned reports whether a status differs from that in the repository by the day alone, on which it is time to check
// a version again: an export is of another day, and so is a server around midnight.
func turned(e *content.Entry, status string) bool {
	byDay := []string{string(content.Current), string(content.ReviewRequired)}
	return e.Since == "" && e.Kind.Expires && e.RecheckAfter() != "" &&
		slices.Contains(byDay, string(e.Status)) && slices.Contains(byDay, status)
}

// redacted checks that what is not served any more was redacted.
func (v *verifier) redacted(s content.Seal, a response, r *report) {
	v.count(&v.result.Redacted)
	if l := v.ledger; l != nil && !l.may.of(s, content.Redacted) {
		r.differ(s.Tag, theStatus, "200, as no mark in the signed log redacts it", strconv.Itoa(a.status))
	}
	if e := v.known[s.Tag]; e != nil && e.Status != content.Redacted {
		r.differ(s.Tag, theStatus, "200, as it is not redacted in the repository", strconv.Itoa(a.status))
	}
	if v.files {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.missing[s.Tag] = true
	}
}

// versions reads which versions of an item an export says are redacted: of these it has no files.
func (v *verifier) versions(t content.Tag, a response, r *report) {
	var list struct{ Versions []content.Object }
	if err := json.Unmarshal(a.body, &list); err != nil {
		r.differ(t.Item()+" (versions)", theBody, aJSONObject, err.Error())
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, o := range list.Versions {
		v.statuses[t.Item()+"/v"+o.Text(t.Kind.Version)] = o.Text("status")
	}
}

// explainMissing finds versions that an export has no files of, and does not call redacted.
func (v *verifier) explainMissing() {
	for tag := range v.missing {
		if status := v.statuses[tag]; status != string(content.Redacted) {
			v.differ(tag, theStatus, status, string(content.Redacted))
		}
	}
}

// current checks the response at the address of an item without a version: it is the current version in
// the repository; it is no lower than the highest that counts in the log, as a higher one may have had a
// temporary mark; and it is listed.
func (v *verifier) current(item string, k *content.Kind, a response, r *report) {
	what, known, highest := item+" (current)", v.currents[item], v.highest[item]
	if known != nil {
		v.count(&v.result.Current)
	}
	if a.status != http.StatusOK {
		if known != nil || highest.Kind != nil { // not every item has a current version
			r.differ(what, theStatus, "200", strconv.Itoa(a.status))
		}
		return
	}
	o, sum, err := read(a.body)
	if err != nil {
		r.differ(what, theBody, aJSONObject, err.Error())
		return
	}
	found := o.Text(k.Version)
	tag := item + "/v" + found
	served, err := content.ParseTag(tag)
	switch {
	case known != nil:
		r.same(what, k.Version, known.Version.String(), found)
		r.same(what, recomputed, known.Checksum, sum)
	case highest.Kind != nil && (err != nil || served.Version.LessThan(highest.Version)):
		r.differ(what, k.Version, highest.Version.String(), found)
	case v.sums[tag] == "":
		r.differ(what, k.Version, notListed, found)
	default:
		r.same(what, recomputed, v.sums[tag], sum)
	}
	if v.ledger != nil && v.ledger.must[tag][content.Archived] {
		r.differ(what, k.Version, "another, as this one is archived in the signed log", found)
	}
	if v.ledger != nil && v.ledger.must[item][content.Archived] {
		r.same(what, theStatus, string(content.Archived), o.Text("status"))
	}
}

// upcoming checks announced publications: each checksum is that of its body and, of a
// repository on the same day, it is what the repository announces.
func (v *verifier) upcoming(a response, r *report) {
	if a.status == http.StatusNotFound && v.Repository == nil {
		return // other versions of the server may not have it
	}
	var list struct {
		Upcoming []struct {
			Tag      string
			Checksum string `json:"content_checksum"`
			Body     json.RawMessage
		}
	}
	if err := json.Unmarshal(a.body, &list); err != nil || a.status != http.StatusOK {
		r.differ(upcomingPath, theBody, aJSONObject, string(a.body))
		return
	}
	said := map[string]string{}
	for _, u := range list.Upcoming {
		_, sum, err := read(u.Body)
		if err != nil {
			r.differ(u.Tag, theBody, aJSONObject, err.Error())
			continue
		}
		r.same(u.Tag, recomputed, u.Checksum, sum)
		said[u.Tag] = u.Checksum
	}
	if v.ledger != nil {
		v.ahead(said, time.Now(), r)
	}
	if v.Repository == nil {
		return
	}
	known := map[string]*content.Publication{}
	for _, p := range v.Repository.Upcoming {
		known[p.Tag()] = p
		if said[p.Tag()] == "" && v.known[p.Tag()] == nil {
			r.differ(p.Tag(), "not listed as upcoming", p.Checksum, "")
		}
	}
	for tag, sum := range said {
		switch p := known[tag]; {
		case p != nil:
			r.same(tag, "checksum in the repository", p.Checksum, sum)
		case v.known[tag] == nil: // otherwise its day has begun meanwhile
			r.differ(tag, "upcoming, and not in the repository", "", sum)
		}
	}
}

// compareLists compares the server's list of publications with the repository.
func (v *verifier) compareLists(listed []content.Seal) {
	served := map[string]content.Seal{}
	for _, s := range listed {
		served[s.Tag] = s
	}
	var r report
	for tag, e := range v.known {
		s, ok := served[tag]
		if !ok {
			r.differ(tag, "not served", e.Checksum, "")
			continue
		}
		r.same(tag, "checksum in the repository", e.Checksum, s.Checksum)
		if !e.PublishedAt.Equal(s.PublishedAt) {
			r.differ(
				tag, "date in the repository", e.PublishedAt.Format(time.RFC3339), s.PublishedAt.Format(time.RFC3339),
			)
		}
	}
	v.add(r)
}

// read returns an item and its checksum. Duplicate fields are an error, as parsers interpret
// them differently.
func read(raw []byte) (item content.Object, sum string, err error) {
	var fields map[string]jsontext.Value
	if err := strict.Unmarshal(raw, &fields); err != nil {
		return nil, "", err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		item = append(item, content.Member{Name: name, Value: json.RawMessage(fields[name])})
	}
	sum, err = content.Checksum(item)
	return item, sum, err
}
