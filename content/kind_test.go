package content_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"rulestore/content"
)

// The table of kinds has no row that contradicts another.
func TestKindsAreConsistent(t *testing.T) {
	seen := map[string]string{}
	unique := func(k *content.Kind, what, value string) {
		if other := seen[what+value]; other != "" || value == "" {
			t.Errorf("%s has the %s %q, and so has %s", k.Folder, what, value, other)
		}
		seen[what+value] = k.Folder
	}
	for _, k := range content.Kinds {
		unique(k, "folder", k.Folder)
		unique(k, "name", k.Name)
		unique(k, "title", k.Title)
		unique(k, "id field", k.ID)
		unique(k, "version field", k.Version)
		unique(k, "header", k.Header)
		unique(k, "description", k.About)
		if k.Menu > 0 {
			unique(k, "place in the menu", strconv.Itoa(k.Menu))
		}
		if k.Weight <= 0 {
			t.Errorf("%s has the weight %v: say how much a search prefers them, 1 is neutral", k.Folder, k.Weight)
		}
		if k.List {
			unique(k, "list", k.Path)
		}
		listed := func(other *content.Kind) bool { return other.List && other.Path == k.Path }
		if !slices.ContainsFunc(content.Kinds, listed) {
			t.Errorf("no list is at %s, so nothing leads to %s: give it List and Summary, or the Path of a kind that "+
				"has them",
				k.Path, k.Folder)
		}
		for name, path := range k.Paths {
			unique(k, "path", path)
			if k.ItemPath(name) != path {
				t.Errorf("%s %s is at %s, expected %s", k.Name, name, k.ItemPath(name), path)
			}
		}
		if k.Format == k.Version || k.Format == "" {
			t.Errorf("%s keeps its format in %q", k.Folder, k.Format)
		}
		if k.List != (len(k.Summary) > 0) {
			t.Errorf("%s has a list: %t, and a summary of %q", k.Folder, k.List, k.Summary)
		}
		if k.Static != "" && !strings.HasSuffix(k.Static, "/") {
			t.Errorf("%s has plain files at %s", k.Folder, k.StaticPath("name"))
		}
		if content.KindOf(k.Folder) != k {
			t.Errorf("KindOf(%q) is another kind", k.Folder)
		}
		if slices.Contains(content.Derived, k.ID) {
			t.Errorf("%s is no name that an author may use", k.ID)
		}
	}
}

func TestOnlySomeKindsHaveFolders(t *testing.T) {
	for _, k := range content.Kinds {
		if got := k.ValidName("math/loan-calculation"); got != (k == content.OutputSchemas) {
			t.Errorf("a %s may be named math/loan-calculation: %t", k.Name, got)
		}
		if !k.ValidName("ru-2026") || k.ValidName("RU-2026") || k.ValidName("") {
			t.Errorf("names of a %s", k.Name)
		}
	}
}

func TestItemPaths(t *testing.T) {
	for _, test := range []struct {
		kind       *content.Kind
		name, want string
	}{
		{content.Guidelines, "product.common.001", "/api/v1/guidelines/product.common.001"},
		{content.Policies, "fallback-policy", "/api/v1/instructions/fallback-policy"},
		{content.Profiles, "integration-profile", "/api/v1/instructions/integration-profile"},
		{content.OutputSchemas, "math/loan-calculation", "/api/v1/schemas/math/loan-calculation"},
		{content.Registries, "fraud-signals", "/api/v1/fraud/signals"},
		{content.Registries, "currencies", "/api/v1/registries/currencies"},
		{content.Parameters, "a.b", "/api/v1/external-parameters/a.b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.kind.ItemPath(test.name); got != test.want {
				t.Errorf("%s %s is at %s, expected %s", test.kind.Name, test.name, got, test.want)
			}
		})
	}
}
