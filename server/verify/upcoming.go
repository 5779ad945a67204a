package verify

import (
	"encoding/json"
	"net/http"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
)

// upcomingPath is the path of announced publications.
const upcomingPath = "/api/v1/upcoming"

// upcoming checks announced publications: each checksum is that of its body and, of a
// repository on the same day, it is what the repository announces.
func (v *verifier) upcoming(a answer, r *report) {
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
		r.differ(upcomingPath, theBody, aJSONObject, clip(string(a.body)))
		return
	}
	said := map[string]string{}
	for _, u := range list.Upcoming {
		_, sum, err := read(u.Body)
		if err != nil {
			r.differ(clip(u.Tag), theBody, aJSONObject, err)
			continue
		}
		r.same(clip(u.Tag), recomputed, u.Checksum, sum)
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
			r.differ(p.Tag(), i18n.New("not listed as upcoming"), p.Checksum, "")
		}
	}
	for tag, sum := range said {
		switch p := known[tag]; {
		case p != nil:
			r.same(tag, i18n.New("checksum in the repository"), p.Checksum, sum)
		case v.known[tag] == nil: // otherwise its day has begun meanwhile
			r.differ(clip(tag), i18n.New("upcoming, and not in the repository"), "", clip(sum))
		}
	}
}
