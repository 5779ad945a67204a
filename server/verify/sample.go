package verify

import (
	"context"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
)

// fetchedAt matches the time of a response, which no two responses share.
var fetchedAt = regexp.MustCompile(`"fetched_at\\*": ?\\*"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

func withoutTime(text []byte) []byte { return fetchedAt.ReplaceAll(text, nil) }

// samples checks, for one item of each kind, what proxies and stores corrupt, and a day of the past.
// The publications have been read by then.
func (v *verifier) samples(ctx context.Context, listed []content.Seal) {
	items, kinds := map[string][]content.Seal{}, map[*content.Kind]string{}
	for _, i := range rand.Perm(len(listed)) {
		s := listed[i]
		items[s.Item()] = append(items[s.Item()], s)
		if v.counts(s) {
			kinds[s.Named().Kind] = s.Item()
		}
	}
	for _, item := range kinds {
		for _, s := range items[item] {
			if v.counts(s) {
				v.codings(ctx, s)
				break
			}
		}
		if !v.files {
			v.asOf(ctx, items[item])
		}
	}
}

// counts reports whether a publication is, or was, the current one of its item.
func (v *verifier) counts(s content.Seal) bool {
	switch v.served[s.Tag] {
	case content.Current, content.Superseded, content.ReviewRequired:
		return true
	}
	return false
}

// sample sends one request, whose check is given the report.
func (v *verifier) sample(ctx context.Context, what i18n.Text, r request, check func(answer, *report)) {
	a, err := v.client.ask(ctx, r, v.most)
	if err != nil {
		v.differ(what, notFetched, "", err)
		return
	}
	v.noteSnapshot(a)
	var found report
	check(a, &found)
	v.add(found)
}

// codings checks a publication as JSON and as Markdown in each content coding, as the answer to HEAD,
// and for a client that has it already.
func (v *verifier) codings(ctx context.Context, s content.Seal) {
	for mediaType, path := range map[string]string{
		jsonType: pathOf(s.Named()), markdownType: v.markdownPath(pathOf(s.Named())),
	} {
		tag := ""
		for _, coding := range []string{"identity", "gzip", "br", "zstd"} {
			what := i18n.New("%s as %s in the coding %s", s.Tag, mediaType, coding)
			v.sample(ctx, what, request{path: path, accept: mediaType, coding: coding}, func(a answer, r *report) {
				if a.status != http.StatusOK {
					r.differ(what, theStatus, "200", strconv.Itoa(a.status))
					return
				}
				v.headers(what, mediaType, s, a, r)
				v.checkSame(s.Tag, mediaType, coding, a.body, r)
				tag = a.header.Get("Etag")
			})
		}
		what := i18n.New("HEAD of %s as %s", s.Tag, mediaType)
		v.sample(ctx, what, request{method: http.MethodHead, path: path, accept: mediaType}, func(a answer, r *report) {
			if a.status != http.StatusOK {
				r.differ(what, theStatus, "200", strconv.Itoa(a.status))
				return
			}
			v.headers(what, mediaType, s, a, r)
		})
		v.conditions(ctx, s, request{path: path, accept: mediaType, coding: "zstd"}, tag)
	}
}

// headers checks the headers that say what a response is. What a proxy may leave out may be missing.
func (v *verifier) headers(what i18n.Text, mediaType string, s content.Seal, a answer, r *report) {
	if sent, _, _ := strings.Cut(a.header.Get("Content-Type"), ";"); sent != mediaType {
		r.differ(what, i18n.New("header %s", "Content-Type"), mediaType, clip(sent))
	}
	if sent := a.header.Get("X-Content-Checksum"); sent != "" && sent != s.Checksum {
		r.differ(what, i18n.New("header %s", "X-Content-Checksum"), s.Checksum, clip(sent))
	}
	if v.files {
		return
	}
	vary := strings.ToLower(strings.Join(a.header.Values("Vary"), ","))
	if vary != "*" && !strings.Contains(strings.ReplaceAll(vary, "accept-encoding", ""), "accept") {
		r.differ(what, i18n.New("header %s", "Vary"), "Accept", clip(vary))
	}
}

// conditions asks for what the client has, and for what it has not: by its entity tag the first is
// 304, or the whole if a proxy leaves conditions out, and the second is never 304.
func (v *verifier) conditions(ctx context.Context, s content.Seal, asked request, tag string) {
	if tag == "" {
		return // removed by a proxy
	}
	for has, want := range map[string]string{tag: "304", `W/"000000000000000000000000"`: "200"} {
		what := i18n.New("%s as %s for who has %s", s.Tag, asked.accept, has)
		asked.header = field{"If-None-Match", has}
		v.sample(ctx, what, asked, func(a answer, r *report) {
			switch {
			case a.status == http.StatusOK:
				v.checkSame(s.Tag, asked.accept, what, a.body, r)
			case strconv.Itoa(a.status) != want:
				r.differ(what, theStatus, want, strconv.Itoa(a.status))
			}
		})
	}
}

// asOf asks for an item as of two days after one of its publications: the answer is one that was
// published by then, as sealed, and no lower than any that counts. A day is left on either side for
// the time zone of the repository.
func (v *verifier) asOf(ctx context.Context, seals []content.Seal) {
	const day = 24 * time.Hour
	then := seals[rand.N(len(seals))].PublishedAt.Add(2 * day)
	if then.After(time.Now()) {
		return
	}
	byTag, highest := map[string]content.Seal{}, content.Tag{}
	for _, s := range seals {
		byTag[s.Tag] = s
		t := s.Named()
		before := v.counts(s) && t.Version.Prerelease() == "" && s.PublishedAt.Before(then.Add(-day))
		if before && (highest.Kind == nil || highest.Version.LessThan(t.Version)) {
			highest = t
		}
	}
	if highest.Kind == nil {
		return // all of them were taken back
	}
	k, date := highest.Kind, then.UTC().Format(content.Date)
	what := i18n.New("%s as of %s", highest.Item(), date)
	path := k.ItemPath(highest.Name) + "?as_of=" + date
	v.sample(ctx, what, request{path: path, accept: jsonType}, func(a answer, r *report) {
		if a.status != http.StatusOK {
			r.differ(what, theStatus, "200", strconv.Itoa(a.status))
			return
		}
		item, sum, err := read(a.body)
		if err != nil {
			r.differ(what, theBody, aJSONObject, err)
			return
		}
		tag := highest.Item() + "/v" + item.Text(k.Version)
		s, ok := byTag[tag]
		switch {
		case !ok || s.Named().Version.LessThan(highest.Version) || s.PublishedAt.After(then.Add(day)):
			r.differ(what, k.Version, highest.Version.String(), clip(item.Text(k.Version)))
		default:
			r.same(what, recomputed, s.Checksum, sum)
		}
	})
}
