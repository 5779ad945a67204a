package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
)

// The media types of responses.
const (
	jsonType     = "application/json"
	markdownType = "text/markdown"
)

// anyJSON is one of the values of Accept that ask for JSON.
func anyJSON() string { return oneOf([]string{jsonType, jsonType, "*/*", ""}) }

// statement is the first text of a version in a media type.
type statement struct {
	sum [sha256.Size]byte
	by  i18n.Text // the request
	bad bool      // another one was reported
}

// checkSame compares a text with the first one of the same version and media type. It reports one
// difference of each.
func (v *verifier) checkSame(tag, mediaType string, by any, text []byte, r *report) {
	now := statement{sum: sha256.Sum256(withoutTime(text)), by: textOf(by)}
	v.mu.Lock()
	defer v.mu.Unlock()
	key := tag + "\x00" + mediaType
	before, known := v.said[key]
	switch {
	case !known:
		v.said[key] = now
	case before.sum != now.sum && !before.bad:
		before.bad = true
		v.said[key] = before
		r.differ(i18n.New("%s as %s", tag, mediaType), i18n.New("disagrees with itself"), sumOf(before), sumOf(now))
	}
}

func sumOf(s statement) i18n.Text {
	return i18n.New("%s, from %s", "sha256 "+hex.EncodeToString(s.sum[:8]), s.by)
}

// checkTitle compares the title of a version with the one that was shown first.
func (v *verifier) checkTitle(tag, by string, shown content.Object, r *report) {
	title := shown.Text("title")
	v.checkSame(tag, "title", i18n.New("%s: %q", by, clip(title)), []byte(title), r)
}

// choose chooses the publications of which other forms are requested.
func (v *verifier) choose(listed []content.Seal) {
	v.chosen = map[string]bool{}
	for _, i := range rand.Perm(len(listed))[:min(len(listed), large)] {
		v.chosen[listed[i].Tag] = true
	}
	v.result.Sampled = len(v.chosen) < len(listed)
}

// sumsOf are the checksums of publications by tag.
func sumsOf(listed []content.Seal) map[string]string {
	sums := map[string]string{}
	for _, s := range listed {
		sums[s.Tag] = s.Checksum
	}
	return sums
}

// forms are the requests for what else is served of the chosen publications: their Markdown, the
// versions of their items, the addresses without a version, and the lists of kinds.
func (v *verifier) forms(listed []content.Seal) (jobs []job) {
	items := map[string][]content.Seal{}
	chosen := map[string]bool{}
	for _, s := range listed {
		t := s.Named()
		items[t.Item()] = append(items[t.Item()], s)
		chosen[t.Item()] = chosen[t.Item()] || v.chosen[s.Tag] || v.files
		if v.chosen[s.Tag] {
			jobs = append(jobs, get(i18n.New("%s as Markdown", s.Tag), v.markdownPath(pathOf(t)), markdownType,
				func(a answer, r *report) { v.markdown(s, a, r) }))
		}
	}
	for item, seals := range items {
		if !chosen[item] {
			continue
		}
		t := seals[0].Named()
		path := t.Kind.ItemPath(t.Name)
		jobs = append(jobs, get(i18n.New("%s (versions)", item), path+"/versions", jsonType,
			func(a answer, r *report) { v.versions(seals, a, r) }))
		jobs = append(jobs, get(i18n.New("%s (current)", item), path, jsonType,
			func(a answer, r *report) { v.unversioned(t, a, r) }))
	}
	highest, sums := map[string]content.Tag{}, sumsOf(listed)
	if v.ledger != nil {
		highest = v.ledger.highest(listed)
	}
	for _, k := range content.Kinds {
		if k.List {
			jobs = append(jobs, get(k.Path, k.Path, anyJSON(),
				func(a answer, r *report) { v.listed(k, highest, sums, a, r) }))
		}
	}
	return jobs
}

// markdownPath is the path of the Markdown of a resource.
func (v *verifier) markdownPath(path string) string {
	if v.files {
		return path + ".md"
	}
	return path
}

// markdown checks a publication as Markdown.
func (v *verifier) markdown(s content.Seal, a answer, r *report) {
	switch a.status {
	case http.StatusOK:
		v.checkSame(s.Tag, markdownType, "Markdown", a.body, r)
	case http.StatusGone, http.StatusNotFound: // JSON is asked for too
	default:
		r.differ(i18n.New("%s as Markdown", s.Tag), theStatus, i18n.New("200 or 410"), strconv.Itoa(a.status))
	}
}

