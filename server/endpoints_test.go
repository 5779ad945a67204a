package server_test

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/server/api"
	"rulestore/server/site"
)

// namedEndpoints are the addresses that the manifest names, which are those of the
// well-known document.
func namedEndpoints(t *testing.T, c client) map[string]string {
	t.Helper()
	type document struct{ Endpoints map[string]string }
	manifest := decode[document](t, c.get("/").body).Endpoints
	if known := decode[document](t,
		c.get("/.well-known/service-for-robots.json").body).Endpoints; len(known) != len(manifest) {
		t.Errorf("%d endpoints, in the well-known document %d", len(manifest), len(known))
	}
	return manifest
}

var inBraces = regexp.MustCompile(`\{[a-z_]+\}`)

// pathFor returns a path at which a site has something, and which a template stands for; ""
// if there is none.
func pathFor(s *site.Site, template string) string {
	quoted := regexp.QuoteMeta(template)
	for _, p := range inBraces.FindAllString(template, -1) {
		one := `[^/]+?`
		if p == "{file}" {
			one = `SKILL\.md`
		}
		quoted = strings.Replace(quoted, regexp.QuoteMeta(p), one, 1)
	}
	pattern := regexp.MustCompile("^" + quoted + "$")
	paths := append(slices.DeleteFunc(s.Paths(), func(path string) bool {
		return s.Lookup(path) == nil || s.Lookup(path).Gone != nil
	}), api.FeedsPath+"all.atom")
	if view, ok := logs.Load(s.Snapshot); ok && s.HasLog() {
		for _, tile := range view.(*log.View).Tiles() {
			paths = append(paths, api.LogRoot+tile.Path())
		}
	}
	for _, item := range s.Snapshot.Items {
		if item.Current == nil || item.Current.Status == content.Redacted {
			continue
		}
		paths = append(paths, api.ComparePath+item.ID(), api.FeedsPath+item.ID()+".atom")
		if item.Kind == content.Instructions {
			paths = append(paths, api.SkillsPath+item.Name+"/SKILL.md")
		}
		for _, e := range item.Entries {
			paths = append(paths, api.ChecksumsPath+"/"+e.Checksum)
			if _, ok := s.Logged(e.Publication); ok && e.Status != content.Redacted {
				paths = append(paths, e.Path()+api.ProofSuffix)
			}
		}
		for _, code := range records(item.Current) {
			paths = append(paths, item.Kind.ItemPath(item.Name)+"/"+code)
		}
		if item.Kind == content.Parameters {
			paths = append(paths, item.Kind.ItemPath(item.Name)+"/periods")
		}
	}
	for _, path := range paths {
		if pattern.MatchString(path) && template != path {
			return path
		}
	}
	return ""
}

// isPosted reports whether the path answers only what is posted to it.
func (r response) isPosted() bool {
	return r.status == http.StatusMethodNotAllowed && strings.HasPrefix(r.header.Get("Allow"), "POST")
}

// Every address that the manifest names answers; of a template one that it stands for does.
func TestEndpointsAnswer(t *testing.T) {
	for name, s := range map[string]*site.Site{"kinds": kindsSite(), "own": openAPISite()} {
		t.Run(name, func(t *testing.T) {
			c := ask(t, s)
			for name, url := range namedEndpoints(t, c) {
				template, _ := strings.CutPrefix(url, baseURL)
				path := template
				if strings.Contains(template, "{") {
					path = pathFor(s, template)
				}
				switch path {
				case "":
					t.Errorf("%s: nothing is at any address of %s", name, template)
					continue
				case api.SearchPath:
					path += "?q=1"
				case api.FraudBriefPath:
					path += "?signal=" + aSignal(s)
				}
				r := c.get(path, "Accept", "*/*")
				if r.status != http.StatusOK && !r.isPosted() {
					t.Errorf("%s: %s answers %d", name, path, r.status)
				}
			}
		})
	}
}

// Every operation is named, or another's template has its address; and what the router takes
// is an operation.
func TestOperationsAreNamed(t *testing.T) {
	var templates []*regexp.Regexp
	for _, e := range api.Endpoints() {
		quoted := regexp.QuoteMeta(e.Path)
		for _, p := range inBraces.FindAllString(e.Path, -1) {
			quoted = strings.Replace(quoted, regexp.QuoteMeta(p), `[^/]+`, 1)
		}
		templates = append(templates, regexp.MustCompile("^"+quoted+"$"))
	}
	for _, o := range api.Operations() {
		named := false
		for _, template := range templates {
			named = named || template.MatchString(inBraces.ReplaceAllString(o.Path, "x"))
		}
		if !named && o.Action != api.WatchPreview { // a page of drafts waits alone
			t.Errorf("the manifest does not name %s %s", cmp.Or(o.Method, http.MethodGet), o.Path)
		}
	}
}
