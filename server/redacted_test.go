package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// toldNote is in the messages of the tags that are redacted, and nowhere else.
const toldNote = "Прежде здесь было имя человека"

// secrets are what the redacted versions of the stores say.
var secrets = []string{"Чужая тайна", "Правило, которое нельзя", "Опубликовано по ошибке", "Молчать.",
	"с лишними сведениями"}

// Nothing that is served says what is in a redacted version, nor what it was called or said to change:
// in no form.
func TestNothingIsToldOfRedacted(t *testing.T) {
	for _, file := range []string{"testdata/store.txtar", "testdata/kinds.txtar"} {
		t.Run(file, func(t *testing.T) {
			script := readScript(file)
			gone := redactedOf(load(script).Snapshot)
			if len(gone) == 0 {
				t.Fatal("nothing is redacted")
			}
			for i := range script {
				script[i].Tags = slices.Clone(script[i].Tags)
				for j := range script[i].Tags {
					if tag := &script[i].Tags[j]; gone[tag.Name] != nil {
						tag.Message = toldNote
					}
				}
			}
			s := build(nil, load(script).Snapshot)
			c := ask(t, s)
			for tag, e := range redactedOf(s.Snapshot) {
				if e.ChangeNote != toldNote {
					t.Errorf("%s says %q", tag, e.ChangeNote)
				}
				for path, body := range c.tellsOf(e) {
					for _, gone := range append(secrets, toldNote) {
						if strings.Contains(body, gone) {
							t.Errorf("%s tells %q of %s", path, gone, tag)
						}
					}
				}
			}
		})
	}
}

// redactedOf are the versions that are redacted, by tag.
func redactedOf(s *content.Snapshot) map[string]*content.Entry {
	all := map[string]*content.Entry{}
	for _, item := range s.Items {
		for _, e := range item.Entries {
			if e.Status == content.Redacted {
				all[e.Tag()] = e
			}
		}
	}
	return all
}

// tellsOf is all that could tell of a version, by where it was asked for.
func (c client) tellsOf(e *content.Entry) map[string]string {
	paths := []string{
		"/", "/llms.txt", "/sitemap.xml", "/api/v1/changelog", "/api/v1/changelog?since=2026-01-01",
		"/api/v1/changelog?since=0", "/api/v1/upcoming",
		"/api/v1/checksums", "/api/v1/checksums/" + e.Checksum, "/api/v1/log", "/api/v1/health", "/feeds/all.atom",
		"/feeds/guidelines.atom",
		e.Kind.ItemPath(e.Name), e.Kind.ItemPath(e.Name) + "/versions", e.Path(),
		"/compare/" + e.Item(), e.Kind.ItemPath(e.Name) + "?as_of=2026-04-01", e.Kind.Path,
		e.Kind.Path + "?as_of=2026-04-01", e.Kind.Path + "?status=superseded", e.Kind.Path + "?status=archived",
		"/api/v1/search?q=" + url.QueryEscape("тайна"), "/api/v1/search?q=" + url.QueryEscape("лишними"),
		"/api/v1/search?q=" + e.Name,
	}
	all := map[string]string{}
	for _, path := range paths {
		for _, accept := range []string{"text/html", "application/json", "text/markdown", "application/atom+xml"} {
			r := c.do(http.MethodGet, path, "Accept", accept)
			body := string(r.body)
			all[accept+" "+path] = body
		}
	}
	all["list_versions"] = c.call("list_versions", fmt.Sprintf(`{"folder":%q,"name":%q}`, e.Kind.Folder, e.Name))
	all["read_url changelog"] = c.call("read_url", fmt.Sprintf(`{"url":%q}`, baseURL+"/api/v1/changelog"))
	return all
}

