package loader_test

import (
	"os"
	"testing"

	"rulestore/content"
)

// withoutLook leaves out the look at an added tag, see [TestFunctionsOfOneTag].
const withoutLook = "RULESTORE_TEST_WITHOUT_LOOK"

// A tag that is added to a loaded repository is served by the next look.
func TestAddedTag(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0; edit two Два; publish two 1.0.0")
	l := r.loader()
	first, err := l.Load(t.Context())
	must(t, err)
	r.play("edit one Один, иначе; publish one 1.1.0")
	if os.Getenv(withoutLook) != "" {
		return
	}
	second, err := l.Look(t.Context(), first.State)
	must(t, err)
	got := second.Snapshot.Item(content.Guidelines, "test.one.001").Current
	if version := got.Version.String(); version != "1.1.0" || len(second.Report.Refused) > 0 {
		t.Errorf("%s is served: %v", version, second.Report.Findings)
	}
}
