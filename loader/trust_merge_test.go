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
		r.play(`
			mark anna one redacted; as nobody; checkout HEAD~1 -- $marks; commit Bring it back; checkout side
			as anna; edit three Три; merge --no-ff --no-edit main; branch -f main HEAD; checkout main
		`)
		if states, _ := r.states(); !strings.Contains(states, one+" redacted") {
			t.Errorf("%s", states)
		}
	})
	t.Run("settings of both sides", func(t *testing.T) {
		r := marked(t)
		r.as("")
		r.write(content.SettingsFile, strings.Replace(settings, "title: ", "title: Mallory ", 1)+"# signed\n")
		r.play("commit Of a stranger; checkout side; as anna")
		r.write(content.SettingsFile, settings+"# signed\n\n\n\n\n\n\n# signed again\n")
		r.play("commit Of a signer; merge --no-ff --no-edit main; branch -f main HEAD; checkout main")
		if title := r.loaded().Snapshot.Settings.Title; strings.Contains(title, "Mallory") {
			t.Errorf("the title is %q", title)
		}
	})
	t.Run("a line in a file under another name", func(t *testing.T) {
		r := marked(t)
		r.play(`
			as nobody; seal; edit one Чужое; publish one 1.1.0; mv $sums seals.txt; commit Move the file
			branch back; mv seals.txt $sums; seal; mv $sums seals.txt; commit --amend --no-edit; checkout back
			mv seals.txt $sums; commit Move it back; checkout main; as anna; merge --no-ff --no-edit back
		`)
		r.refuse(contentOf(r.load()), "v1.1.0 by")
	})
}
