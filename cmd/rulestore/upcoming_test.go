package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/loader/gitrepo/gitrepotest"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/api"
	"rulestore/server/site"
)

// waiting is a repository whose days begin in a zone, with a version that waits for a
// moment.
func waiting(zone, moment string) string {
	return strings.NewReplacer("ZONE", zone, "MOMENT", moment).Replace(`-- commit 2026-02-02T10:00:00+03:00 --
Begin
-- rulestore.yaml --
schema_version: "1.1"
service: rules
title: Правила
description: Правила для ассистентов.
audience: ИИ-ассистенты
default_language: ru
time_zone: ZONE
disclaimer: Это не консультация.
demo: true
-- scenarios/one.yaml --
scenario_id: one
schema_version: "1.0"
title: Один
description: Сценарий для испытаний.
-- tag scenarios/one/v1.0.0 --
Первая
-- commit MOMENT --
Later
-- scenarios/one.yaml --
scenario_id: one
schema_version: "1.0"
title: Один, иначе
description: Сценарий для испытаний.
-- tag scenarios/one/v1.1.0 --
С нового дня
`)
}

// replica serves a repository by a clock that the test sets.
type replica struct {
	*follow.Follower
	*httptest.Server
	t   *testing.T
	now *atomic.Pointer[time.Time]
}

func newReplica(t *testing.T, repository string, now *atomic.Pointer[time.Time]) replica {
	t.Helper()
	script, err := gitrepotest.ParseTxtar(txtar.Parse([]byte(repository)))
	if err != nil {
		t.Fatal(err)
	}
	source, err := gitrepo.InMemory(script)
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return *now.Load() }
	log := slog.New(slog.DiscardHandler)
	p := follow.New(follow.Config{
		Loader: loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: clock}), Log: log,
	})
	p.Site = site.Config{BaseURL: baseURL, Schemas: schemas.Embedded()}
	p.Look(t.Context())
	s := httptest.NewServer(server.New(server.Config{
		Sites: p, Status: p.Status, Log: log, Now: clock, Encoder: p.Encoder(),
	}))
	t.Cleanup(s.Close)
	return replica{p, s, t, now}
}

// read returns an answer and its headers.
func (r replica) read(path string) (string, http.Header) {
	r.t.Helper()
	res, err := client.Get(r.URL + path)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	var body json.RawMessage
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		r.t.Fatalf("%s: %d %v", path, res.StatusCode, err)
	}
	return string(body), res.Header
}

// What is published ahead is listed until its day begins where the repository says that
// days begin, is served from the first moment of it on without a push, and no cache is
// told to keep anything longer; replicas turn together.
func TestTurnOfTheDay(t *testing.T) {
	t.Parallel()
	for zone, moment := range map[string]string{
		"Asia/Kamchatka": "2026-12-31T12:00:00Z", "Europe/Moscow": "2026-12-31T21:00:00Z",
		"UTC": "2027-01-01T00:00:00Z",
	} {
		t.Run(zone, func(t *testing.T) {
			begin, err := time.Parse(time.RFC3339, moment)
			if err != nil {
				t.Fatal(err)
			}
			var now atomic.Pointer[time.Time]
			at := func(before time.Duration) { then := begin.Add(-before); now.Store(&then) }
			at(40 * time.Second)
			replicas := []replica{newReplica(t, waiting(zone, moment), &now),
				newReplica(t, waiting(zone, moment), &now)}
			const path = "/api/v1/scenarios/one"
			for i, step := range []struct {
				before                   time.Duration
				version, upcoming, cache string
			}{
				{40 * time.Second, "1.0.0", "1", "public, max-age=40, stale-while-revalidate=0, stale-if-error=0"},
				{90 * time.Second, "1.0.0", "1", "public, max-age=60, stale-while-revalidate=30, stale-if-error=30"},
				{72 * time.Hour, "1.0.0", "1", "public, max-age=60, stale-while-revalidate=600, stale-if-error=86400"},
				{500 * time.Millisecond, "1.0.0", "1", "public, max-age=0, stale-while-revalidate=0, stale-if-error=0"},
				{0, "1.1.0", "0", "public, max-age=60, stale-while-revalidate=600, stale-if-error=86400"},
				{-time.Hour, "1.1.0", "0", "public, max-age=60, stale-while-revalidate=600, stale-if-error=86400"},
			} {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					at(step.before)
					var said [2]string
					for i, r := range replicas {
						r.Look(t.Context())
						body, header := r.read(path)
						list, _ := r.read(api.UpcomingPath)
						if !strings.Contains(body, `"scenario_version":"`+step.version+`"`) ||
							!strings.Contains(list, `"total":`+step.upcoming) {
							t.Errorf("%s before: %s %s", step.before, body, list)
						}
						if got := header.Get("Cache-Control"); got != step.cache {
							t.Errorf("%s before: caches are told %s, want %s", step.before, got, step.cache)
						}
						said[i] = string(fetchedAt.ReplaceAll([]byte(body+list), nil)) + header.Get("X-Snapshot")
					}
					if said[0] != said[1] {
						t.Errorf("%s before: %s\n%s", step.before, said[0], said[1])
					}
				})
			}
		})
	}
}

