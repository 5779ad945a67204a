package export

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"rulestore/content/i18n"
	"rulestore/server/site"
)

// A lack is something that a web server does not do with a file as it should.
type lack struct {
	coding string // in which it does not serve it, or
	header string // that it does not send
	other  bool   // it sends another value
}

// lacking are the files of a lack, and what one of them has.
type lacking struct {
	files              int
	address, got, want string // of the first by address
}

func (c *checking) lack(what lack, of lacking) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.lacks[what]
	if known == nil {
		known = new(lacking)
		c.lacks[what] = known
	}
	if of.files = known.files + 1; of.files == 1 || of.address < known.address {
		*known = of
	}
	known.files = of.files
}

// headers compares the headers of a response. Those that say which version it is must be true where
// they are sent; the others are of no meaning for the content.
func (c *checking) headers(f filled, got http.Header) {
	want := named(site.CommonHeaders)
	maps.Copy(want, named(f.Headers))
	wrong := false
	for _, name := range slices.Sorted(maps.Keys(want)) {
		have, value := strings.Join(got.Values(name), ", "), want[name]
		if have != "" {
			c.sends(name)
		}
		switch {
		case chosen[name] || suits(name, have, value):
		case have != "" && aboutVersion(name):
			if !wrong { // once for a file
				c.note(i18n.New("%s as %s: %s is %q, and should be %q", f.Address, f.Type, name, have, value))
			}
			wrong = true
		default:
			c.lack(lack{header: name, other: have != ""}, lacking{address: f.Address, got: have, want: value})
		}
	}
}

func (c *checking) sends(header string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent[header] = true
}

// chosen are the headers that a web server determines itself, or that are compared otherwise.
var chosen = map[string]bool{"Content-Length": true, "Content-Type": true, "Etag": true, "Last-Modified": true}

// aboutVersion reports whether a header says which version a file is of.
func aboutVersion(header string) bool {
	return strings.HasPrefix(header, "X-") && header != "X-Content-Type-Options"
}

// suits reports whether the value of a header is as good as the expected one.
func suits(name, have, want string) bool {
	switch {
	case have == want:
		return true
	case name == "Vary": // a server may have more reasons
		listed := strings.Split(strings.ToLower(strings.ReplaceAll(have, " ", "")), ",")
		return !slices.ContainsFunc(strings.Split(strings.ToLower(want), ", "), func(v string) bool {
			return !slices.Contains(listed, v)
		})
	case name == "Content-Security-Policy": // our settings have one for all
		return have == site.PagePolicy.Values[0]
	case name == "Access-Control-Expose-Headers": // of those that it sends
		return have != ""
	}
	return false
}

// warnings lists what a web server does not do, headers first. It may send the headers of single files for
// none: only hosts that keep them with the files can.
func (c *checking) warnings() (all []i18n.Text) {
	kinds := slices.SortedFunc(maps.Keys(c.lacks), func(a, b lack) int {
		return cmp.Or(cmp.Compare(a.coding, b.coding), cmp.Compare(a.header, b.header))
	})
	for _, k := range kinds {
		switch l := c.lacks[k]; {
		case k.coding != "":
			all = append(all, i18n.New("files that are not served as %[2]s: %[1]d, such as %[3]s",
				l.files, k.coding, l.address))
		case k.other:
			all = append(all, i18n.New(
				"files with another %[2]s: %[1]d, such as %[3]s: it is %[4]q, and should be %[5]q",
				l.files, k.header, l.address, l.got, l.want,
			))
		case c.sent[k.header] || !aboutVersion(k.header) && k.header != "Link":
			all = append(all, i18n.New("files without %[2]s: %[1]d, such as %[3]s", l.files, k.header, l.address))
		}
	}
	return all
}
