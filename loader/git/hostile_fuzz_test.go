package git

import "testing"

// What is read of an address reads the same when it is shown.
func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{
		"https://example.org/rules.git", "git@example.org:rules.git", "ssh://git@[::1]:22/a b", "file:///srv/rules",
		"https://anna:s3cret@example.org/x", "https://example.org/x?y=s3cret", "http://example.org:80/%2e%2e/x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAddress(s)
		if err != nil {
			return
		}
		again, err := ParseAddress(a.String())
		if err != nil || again.String() != a.String() {
			t.Errorf("%q is shown as %q, which is read as %q, %v", s, a, again, err)
		}
	})
}
