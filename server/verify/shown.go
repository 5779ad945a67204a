package verify

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/content/log"
)

// lists are the requests for the lists of items, by kind.
func (v *verifier) lists(highest map[string]content.Tag, sums map[string]string) (jobs []job) {
	for _, k := range content.Kinds {
		if k.List {
			check := func(a answer, r *report) { v.listed(k, highest, sums, a, r) }
			jobs = append(jobs, job{view: plain(k.Path, k.Path, anyJSON()), check: check})
		}
	}
	return jobs
}

// listed checks the list of the items of a kind: each element is a version in the list of
// publications, without a repository has the title of that version, and, of those highest in the
// log, no item that counts is missing.
func (v *verifier) listed(
	k *content.Kind, highest map[string]content.Tag, sums map[string]string, a answer, r *report,
) {
	missing := map[string]bool{} // items
	for item, t := range highest {
		if t.Kind == k && !v.ledgers.of(item).may[item][content.Archived] {
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

// checkTitle compares the title of a version with the one that was shown first, without a
// repository.
func (v *verifier) checkTitle(tag, by string, shown content.Object, r *report) {
	if v.Repository == nil && v.Markdown != nil {
		title := shown.Text("title")
		v.checkSame(tag, "title", i18n.New("%s: %q", by, clip(title)), []byte(title), r)
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

// ahead checks announced publications against the log: they are in it, and all of it is
// announced.
func (v *verifier) ahead(said map[string]string, now time.Time, r *report) {
	sealed := map[string]bool{}
	for l, s := range v.ledgers.seals() {
		sealed[s.Tag+s.Checksum] = true
		soon := now.Add(time.Minute) // the day may begin during the run
		if !s.PublishedAt.Before(soon) && l.isValid(s) && said[s.Tag] == "" {
			r.differ(s.Tag, i18n.New("not listed as upcoming"), s.Checksum, "")
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(said)) {
		if !sealed[tag+said[tag]] {
			r.differ(clip(tag), i18n.New("not in the signed log"), "", clip(said[tag]))
		}
	}
}

// apiRoot is the prefix of the paths of versions.
const apiRoot = "/api/v1/"

// maxLonger is the maximum number of longer heads kept: few are signed during a run.
const maxLonger = 16

// addLonger stores a head with more leaves than were read: either signed meanwhile, or of
// another log.
func (v *verifier) addLonger(l *signedLog, head log.Checkpoint) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(l.longer) < maxLonger {
		l.longer[head] = true
	}
}

// checkLonger checks that the longer heads are consistent with the leaves that were read.
func (v *verifier) checkLonger(ctx context.Context) {
	for _, l := range v.ledgers {
		for head := range l.longer {
			longer, err := v.leaves(ctx, l.by, head)
			if err == nil {
				err = longer.Follows(l.Head(head.Origin), head)
			}
			v.distrust(l.by, err)
		}
	}
}
