package loader_test

import (
	"strings"
	"testing"

	"rulestore/content"
)

// Notes in an encoding that they do not state are not published, and reported if they are.
func TestUnreadableNotes(t *testing.T) {
	r := newRepo(t)
	file := content.Guidelines.File("product.deposit.001")
	r.write(file, guidelineText("product.deposit.001"))
	r.git("add", ".")
	r.git("-c", "i18n.commitEncoding=windows-1251", "commit", "-q", "-m", "\xc2\xea\xeb\xe0\xe4")
	r.git("tag", "guidelines/product.deposit.001/v1.0.0")
	r.write(file, strings.Replace(guidelineText("product.deposit.001"), "Проверка", "Сверка", 1))
	r.git("-c", "i18n.commitEncoding=klingon", "commit", "-q", "-a", "-m", "\xd1\xe2\xe5\xf0\xea\xe0")
	l := r.loader()
	l.Drafts = true
	result, err := l.Load(t.Context())
	must(t, err)
	entries := result.Snapshot.Item(content.Guidelines, "product.deposit.001").Entries
	if len(entries) != 1 || entries[0].ChangeNote != "Вклад" {
		t.Errorf("%d entries, the first has the note %q: the draft is refused", len(entries), entries[0].ChangeNote)
	}
	said := func(want string) {
		t.Helper()
		for _, f := range result.Report.Findings {
			if f.Rule == "encoding" && strings.Contains(string(f.Severity)+" "+f.Tag+" "+f.Message, want) {
				return
			}
		}
		t.Errorf("nobody said %s: %v", want, result.Report.Findings)
	}
	commit := r.git("rev-parse", "HEAD")
	said("the message of commit " + commit[:12] + " is not UTF-8")
	r.git("tag", "guidelines/product.deposit.001/v1.0.1")
	r.git("tag", "-a", "-m", "\xd1\xe2\xe5\xf0\xea\xe0", "v1.0.0")
	for range 2 { // the second load has the publications of the first
		if result, err = l.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		said("warning guidelines/product.deposit.001/v1.0.1 the note of the change")
		said("warning v1.0.0 the note of the change")
		r.git("commit", "-q", "--allow-empty", "-m", "Another")
	}
}
