package git

import (
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"rulestore/content/i18n"
)

// Address is the address of a remote repository. It contains no secret, so it may be shown.
type Address struct {
	Scheme string // https, http, ssh or file
	User   string // for ssh
	Host   string // with the port, if one is given
	Path   string
}

// scpLike matches the short form of an ssh address, git@example.org:rules.git.
var scpLike = regexp.MustCompile(`^([A-Za-z0-9._-]+)@([A-Za-z0-9.-]+):([^:].*)$`)

// IsAddress reports whether a text is the address of a remote repository, rather than a path.
func IsAddress(s string) bool { return strings.Contains(s, "://") || scpLike.MatchString(s) }

// ParseAddress parses https://, http://, ssh:// and file:// URLs, and scp-like ssh addresses. Addresses that may contain a secret
// are refused, and an error never repeats them.
func ParseAddress(s string) (Address, error) {
	if m := scpLike.FindStringSubmatch(s); m != nil && !strings.Contains(s, "://") {
		return Address{Scheme: "ssh", User: m[1], Host: m[2], Path: m[3]}, nil
	}
	u, err := url.Parse(s)
	if err != nil {
		return Address{}, i18n.Errorf("the address of the repository is no URL") // the cause would repeat the URL
	}
	a := Address{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return a, a.check(u)
}

// check validates the URL of the address.
func (a *Address) check(u *url.URL) error {
	if _, secret := u.User.Password(); secret || u.User != nil && u.Scheme != "ssh" {
		return i18n.Errorf(
			"the address of the repository must not say who signs in, logs and process lists would show it: give " +
				"RULESTORE_GIT_USERNAME and RULESTORE_GIT_PASSWORD instead",
		)
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return i18n.Errorf("the address of the repository must have no query and no fragment")
	}
	switch u.Scheme {
	case "https", "http", "ssh":
		if a.Host == "" || strings.Trim(a.Path, "/") == "" {
			return i18n.Errorf(
				"%s is no address of a repository: expected for example https://example.org/rules.git", a,
			)
		}
		a.User = u.User.Username()
	case "file":
		if a.Host != "" && a.Host != "localhost" || !filepath.IsAbs(a.Path) {
			return i18n.Errorf("%s is no path on this machine: expected for example file:///srv/rules.git", a)
		}
		a.Host = ""
	default:
		return i18n.Errorf("the address of the repository begins with %q: expected https, ssh or file", u.Scheme)
	}
	return nil
}

// String returns the address for display.
func (a Address) String() string {
	u := url.URL{Scheme: a.Scheme, Host: a.Host, Path: a.Path}
	if a.User != "" {
		u.User = url.User(a.User)
	}
	if a.Scheme == "ssh" && !strings.HasPrefix(a.Path, "/") {
		u.Path = "/" + a.Path
	}
	return u.String()
}

// Plain reports whether the connection is unencrypted.
func (a Address) Plain() bool {
	host := (&url.URL{Host: a.Host}).Hostname()
	ip := net.ParseIP(host)
	return a.Scheme == "http" && host != "localhost" && !(ip != nil && ip.IsLoopback())
}
