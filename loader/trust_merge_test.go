package loader_test

import (
	"strings"
	"testing"

	"rulestore/content"
)

// A signed merge that git made by itself passes on what strangers did on either side.
func TestMergesVouchForNoStrangers(t *testing.T) {
	t.Run("marks that a stranger took away", func(t *testing.T) {
		r := marked(t)
		r.mark(r.anna, one+" redacted")
		r.as("")
		r.git("checkout", "-q", "HEAD~1", "--", content.LifecycleFile)
		r.commit("Bring it back")
		r.git("checkout", "-q", "side")
		r.as(r.anna)
		r.edit("test.three.001", "= Три")
		r.git("merge", "-q", "--no-ff", "--no-edit", "main")
		r.git("branch", "-f", "main", "HEAD")
		r.git("checkout", "-q", "main")
		if states, _ := r.states(); !strings.Contains(states, one+" redacted") {
			t.Errorf("%s", states)
		}
	})
	t.Run("settings of both sides", func(t *testing.T) {
		r := marked(t)
		r.as("")
		r.write(content.SettingsFile, strings.Replace(settings, "title: ", "title: Mallory ", 1)+"# signed\n")
		r.commit("Of a stranger")
		r.git("checkout", "-q", "side")
		r.as(r.anna)
		r.write(content.SettingsFile, settings+"# signed\n\n\n\n\n\n\n# signed again\n")
		r.commit("Of a signer")
		r.git("merge", "-q", "--no-ff", "--no-edit", "main")
		r.git("branch", "-f", "main", "HEAD")
		r.git("checkout", "-q", "main")
		if title := r.loaded().Snapshot.Settings.Title; strings.Contains(title, "Mallory") {
			t.Errorf("the title is %q", title)
		}
	})
	t.Run("a line in a file under another name", func(t *testing.T) {
		r := marked(t)
		r.as("")
		r.seal()
		r.edit(one, "= Чужое")
		r.tag(one, "1.1.0")
		r.git("mv", sums, "seals.txt")
		r.commit("Move the file")
		r.git("branch", "back")
		r.git("mv", "seals.txt", sums)
		r.seal()
		r.git("mv", sums, "seals.txt")
		r.git("commit", "-q", "--amend", "--no-edit")
		r.git("checkout", "-q", "back")
		r.git("mv", "seals.txt", sums)
		r.commit("Move it back")
		r.git("checkout", "-q", "main")
		r.as(r.anna)
		r.git("merge", "-q", "--no-ff", "--no-edit", "back")
		r.refuse(contentOf(r.load()), "v1.1.0 by")
	})
	t.Run("a file that a merge took away", func(t *testing.T) {
		r := marked(t)
		r.as("")
		r.edit(one, "= Чужое")
		r.git("branch", "before")
		r.tag(one, "1.1.0")
		r.seal()
		r.git("branch", "sealed")
		r.git("rm", "-q", sums)
		r.commit("Take the file away")
		r.merge("HEAD", "before", "sealed")
		r.git("checkout", "-q", "sealed", "--", sums)
		r.as(r.anna)
		r.commit("Bring the file back")
		r.refuse(contentOf(r.load()), "v1.1.0 by")
	})
}
