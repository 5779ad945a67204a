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

// listed checks the list of the items of a kind: each element is a sealed version in the list
// of publications, and no item that counts is missing.
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
	for _, o := range listOf(a.body) {
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
		t, _ := content.ParseTag(tag) // valid, parsed before
		delete(missing, t.Item())
	}
	for _, item := range slices.Sorted(maps.Keys(missing)) {
		r.differ(k.Path, item, i18n.New("in the signed log, and not served"), strconv.Itoa(a.status))
	}
}

// listOf returns the list of objects in a response.
func listOf(body []byte) (elements []content.Object) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(body, &members) // if it is invalid, all items are missing
	for _, value := range members {
		if json.Unmarshal(value, &elements) == nil && elements != nil {
			return elements
		}
	}
	return nil
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
