package gitrepo

import (
	"net/http"
	"net/url"
	"strings"

	"rulestore/content/i18n"
)

// anchored refuses redirects to another origin: scheme, host and port. A remote must not make
// this machine connect to hosts that the remote itself cannot reach. Redirects within the
// origin are left to go-git, which follows them for the first request only, like git.
type anchored struct{ http.RoundTripper }

func (a anchored) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := a.RoundTripper.RoundTrip(req)
	if err != nil || !redirects(res) {
		return res, err
	}
	to, err := res.Location()
	if err == nil && sameOrigin(req.URL, to) {
		return res, nil
	}
	_ = res.Body.Close() // not read
	if err != nil {
		return nil, i18n.Errorf("the remote answers with a redirect to what is no address")
	}
	return nil, moved(to)
}

// maxShown is the maximum length of a redirect's address in an error, in bytes.
const maxShown = 180

// moved is the error for a redirect to another origin.
func moved(to *url.URL) error {
	said := i18n.New("the remote redirects to another address, and such redirects are not followed")
	if to.Scheme != "http" && to.Scheme != "https" {
		return i18n.Because(said, nil)
	}
	return i18n.Errorf("%s: if that is where the repository is now, configure %s", said, shown(to))
}

// shown is the address to configure: without login and query, which can be secret, and escaped.
func shown(to *url.URL) string {
	path := strings.TrimSuffix(strings.TrimSuffix(to.Path, "/info/refs"), "/git-upload-pack")
	address := (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: path}).String()
	if len(address) > maxShown {
		return address[:maxShown] + "…"
	}
	return address
}

// redirects reports whether net/http would follow a response.
func redirects(res *http.Response) bool {
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return res.Header.Get("Location") != ""
	}
	return false
}

// sameOrigin reports whether two addresses have the same scheme, host and port. Hosts are
// compared bytewise: different spellings count as different hosts.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && a.Hostname() == b.Hostname() && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	case u.Scheme == "http":
		return "80"
	}
	return ""
}
