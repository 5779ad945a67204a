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
		for _, tile := range view.(*log.Served).Tiles() {
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

// Every operation is named, or another's template has its address; and what is named is an operation's:
// TestOpenAPIAnswers asks each.
func TestOperationsAreNamed(t *testing.T) {
	has := func(template, path string) bool {
		pattern := regexp.QuoteMeta(template)
		for _, p := range inBraces.FindAllString(template, -1) {
			pattern = strings.Replace(pattern, regexp.QuoteMeta(p), `[^/]+`, 1)
		}
		return regexp.MustCompile("^" + pattern + "$").MatchString(inBraces.ReplaceAllString(path, "x"))
	}
	for _, o := range api.Operations() {
		if !slices.ContainsFunc(api.Endpoints(), func(e api.Endpoint) bool {
			return has(e.Path, o.Path)
		}) {
			t.Errorf("the manifest does not name %s %s", cmp.Or(o.Method, http.MethodGet), o.Path)
		}
	}
	for _, e := range api.Endpoints() {
		if !slices.ContainsFunc(api.Operations(), func(o *api.Operation) bool { return has(o.Path, e.Path) }) {
			t.Errorf("%s is named, and no operation is there", e.Path)
		}
	}
}