// Wherever a redacted version is asked for, by its number or by a day on which it was current,
// the answer is that of its own address, and shows nothing of its text.
func TestRedactedIsGoneEverywhere(t *testing.T) {
	store, kinds := ask(t, storeSite()), ask(t, kindsSite())
	for _, test := range []struct {
		client
		own   string // the address of the redacted version
		paths []string
	}{
		{store, "/api/v1/guidelines/investment.promise.001/versions/1.0.0", []string{
			"/compare/guidelines/investment.promise.001?from=1.0.0",
			"/compare/guidelines/investment.promise.001?from=1.0.0&to=1.1.0&section=rules",
			"/compare/guidelines/investment.promise.001?from=1.1.0&to=1.0.0",
			"/compare/guidelines/investment.promise.001?as_of=2026-04-01",
			"/compare/guidelines/investment.promise.001?as_of=2026-04-01&in_force=2026-04-01",
			"/api/v1/guidelines/investment.promise.001?as_of=2026-04-01",
			"/api/v1/guidelines/investment.promise.001?as_of=2026-04-01&in_force=2026-04-01",
			"/api/v1/guidelines/investment.promise.001?as_of=2026-04-01&section=rules",
			"/api/v1/guidelines/investment.promise.001/versions/1.0.0?view=brief",
		}},
		{store, "/api/v1/guidelines/investment.secret.001/versions/1.0.0", []string{
			"/api/v1/guidelines/investment.secret.001", "/compare/guidelines/investment.secret.001",
			"/compare/guidelines/investment.secret.001?as_of=2026-04-01",
		}},
		{kinds, "/api/v1/fraud/signals/versions/1.0.0", []string{
			"/compare/registries/fraud-signals?from=1.0.0", "/compare/registries/fraud-signals?as_of=2026-03-01",
			"/api/v1/fraud/signals?as_of=2026-03-01", "/api/v1/fraud/signals?as_of=2026-03-01&in_force=2026-03-01",
			"/api/v1/fraud/signals?as_of=2026-03-01&severity=critical",
		}},
	} {
		for _, path := range test.paths {
			t.Run(path, func(t *testing.T) {
				for _, accept := range []string{jsonType, markdownType, browser} {
					want, got := test.get(test.own, "Accept", accept), test.get(path, "Accept", accept)
					if told(got) != told(want) || got.status != http.StatusGone {
						t.Errorf("as %s: %d %s", accept, got.status, got.body)
					}
				}
			})
		}
	}
}

// A registry of which all versions are redacted answers that everywhere, as do its records, and nothing of
// its text is left in any answer.
func TestRedactedRegistry(t *testing.T) {
	script := readScript("testdata/kinds.txtar")
	last := &script[len(script)-1]
	last.Files["lifecycle.yaml"] = append(last.Files["lifecycle.yaml"],
		"  - {item: registries/fraud-signals, status: redacted, reason: Не то, since: 2026-08-03}\n"...)
	c := checking(t, build(nil, load(script).Snapshot))
	const registry = "/api/v1/fraud/signals"
	for _, path := range []string{
		registry, registry + "?severity=high", registry + "?view=brief", registry + "?section=signals",
		registry + "?as_of=2026-07-01", registry + "?in_force=2026-07-01", registry + "?view=referenced_by",
		registry + "/versions/1.2.0", registry + "/CODE_REQUESTED", registry + "/NOTHING",
		"/api/v1/fraud/brief?signal=CODE_REQUESTED", "/compare/registries/fraud-signals",
	} {
		for _, accept := range []string{jsonType, markdownType, browser} {
			r := c.get(path, "Accept", accept)
			if r.status != http.StatusGone {
				t.Errorf("%s as %s: %d %s", path, accept, r.status, r.body)
			}
			if accept != browser {
				r.want(t, http.StatusGone, "redacted")
				c.described(path, r, false)
			}
		}
	}
	for tool, args := range map[string]string{
		"list_fraud_signals": `{"severity":"high"}`, "get_registry": `{"name":"fraud-signals"}`,
		"get_record":       `{"registry":"fraud-signals","code":"CODE_REQUESTED"}`,
		"fraud_brief":      `{"signal":["CODE_REQUESTED"]}`,
		"compare_versions": `{"folder":"registries","name":"fraud-signals","from":"1.1.0"}`,
		"read_url":         `{"url":"` + registry + `/CODE_REQUESTED"}`,
	} {
		got := c.called(tool, args)
		if !strings.Contains(got, `"isError":true`) || !strings.Contains(got, `"redacted\"`) {
			t.Errorf("%s %s: %s", tool, args, got)
		}
	}
	const told = "Запрещают советоваться с близкими"
	for _, path := range []string{
		"/", "/sitemap.xml", "/api/v1/registries", "/api/v1/fraud/scenarios", "/api/v1/fraud/scenarios/safe_account",
		"/api/v1/search?q=" + url.QueryEscape("советоваться"), "/api/v1/search?signal=SECRECY_REQUESTED&fields=full", "/api/v1/changelog",
		registry + "/versions", "/feeds/all.atom", "/feeds/registries/fraud-signals.atom", "/api/v1/health",
		"/schemas/output/fraud-response-output.json", "/api/v1/instructions/fraud-response",
	} {
		for _, accept := range []string{"*/*", browser} {
			if r := c.get(path, "Accept", accept); r.status != http.StatusOK || strings.Contains(string(r.body), told) {
				t.Errorf("%s as %s: %d %s", path, accept, r.status, r.body)
			}
		}
	}
}

var (
	instance  = regexp.MustCompile(`"instance": "[^"]*"`)
	statement = regexp.MustCompile(`(?s)<header class="title">.*</header>.*</dl>.*Что делать.*</section>`)
)

// told is what a problem says, in JSON or on a page, whatever address it is the answer of.
func told(r response) string {
	if r.isPage() {
		return statement.FindString(string(r.body))
	}
	return instance.ReplaceAllString(string(r.body), "")
}
