package server_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rulestore/server"
	"rulestore/server/api"
)

// bundles offers a bundle, or fails with an error.
type bundles struct{ err error }

type bundleFile struct{ *bytes.Reader }

func (bundleFile) Close() error { return nil }

func (bundles) State() string { return `"3238f2d894912cd3925735d1b91a8528"` }

func (b bundles) After(_ context.Context, commit, _ string) (server.File, error) {
	if commit == "main" {
		return nil, server.ErrNoCommit
	}
	return bundleFile{bytes.NewReader([]byte("# v2 git bundle\n"))}, b.err
}

func (b bundles) Since(context.Context, int64) (server.File, error) {
	return bundleFile{bytes.NewReader([]byte("# v2 git bundle\n"))}, b.err
}

// offering is a server that offers what not every server does.
func offering(t *testing.T, err error) checker {
	return checker{start(t, server.Config{
		Sites: serving(severalSite()), Bundles: map[string]server.Bundles{"": bundles{err}, "house": bundles{err}},
		Past: func(id string) (server.Past, bool) {
			past := server.Past{
				Snapshot: id, Commit: strings.Repeat("1", 40), Branch: "main", Date: "2026-11-20", Build: "0",
			}
			return past, id == severalSite().ID
		},
	}), described()}
}

// What only some servers offer is described as it is answered.
func TestOpenAPIOffered(t *testing.T) {
	c := offering(t, nil)
	const known = "69aade1aa606b2e5b1e3b6cbbd3a0c2bb5e7d0f1"
	for _, path := range []string{api.BundlePath, "/sources/house/rules.bundle"} {
		t.Run(path, func(t *testing.T) {
			for query, want := range map[string]int{
				"": 200, "?have=" + known: 200, "?since=0": 200, "?since=2147483647": 200,
				"?since=2147483648": 400, "?since=": 400, "?since=-1": 400, "?have=": 400, "?have=main": 400,
				"?have=" + known + "&have=" + known: 400,
				"?have=" + known + "&since=1":       400, "?sinse=1": 400,
			} {
				r := c.wants(want, path+query)
				if want == 400 && len(r.asProblem().Errors) == 0 {
					t.Errorf("%s names no parameter: %s", query, r.body)
				}
			}
			c.wants(http.StatusNotModified, path, "If-None-Match", bundles{}.State())
		})
	}
	c.wants(http.StatusOK, api.SnapshotsPath+severalSite().ID)
	c.wants(http.StatusNotFound, api.SnapshotsPath+"361d000caf39bc35")
	for _, err := range []error{server.ErrBusy, errors.New("no disk")} {
		c := offering(t, err)
		r := c.get(api.BundlePath)
		code := map[bool]string{true: "busy", false: "no_bundle"}[err == server.ErrBusy]
		r.want(t, http.StatusServiceUnavailable, code)
		c.described(api.BundlePath, r, false)
	}
}

var problemCode = regexp.MustCompile(`(?:roblem(?:\{\s*(?:Status: [^,]+,\s*)?Code: |\(\s*(?:http\.\w+, )?)|found\([^,]+, )"([a-z_]+)"`)

// Every code of an error for programs is described.
func TestOpenAPIProblemCodes(t *testing.T) {
	others := map[string]bool{
		"invalid_form": true, "too_many_previews": true, // of what only pages send
		"validation_failed": true, // in another schema
	}
	found := 0
	for _, file := range must(filepath.Glob("*.go")) {
		for _, m := range problemCode.FindAllStringSubmatch(string(must(os.ReadFile(file))), -1) {
			found++
			if err := described().valid("#/components/schemas/Problem/properties/code", m[1]); err != nil && !others[m[1]] {
				t.Errorf("%s: the document lacks the code %s", file, m[1])
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d codes found", found)
	}
}

// What is wrong with a query or with citations is described, whatever it is.
func TestOpenAPIFaults(t *testing.T) {
	s := load(readScript("testdata/store.txtar")).Snapshot
	c := checking(t, build(nil, s))
	for query, code := range map[string]string{
		"/timeline/scenarios/fraud_risk?in_force=2026-01-01": "not_dated", "/api/v1/guidelines?format=xml": "unknown_value",
		"/api/v1/changelog?since=99999": "beyond_log", "/api/v1/guidelines?a=%zz": "malformed",
		"/compare/guidelines/investment.promise.001?from=1.1.0&as_of=2026-10-01": "inconsistent",
	} {
		if r := c.wants(http.StatusBadRequest, query); !strings.Contains(string(r.body), `"`+code+`"`) {
			t.Errorf("%s has no %s: %s", query, code, r.body)
		}
	}
	for body, code := range map[string]string{
		`[]`: "type", `{}`: "out_of_range", `{"citations":[{}]}`: "no_checksum",
		`{"citations":[{"at":"вчера"}]}`: "no_date", `{"citations":[{"id":""}]}`: "required",
	} {
		r := c.post(api.CitationsPath, body)
		r.want(t, http.StatusUnprocessableEntity, "validation_failed")
		if !strings.Contains(string(r.body), `"`+code+`"`) {
			t.Errorf("%.60s has no %s: %s", body, code, r.body)
		}
		c.described(api.CitationsPath, r, true)
	}
}
