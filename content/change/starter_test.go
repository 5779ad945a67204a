package change_test

import (
	"slices"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

func load(t *testing.T, script gitrepo.Script) *content.Snapshot {
	t.Helper()
	source, err := gitrepo.InMemory(script)
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }
	r, err := loader.New(loader.Config{Source: source, Drafts: true, Schemas: schemas.Embedded(), Now: now}).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r.Snapshot
}

// The starter content is a history of real changes. Its authors gave a version
// that is smaller than the one asked for here to these seven, each of which narrows
// something or, of the compound rules, gave codes to what had none; every other step was
// large enough. A change of the tables of meanings
// shows here what it would have meant to authors.
func TestStarterHistory(t *testing.T) {
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	tooSmall, steps := []string{}, 0
	for _, it := range load(t, script).Items {
		for _, e := range it.Entries {
			if e.Predecessor == nil {
				continue
			}
			steps++
			fields, class := change.Of(schemas.Embedded(), it.Kind, it.Name, e.Predecessor.Body(), e.Body())
			if class == change.None {
				t.Errorf("%s: nothing differs from %s", e.Tag(), e.Predecessor.Version)
			}
			if !change.Enough(e.Predecessor.Version, e.Version, class) {
				i := slices.IndexFunc(fields, func(f change.Field) bool { return f.Class == class })
				tooSmall = append(tooSmall, e.Tag()+" "+fields[i].Path)
			}
		}
	}
	want := []string{
		"guidelines/consumer-rights.ombudsman-eligibility.001/v1.1.0 applicability.exclusions[1]",
		"guidelines/consumer-rights.primary-contact.001/v1.2.0 applicability.exclusions[3]",
		"guidelines/fraud.intercom-code-government-portal.001/v1.1.0 rules[code_not_disclosed].severity",
		"guidelines/product.kasko.analysis.001/v1.1.0 applicability.exclusions[1]",
		"instructions/fraud-response/v1.3.0 compound_rules[1]",
		"policies/fallback-policy/v1.1.0 cache_limits[instructions].max_age_hours",
		"parameters/consumer-rights.fo-response-extension-working-days/v1.1.0 conditions[2]",
	}
	if steps < 40 || !slices.Equal(tooSmall, want) {
		t.Errorf("of %d steps these were too small: %q", steps, tooSmall)
	}
}
