package verify

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"rulestore/content/i18n"
)

// Patterns of the version of a program and of the name of a branch. They match no sentences.
var (
	wellFormed = regexp.MustCompile(`^\d{1,4}\.\d{1,4}\.\d{1,4}([-+.][0-9A-Za-z.+-]{1,40})?$`)
	branchName = regexp.MustCompile(`^[0-9A-Za-z._/-]{1,100}$`)
)

// learn reads what the server states about itself, and selects the expectation.
func (v *verifier) learn(ctx context.Context) error {
	var manifest struct {
		Base    string `json:"canonical_base_url"`
		Version string `json:"service_version"`
	}
	var health struct {
		Commit, Branch string
		Drafts         bool
		Sources        []NamedSource
	}
	v.document(ctx, v.client.ask, "/", &manifest)
	v.document(ctx, v.client.once, healthPath, &health) // an unhealthy server may answer 503
	if health.Drafts {
		return i18n.Errorf(
			"it shows drafts, by --drafts, which are as nobody has published them: there is nothing to check it against",
		)
	}
	if err := v.checkNames(health.Sources); err != nil {
		return err
	}
	v.named = Named{Base: manifest.Base, Version: manifest.Version, Commit: health.Commit}
	if branchName.MatchString(health.Branch) {
		v.named.Branch = health.Branch
	}
	for _, part := range health.Sources[:min(len(health.Sources), maxNamed)] {
		if !branchName.MatchString(part.Branch) {
			part.Branch = ""
		}
		v.named.Sources = append(v.named.Sources, part)
	}
	if !wellFormed.MatchString(v.named.Version) {
		v.named.Version = v.Version
	}
	if v.named.Version != v.Version && v.Version != "" {
		v.result.Notes = append(v.result.Notes, i18n.New(
			"it runs version %s, and this is %s: what they render may differ", v.named.Version, v.Version,
		))
	}
	if v.Expect == nil {
		return nil
	}
	v.named.Base = v.base(v.named.Base)
	expected, err := v.Expect(ctx, v.named)
	if err != nil {
		return err
	}
	if v.expected = expected; expected.Note.Format != "" {
		v.result.Notes = append(v.result.Notes, textOf(expected.Note))
	}
	return nil
}

// checkNames compares the repositories that a server names with those whose logs are checked: what
// is of another one could be anything.
func (v *verifier) checkNames(named []NamedSource) error {
	if len(v.Logs) == 0 {
		return nil
	}
	served, checked := "", v.Logs[0].Source
	for _, part := range named {
		served += " " + clip(part.Source)
	}
	for _, l := range v.Logs[1:] {
		checked += " " + l.Source
	}
	served = clip(strings.TrimSpace(served))
	switch {
	case served == checked:
	case checked == "":
		return i18n.Errorf(
			"it serves several repositories, and each has a log of its own: give a --policy and a --state for each "+
				"(%s), those after the first as NAME=FILE",
			served,
		)
	default:
		v.differ(healthPath, i18n.New("the repositories"), checked, served)
	}
	return nil
}

// document reads a document as far as possible: faults in it are found by the comparison.
func (v *verifier) document(
	ctx context.Context, ask func(context.Context, request, int64) (answer, error), path string, into any,
) {
	a, err := ask(ctx, request{path: path, accept: jsonType}, maxBody)
	if err == nil && (a.status == http.StatusOK || a.status == http.StatusServiceUnavailable) {
		err = json.Unmarshal(a.body, into)
	}
	if err != nil {
		v.differ(path, i18n.New("cannot be read"), "", err)
	}
}

// base returns the address that the server must state: the stated one, if it is that of the
// operator, the repository or the server itself.
func (v *verifier) base(named string) string {
	own := strings.TrimRight(v.URL, "/")
	if u, err := url.Parse(own); err == nil {
		u.User = nil
		own = u.String()
	}
	canonical := v.Repository.Settings.CanonicalBaseURL
	switch {
	case v.BaseURL != "":
		own = strings.TrimRight(v.BaseURL, "/")
	case named == canonical && canonical != "", named == own, loopback(named) && loopback(own):
		return named
	}
	if named != own {
		v.differ("/", "canonical_base_url", i18n.New("%s, or say another with --base-url", own), clip(named))
	}
	if u, err := url.Parse(named); err != nil || u.Host == "" || len(named) > 200 {
		return own
	}
	return named // so that a wrong address is reported once
}

// loopback reports whether an address is on this machine, where a proxy and the service can
// have different ports.
func loopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil || len(address) > 200 || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	host := u.Hostname()
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// maxNamed is the maximum number of repositories of a server.
const maxNamed = 64