// versions compares the list of an item's versions with the list of publications.
func (v *verifier) versions(seals []content.Seal, a answer, r *report) {
	t := seals[0].Named()
	what := i18n.New("%s (versions)", t.Item())
	var list struct{ Versions []content.Object }
	if err := json.Unmarshal(a.body, &list); err != nil {
		r.differ(what, theBody, aJSONObject, err)
		return
	}
	listed := map[string]string{}
	for _, o := range list.Versions {
		tag := t.Item() + "/v" + o.Text(t.Kind.Version)
		listed[tag] = o.Text("content_checksum")
		v.setStatus(v.told, tag, content.Status(o.Text("status")))
	}
	for _, s := range seals {
		r.same(what, s.Tag, s.Checksum, listed[s.Tag])
		delete(listed, s.Tag)
	}
	for tag, sum := range listed {
		r.differ(what, clip(tag), i18n.New("not listed among the publications"), clip(sum))
	}
}

// compareStatuses compares the status of each publication with that in the list of versions. What an
// export has no file of has to be redacted there.
func (v *verifier) compareStatuses() {
	for tag, status := range v.served {
		if told := v.told[tag]; told != status && (told != "" || v.files && status == content.Redacted) {
			v.differ(tag, theStatus, clip(string(told)), clip(string(status)))
		}
	}
}

// unversioned compares the response at the address without a version with the version that it
// names.
func (v *verifier) unversioned(t content.Tag, a answer, r *report) {
	if a.status != http.StatusOK {
		return // not every item has a current version
	}
	item, _, err := read(a.body)
	if err != nil {
		r.differ(i18n.New("%s (current)", t.Item()), theBody, aJSONObject, err)
		return
	}
	v.checkSame(t.Item()+"/v"+clip(item.Text(t.Kind.Version)), jsonType, i18n.New("the current one"), a.body, r)
}

// apiRoot is the prefix of the paths of versions.
const apiRoot = "/api/v1/"

// listed checks the list of the items of a kind: each element is a version in the list of
// publications and has the title of that version, and, of those highest in the log, no item that
// counts is missing.
func (v *verifier) listed(
	k *content.Kind, highest map[string]content.Tag, sums map[string]string, a answer, r *report,
) {
	missing := map[string]bool{} // items
	for item, t := range highest {
		if t.Kind == k && !v.ledger.may[item][content.Archived] {
			missing[item] = true
		}
	}
	tags := map[string]string{} // by the paths of versions
	for tag := range sums {
		if t, err := content.ParseTag(tag); err == nil && t.Kind == k {
			tags[pathOf(t)] = tag
		}
	}
	elements, err := listOf(a.body, k.Folder)
	if err != nil && len(tags) > 0 { // other versions of the server may not have the kind
		r.differ(k.Path, theBody, aJSONObject, err)
		return
	}
	for _, o := range elements {
		_, path, _ := strings.Cut(o.Text("canonical_url"), apiRoot)
		tag := tags[apiRoot+path]
		if tag == "" {
			r.differ(
				k.Path, clip(o.Text("canonical_url")), i18n.New("not listed among the publications"),
				clip(o.Text("content_checksum")),
			)
			continue
		}
		r.same(k.Path, tag, sums[tag], o.Text("content_checksum"))
		v.checkTitle(tag, k.Path, o, r)
		t, _ := content.ParseTag(tag) // valid, parsed before
		delete(missing, t.Item())
	}
	for _, item := range slices.Sorted(maps.Keys(missing)) {
		r.differ(k.Path, item, i18n.New("in the signed log, and not served"), strconv.Itoa(a.status))
	}
}

// listOf returns the list of objects in a response, by its name there.
func listOf(body []byte, name string) (elements []content.Object, err error) {
	list, err := object(body)
	if err != nil {
		return nil, err
	}
	var all []json.RawMessage
	if err := json.Unmarshal(list.Get(name), &all); err != nil {
		return nil, err
	}
	for _, one := range all {
		o, err := object(one)
		if err != nil {
			return nil, err
		}
		elements = append(elements, o)
	}
	return elements, nil
}
