//go:build slow

package export_test

import (
	"maps"
	"path"
	"regexp"
	"strings"
	"testing"
)

// A host that reads _headers gives every file the headers that the inventory states, as far as they are
// the same for many and the host does not choose well itself.
func TestHostHeaders(t *testing.T) {
	t.Parallel()
	files, inventory := exportOf(t, whole())
	rules := hostRules(t, string(files["_headers"]))
	byName := map[string]string{
		".html": "text/html", ".json": "application/json", ".md": "text/markdown", ".txt": "text/plain",
		".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
		".atom": "application/atom+xml", ".yaml": "application/yaml", ".jsonschema": "application/schema+json",
	}
	for _, l := range inventory.Files {
		if l.Name == "_headers" {
			continue // not served by such a host
		}
		want := maps.Clone(inventory.Headers)
		maps.Copy(want, l.Headers)
		got := map[string]string{"Content-Type": byName[path.Ext(l.Name)], "Cache-Control": revalidated}
		set := map[string]bool{}
		for _, r := range rules {
			if !r.pattern.MatchString("/" + l.Name) {
				continue
			}
			for name, value := range r.headers {
				if set[name] {
					t.Errorf("%s: two rules set %s", l.Name, name)
				}
				set[name], got[name] = true, value
			}
		}
		if l.Type != "text/html" { // one policy for everything, as hosts have no rules for types
			delete(want, "Content-Security-Policy")
		}
		if !strings.Contains(want["Cache-Control"], "immutable") {
			want["Cache-Control"] = revalidated
		}
		want["Content-Type"], got["Content-Type"] = bare(want["Content-Type"]), bare(got["Content-Type"])
		for name, value := range want {
			if !ofOne.MatchString(name) && got[name] != value {
				t.Errorf("%s: %s is %q, want %q", l.Name, name, got[name], value)
			}
		}
	}
}

// revalidated is what hosts say of files for which no rule says more.
const revalidated = "public, max-age=0, must-revalidate"

// ofOne matches the headers that differ from file to file.
var ofOne = regexp.MustCompile(`^(Etag|Last-Modified|Link|X-.*-(Id|Version|Status|Checksum|Index))$`)

func bare(mediaType string) string { return strings.TrimSuffix(mediaType, "; charset=utf-8") }

type hostRule struct {
	pattern *regexp.Regexp
	headers map[string]string
}

// hostRules reads rules within the limits of Cloudflare Pages, which are narrower than others.
func hostRules(t *testing.T, file string) (rules []hostRule) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimRight(file, "\n"), "\n") {
		header, isHeader := strings.CutPrefix(line, "  ")
		switch name, value, ok := strings.Cut(header, ": "); {
		case len(line) > 2000:
			t.Errorf("a line of %d characters", len(line))
		case line == "":
		case !isHeader:
			pattern := regexp.MustCompile(`:[a-z]+`).ReplaceAllString(regexp.QuoteMeta(line), `[^/]+`)
			if strings.Count(line, "*") > 1 || line[0] != '/' {
				t.Errorf("no pattern: %q", line)
			}
			pattern = "^" + strings.Replace(pattern, `\*`, ".*", 1) + "$"
			rules = append(rules, hostRule{regexp.MustCompile(pattern), map[string]string{}})
		case !ok || len(rules) == 0:
			t.Errorf("no header: %q", line)
		default:
			rules[len(rules)-1].headers[name] = value
		}
	}
	if len(rules) == 0 || len(rules) > 100 {
		t.Errorf("%d rules", len(rules))
	}
	return rules
}