// The list says what will be, so that anyone can check it before its day, and what that
// will change.
func TestUpcoming(t *testing.T) {
	t.Parallel()
	var now atomic.Pointer[time.Time]
	then := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	now.Store(&then)
	r := newReplica(t, waiting("Europe/Moscow", "2026-12-31T21:00:00Z"), &now)
	body, _ := r.read(api.UpcomingPath)
	var list struct {
		Upcoming []struct {
			Tag, From, Replaces, Change string
			Changes                     []struct{ Path string }
			Checksum                    string `json:"content_checksum"`
			Body                        content.Object
		}
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list.Upcoming) != 1 {
		t.Fatal(err, body)
	}
	u := list.Upcoming[0]
	sum, err := content.Checksum(u.Body)
	if err != nil || sum != u.Checksum {
		t.Errorf("the checksum is %s, of the body %s %v", u.Checksum, sum, err)
	}
	if got := fmt.Sprint(u.Tag, " ", u.From, " ", u.Replaces, " ", u.Change, " ",
		u.Changes); got != "scenarios/one/v1.1.0 2027-01-01 1.0.0 wording [{title}]" {
		t.Errorf("%s", got)
	}
	for _, path := range []string{"/feeds/upcoming.atom", "/feeds/all.atom", "/feeds/scenarios.atom",
		"/feeds/scenarios/one.atom"} {
		res, err := client.Get(r.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "application/atom+xml" {
			t.Errorf("%s: %d %s", path, res.StatusCode, res.Header.Get("Content-Type"))
		}
	}
}

// TestNothingOutlivesTheDay: whatever is asked for shortly before the turn, in whichever
// form, no cache and no client of MCP is told to keep it past that.
func TestNothingOutlivesTheDay(t *testing.T) {
	t.Parallel()
	const left = 20 // seconds
	begin := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	then := begin.Add(-left * time.Second)
	var now atomic.Pointer[time.Time]
	now.Store(&then)
	r := newReplica(t, waiting("UTC", begin.Format(time.RFC3339)), &now)
	for _, path := range []string{
		"/", "/llms.txt", "/.well-known/ai-rules", "/openapi.json", "/api/v1/health", "/api/v1/scenarios",
		"/api/v1/scenarios/one",
		"/api/v1/scenarios/one/versions", "/api/v1/scenarios/one/versions/1.0.0", "/api/v1/scenarios?as_of=2026-03-01",
		"/api/v1/search?q=" + url.QueryEscape("сценарий"),
		"/api/v1/changelog", "/api/v1/checksums", "/api/v1/upcoming", "/feeds/all.atom",
		"/feeds/scenarios/one.atom",
		"/api/v1/scenarios/one?view=brief", "/api/v1/guidelines", "/api/v1/math",
	} {
		for _, accept := range []string{"application/json", "text/html", "text/markdown", "*/*"} {
			tag := ""
			for range 2 { // as it is, then by its entity tag
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.URL+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Accept", accept)
				if tag != "" {
					req.Header.Set("If-None-Match", tag)
				}
				res, err := client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				res.Body.Close()
				tag = res.Header.Get("ETag")
				for _, d := range maxAge.FindAllStringSubmatch(res.Header.Get("Cache-Control"), -1) {
					if n, _ := strconv.Atoi(d[1]); n > left {
						t.Errorf("%s as %s: %d %s", path, accept, res.StatusCode, res.Header.Get("Cache-Control"))
					}
				}
			}
		}
	}
}

var maxAge = regexp.MustCompile(`=([0-9]+)`)
