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

// A warningKind is a coding or a header in which a web server differs from what it should do.
type warningKind struct {
	coding string // in which it does not serve it, or
	header string // that it does not send
	other  bool   // it sends another value
}

// affectedFiles counts the files of a kind of warning, and has the header of one of them.
type affectedFiles struct {
	files              int
	address, got, want string // of the first by address
}

func (c *checking) warn(kind warningKind, of affectedFiles) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.affected[kind]
	if known == nil {
		known = new(affectedFiles)
		c.affected[kind] = known
	}
	if of.files = known.files + 1; of.files == 1 || of.address < known.address {
		*known = of
	}
	known.files = of.files
}

// headers compares the headers of a response. Those that say which version it is must be true where
// they are sent; the others are of no meaning for the content.
func (c *checking) headers(f filled, got http.Header) {
	want := headersByName(site.CommonHeaders)
	maps.Copy(want, headersByName(f.Headers))
	wrong := false
	for _, name := range slices.Sorted(maps.Keys(want)) {
		have, value := strings.Join(got.Values(name), ", "), want[name]
		if have != "" {
			c.noteSent(name)
		}
		switch {
		case setByServer[name] || isAcceptable(name, have, value):
		case have != "" && identifiesVersion(name):
			if !wrong { // once for a file
				c.note(i18n.New("%s as %s: %s is %q, and should be %q", f.Address, f.Type, name, have, value))
			}
			wrong = true
		default:
			kind := warningKind{header: name, other: have != ""}
			c.warn(kind, affectedFiles{address: f.Address, got: have, want: value})
		}
	}
}

func (c *checking) noteSent(header string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sentHeaders[header] = true
}

// setByServer are the headers that a web server determines itself, or that are compared otherwise.
var setByServer = map[string]bool{"Content-Length": true, "Content-Type": true, "Etag": true, "Last-Modified": true}

// identifiesVersion reports whether a header says which version a file is of.
func identifiesVersion(header string) bool {
	return strings.HasPrefix(header, "X-") && header != "X-Content-Type-Options"
}

// isAcceptable reports whether the value of a header has the effect of the expected one.
func isAcceptable(name, have, want string) bool {
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
	kinds := slices.SortedFunc(maps.Keys(c.affected), func(a, b warningKind) int {
		return cmp.Or(cmp.Compare(a.coding, b.coding), cmp.Compare(a.header, b.header))
	})
	for _, k := range kinds {
		switch l := c.affected[k]; {
		case k.coding != "":
			all = append(all, i18n.New("files that are not served as %[2]s: %[1]d, such as %[3]s",
				l.files, k.coding, l.address))
		case k.other:
			all = append(all, i18n.New(
				"files with another %[2]s: %[1]d, such as %[3]s: it is %[4]q, and should be %[5]q",
				l.files, k.header, l.address, l.got, l.want,
			))
		case c.sentHeaders[k.header] || !identifiesVersion(k.header) && k.header != "Link":
			all = append(all, i18n.New("files without %[2]s: %[1]d, such as %[3]s", l.files, k.header, l.address))
		}
	}
	return all
}
