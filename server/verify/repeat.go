package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"

	"rulestore/content"
	"rulestore/content/i18n"
)

// statement is the first text of a version in a media type.
type statement struct {
	sum [sha256.Size]byte
	by  i18n.Text // the request
}

// checkItem compares the JSON of a version with the earlier one, and its Markdown with that
// rendered from it.
func (v *verifier) checkItem(item content.Object, t content.Tag, a answer, r *report) {
	if v.Markdown == nil {
		return
	}
	tag := t.Item() + "/v" + t.Version.String()
	v.checkSame(tag, jsonType, "JSON", a.body, r)
	v.checkTitle(tag, "JSON", item, r)
	if v.named.Version != v.Version || !v.repeated[tag] {
		return
	}
	if text := v.Markdown(t, item); text != nil {
		v.checkSame(tag, markdownType, i18n.New("JSON, rendered"), text, r)
	}
}

// checkSame compares a text with the first one of the same version and media type.
func (v *verifier) checkSame(tag, mediaType string, by any, text []byte, r *report) {
	now := statement{sha256.Sum256(withoutTimes(text)), textOf(by)}
	v.mu.Lock()
	defer v.mu.Unlock()
	before, known := v.said[tag+"\x00"+mediaType]
	switch {
	case !known:
		v.said[tag+"\x00"+mediaType] = now
	case before.sum != now.sum:
		r.differ(i18n.New("%s as %s", tag, mediaType), i18n.New("disagrees with itself"), sumOf(before), sumOf(now))
	}
}

func sumOf(s statement) i18n.Text {
	return i18n.New("%s, from %s", "sha256 "+hex.EncodeToString(s.sum[:8]), s.by)
}

// repeats request the same publications in other forms: without a repository, the server's
// responses are compared with each other.
func (v *verifier) repeats(ctx context.Context, listed []content.Seal) []job {
	checks := map[request]func(answer, *report){}
	var views []view
	add := func(w view, check func(answer, *report)) {
		checks[w.request] = check
		views = append(views, w)
	}
	mcp := v.answersMCP(ctx)
	items, sums := map[string][]content.Seal{}, map[string]string{}
	most := maxViews
	if len(listed) > large {
		most = maxViewsOfLarge
	}
	v.repeated = v.choosePublications(listed, most/20) // each takes about ten more requests
	for _, s := range listed {
		t := s.Named()
		sums[s.Tag] = s.Checksum
		items[t.Item()] = append(items[t.Item()], s)
		if v.repeated[s.Tag] {
			v.repeat(s.Tag, pathOf(t), mcp, add)
		}
	}
	for _, seals := range items {
		if !slices.ContainsFunc(seals, func(s content.Seal) bool { return v.repeated[s.Tag] }) {
			continue
		}
		t := seals[0].Named()
		add(plain(
			i18n.New("%s (versions)", t.Item()), t.Kind.ItemPath(t.Name)+"/versions", jsonType,
		), func(a answer, r *report) { v.versions(seals, a, r) })
		add(plain(i18n.New("%s (current)", t.Item()), t.Kind.ItemPath(t.Name), jsonType), func(a answer, r *report) {
			v.unversioned(t, a, r)
		})
	}
	var jobs []job
	if v.ledgers == nil { // otherwise they are checked with it
		jobs = v.lists(nil, sums)
	}
	for _, w := range v.chooseViews(views, most) {
		jobs = append(jobs, job{view: w, check: checks[w.request]})
	}
	return jobs
}

// choosePublications chooses publications at random, by tag and up to a maximum, unless all are requested.
func (v *verifier) choosePublications(listed []content.Seal, most int) map[string]bool {
	if v.All {
		most = len(listed)
	}
	chosen := map[string]bool{}
	for _, i := range rand.Perm(len(listed))[:min(len(listed), most)] {
		chosen[listed[i].Tag] = true
	}
	v.result.Sampled = v.result.Sampled || len(chosen) < len(listed)
	return chosen
}

// repeat requests other forms of one publication.
func (v *verifier) repeat(tag, path string, mcp bool, add func(view, func(answer, *report))) {
	text := func(mediaType string, by any) func(answer, *report) {
		return func(a answer, r *report) {
			v.checkSame(tag, "status", by, []byte(strconv.Itoa(a.status)), r)
			if a.status == http.StatusOK {
				v.checkSame(tag, mediaType, by, a.body, r)
			}
		}
	}
	add(plain(i18n.New("%s as Markdown", tag), path, markdownType), text(markdownType, "Markdown"))
	for _, coding := range []string{"identity", "gzip", "br", "zstd"} {
		add(
			view{what: i18n.New("%s in the coding %s", tag, coding), request: request{
				path: path, accept: jsonType, coding: coding,
			}},
			text(jsonType, i18n.New("%s in the coding %s", "JSON", coding)),
		)
		add(view{what: i18n.New("%s as Markdown in the coding %s", tag, coding), request: request{
			path: path, accept: markdownType, coding: coding,
		}}, text(markdownType, i18n.New("%s in the coding %s", "Markdown", coding)))
	}
	if !mcp {
		return
	}
	for mediaType, suffix := range map[string]string{jsonType: "", markdownType: ".md"} {
		w := resource(tag + suffix)
		add(w, func(a answer, r *report) {
			text, err := resourceText(a.body)
			switch {
			case err == nil:
				v.checkSame(tag, "status", "MCP", []byte(strconv.Itoa(http.StatusOK)), r)
				v.checkSame(tag, mediaType, "MCP", text, r)
			case errors.Is(err, errRefused): // as what was redacted is
				v.checkSame(tag, "status", "MCP", []byte(strconv.Itoa(http.StatusGone)), r)
			default:
				r.differ(w.what, theBody, aJSONObject, err)
			}
		})
	}
}

// errRefused is the error for an answer of MCP that says why there is none.
var errRefused = i18n.Errorf("it answers with an error")

// resourceText is the text of a resource in an MCP response, not ok if there is none.
func resourceText(body []byte) ([]byte, error) {
	var answered struct {
		Error  *struct{ Message string }
		Result struct {
			Contents []struct{ Text string }
		}
	}
	switch err := readMessage(body, &answered); {
	case err != nil:
		return nil, err
	case answered.Error != nil:
		return nil, errRefused
	case len(answered.Result.Contents) != 1:
		return nil, i18n.Errorf("it has %d texts, and one is expected", len(answered.Result.Contents))
	}
	return []byte(answered.Result.Contents[0].Text), nil
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
		listed[t.Item()+"/v"+o.Text(t.Kind.Version)] = o.Text("content_checksum")
	}
	for _, s := range seals {
		r.same(what, s.Tag, s.Checksum, listed[s.Tag])
		delete(listed, s.Tag)
	}
	for tag, sum := range listed {
		r.differ(what, clip(tag), i18n.New("not listed among the publications"), clip(sum))
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
