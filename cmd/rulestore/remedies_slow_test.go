//go:build slow

package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// remedies are situations in which a command is given advice. What the advice names as commands is
// run as it is written, with the words of fill in place of those that a person has to choose, until
// the command succeeds and advises nothing more; after that, the last script succeeds.
var remedies = []struct {
	name, before, command string
	says                  string // part of the advice
	fill                  []string
	again                 string // the command after it, if it is another
	after                 string
}{
	{
		name: "an unmerged tag elsewhere", command: "rulestore publish --push", says: "rulestore publish scenarios/one@1.0.2`",
		before: unmergedCommit + `git push -q origin $unmerged:refs/tags/scenarios/one/v1.0.1`,
	},
	{
		name: "versions that are taken", command: "rulestore publish --push", says: "rulestore publish scenarios/one@1.0.4`",
		before: unmergedCommit + `
			git tag scenarios/one/v1.0.1 $unmerged
			git tag scenarios/one/v1.0.2 $unmerged
			git push -q origin $unmerged:refs/tags/scenarios/one/v1.0.3`,
	},
	{
		name: "a prerelease that is taken", command: "rulestore publish scenarios/one@1.1.0-rc.1",
		says: "rulestore publish scenarios/one@1.1.0-rc.2`", again: "true", before: unmergedCommit + `git tag scenarios/one/v1.1.0-rc.1 $unmerged`,
	},
	{
		name: "a seal prepared over a tag elsewhere", command: "rulestore publish --tag --push",
		says: "git tag -d scenarios/one/v1.0.1`",
		before: unmergedCommit + `
			git push -q origin $unmerged:refs/tags/scenarios/one/v1.0.1
			git switch -q -c change
			rulestore publish --prepare
			git switch -q main
			git merge -q change
			git push -q`,
		after: "rulestore check --repo $BARE",
	},
	{
		name: "another tag elsewhere than here", command: "rulestore publish --push",
		says: "git push origin :refs/tags/scenarios/one/v1.0.1`",
		before: unmergedCommit + `
			rulestore publish
			git push -q origin main $unmerged:refs/tags/scenarios/one/v1.0.1`,
		after: "rulestore check --repo $BARE",
	},
	{
		name: "a served branch that was renamed", command: "rulestore publish",
		says: "git remote set-head origin -a`",
		before: `
			git remote set-head origin -a
			git -C $BARE branch -m main trunk
			git branch -m main trunk
			git fetch -q --prune
			git branch -q -u origin/trunk`,
		after: "rulestore check --repo .",
	},
	{
		name: "a tag named like the branch", command: "rulestore publish --push",
		before: "git tag main HEAD~1 && git push -q origin refs/tags/main",
		after:  "rulestore check --repo $BARE && rulestore validate && git rev-parse scenarios/one/v1.0.1",
	},
	{
		name: "somebody else published, and a tag named like the branch", command: "rulestore publish --prepare",
		says: "git merge heads/main`", again: "true", after: "rulestore publish --prepare", before: `
			git tag main HEAD~1
			printf 'scenario_id: one\nschema_version: "1.0"\ntitle: Первый\n\n\n\n\ndescription: Сценарий для испытаний.\n' > scenarios/one.yaml
			git commit -q -a -m A
			git branch late HEAD
			sed -i 's/^title: .*/title: Другой/' scenarios/one.yaml
			git commit -q -a -m B
			rulestore publish
			git switch -q late
			sed -i 's/^description: .*/description: Другое описание./' scenarios/one.yaml
			git commit -q -a -m C`,
	},
	{
		name: "other content than was tried", command: "rulestore publish scenarios/one@1.1.0",
		says: "rulestore diff scenarios/one 1.1.0-rc.1`", before: `
			rulestore publish scenarios/one@1.1.0-rc.1
			sed -i 's/^title: .*/title: Другой/' scenarios/one.yaml
			git commit -q -a -m B`,
	},
	{
		name: "a prerelease", command: "rulestore publish scenarios/one@1.1.0-rc.1",
		says: "rulestore publish scenarios/one@1.1.0`", after: "git rev-parse scenarios/one/v1.1.0",
	},
	{
		name: "sealed content that is lost", command: "rulestore validate",
		says: "rulestore mark scenarios/one@1.0.1 void", before: lost, after: "rulestore check --repo .",
	},
	{
		name: "a branch that has moved on", command: "rulestore publish --push", says: "git pull --rebase`",
		before: `
			git clone -q $BARE other
			git -C other commit -q --allow-empty -m Other
			git -C other push -q
			rm -r -f other`,
	},
	{
		name: "an address in place of a folder", command: "rulestore status --repo file://$BARE",
		says: "git clone file://", again: "true", after: "rulestore status --repo $(basename $BARE .git)",
	},
	{
		name: "no branch", command: "rulestore publish", says: "git switch BRANCH`", fill: []string{"BRANCH", "main"},
		before: "git switch -q --detach",
	},
	{
		name: "another branch", command: "rulestore status --ref other", says: "git switch other`",
		before: "git branch other",
	},
	{
		name: "nothing to prepare", command: "rulestore publish --prepare", says: "git switch -c <branch>`",
		fill: []string{"<branch>", "change"}, again: "true", after: "rulestore publish --prepare",
	},
	{
		name: "seals for a request", command: "git switch -q -c change && rulestore publish --prepare",
		says: "rulestore publish --tag --push` on the served branch", again: "true",
		before: "git push -q", fill: []string{
			"`rulestore publish --tag",
			"`git push -q origin HEAD:main && git switch -q main && git pull -q && rulestore publish --tag",
		},
		after: "rulestore check --repo $BARE",
	},
	{
		name: "no remote repository", command: "rulestore publish --push", says: "git remote add origin URL`",
		fill: []string{"URL", "$BARE"}, before: "git remote remove origin",
	},
	{
		name: "a commit in an unknown encoding", command: "rulestore publish",
		says: "git commit --amend -m MESSAGE`", fill: []string{"MESSAGE", "Второй", "VERSION", "1.0.1"},
		before: `printf '\317\360\340\342\352\340' | git -c i18n.commitEncoding=klingon commit -q --amend --file=-`,
		after:  "git cat-file tag scenarios/two/v1.0.1 | grep -q Второй && rulestore check --repo .",
	},
	{
		name: "seals of a commit in an unknown encoding", command: "rulestore publish --tag",
		says: "git tag -a -m MESSAGE scenarios/two/v1.0.1", fill: []string{"MESSAGE", "Второй"},
		before: `
			git switch -q -c change
			rulestore publish --prepare
			git switch -q main
			git reset -q --hard HEAD~2
			git merge -q --squash change
			printf '\317\360\340\342\352\340' | git -c i18n.commitEncoding=klingon commit -q --file=-`,
		after: "git cat-file tag scenarios/two/v1.0.1 | grep -q Второй && rulestore check --repo .",
	},
	{
		name: "a commit in windows-1251", command: "rulestore publish",
		before: `
			git config i18n.commitEncoding windows-1251
			printf '\317\360\340\342\352\340' | git commit -q --amend --file=-`,
		after: "git cat-file tag scenarios/two/v1.0.1 | grep -q Правка && git cat-file commit HEAD | grep -q ^Публикация && " +
			"! git cat-file commit HEAD | grep ^encoding",
	},
	{
		name: "nobody that git knows", command: "rulestore publish", says: "git config --global user.name",
		before: `
			git config --global --remove-section user
			git config user.useConfigOnly true`,
	},
	{
		name: "a key that cannot sign", command: "rulestore publish", says: "git config commit.gpgSign false`",
		before: `
			git config commit.gpgSign true
			git config gpg.format ssh
			git config user.signingKey nowhere`,
	},
	{
		name: "a prerelease that the file is not any more", command: "rulestore publish scenarios/one@1.1.0",
		says: "git checkout scenarios/one/v1.1.0-rc.1 -- scenarios/one.yaml`", before: `
			rulestore publish scenarios/one@1.1.0-rc.1
			git rm -q scenarios/one.yaml
			git commit -q -m Gone`,
		fill: []string{"one.yaml`", "one.yaml && git commit -q -m Back`"},
	},
	{
		name: "a day that has not come", command: "rulestore publish guidelines/product.common.001",
		says: "rulestore publish guidelines/product.common.001 --at 2999-01-01`", before: `
			sed -i 's/^valid_from: .*/valid_from: "2999-01-01"/' guidelines/product.common.001.yaml
			git commit -q -a -m A`,
	},
	{
		name: "a reference to what is not published", command: "rulestore publish guidelines/product.common.001",
		says: "rulestore publish guidelines/product.common.001 guidelines/product.fresh.001`", before: `
			sed s/product.common.001/product.fresh.001/ guidelines/product.common.001.yaml > guidelines/product.fresh.001.yaml
			sed -i '0,/^    severity: .*/s//&\n    related_guidelines: [product.fresh.001]/' guidelines/product.common.001.yaml
			git add guidelines
			git commit -q -a -m A`,
	},
	{
		name: "a mark that is not in force yet", command: "rulestore mark scenarios/one@1.0.0 archived --reason 'A reason'",
		says: "git add lifecycle.yaml && git commit -m", again: "true", after: "git diff --exit-code && git log -1 --format=%s lifecycle.yaml",
	},
	{
		name: "what is not merged elsewhere", command: "rulestore publish --tag --push", says: "git pull`, then tag", before: `
			git push -q
			git switch -q -c change
			rulestore publish --prepare
			git switch -q main
			git merge -q --no-ff -m Here change`,
		fill: []string{"`git pull", "`git push -q origin HEAD:main && git pull"},
	},
	{
		name: "a shallow clone", command: "rulestore validate --repo shallow", says: "git fetch --unshallow --tags`",
		before: "git push -q && git clone -q --depth=1 file://$BARE shallow && git -C shallow switch -q -c change",
		fill:   []string{"`git fetch", "`git -C shallow fetch"}, after: "rulestore publish --push --repo shallow --ref change",
	},
	{
		name: "no repository", command: "rulestore status --repo $BARE/..", says: "rulestore init DIR`",
		fill: []string{"`git init`", "`git init -q new`", "DIR", "../made"}, again: "rulestore status --repo ../made",
	},
	{
		name: "a folder that there is not", command: "rulestore check --repo ../nowhere",
		says: "rulestore init ../nowhere`",
	},
	{
		name: "trusted signers that there are not", command: "rulestore status --trusted-signers ../signers",
		says: "> ../signers`", before: "ssh-keygen -q -t ed25519 -N '' -f ../key",
		fill: []string{"~/.ssh/id_ed25519.pub", "../key.pub"}, again: "test -s ../signers",
	},
	{
		name: "a server that is not there", command: "rulestore verify http://127.0.0.1:48081",
		says: "rulestore serve --addr 127.0.0.1:48081`", fill: []string{"48081`", "48081 --admin-addr off " +
			">../out 2>&1 & echo $! >../pid; until rulestore healthcheck --addr 127.0.0.1:48081 2>../out; do sleep 0.1; done`"},
		after: "kill $(cat ../pid)",
	},
	{
		name: "a calculation without a request", command: "rulestore calc loan_payment </dev/null",
		says: "rulestore calc loan_payment --example | rulestore calc loan_payment`", again: "true",
	},
	{
		name: "a key that is none", command: "echo key > ../key && rulestore log sign --key-file ../key",
		says: "rulestore log key NAME FILE`", fill: []string{"NAME", "rules.example.org/log", "FILE", "../log.key"},
		again: "rulestore log sign --key-file ../log.key",
	},
	{
		name: "a log that nobody signed", command: "rulestore log", says: "rulestore log sign`",
		before: "rulestore log key rules.example.org/log ../log.key", fill: []string{"log sign", "log sign --key-file ../log.key"},
		after: "rulestore log check | grep -q 'leaves are signed'",
	},
	{
		name: "a work tree whose repository moved", command: "rulestore status --repo tree",
		says:   "git worktree repair`",
		before: "git clone -q $BARE main && git -C main worktree add -q ../tree && mv main moved",
		fill:   []string{"git worktree", "git -C moved worktree", "repair`", "repair ../tree`"},
	},
	{
		name: "nothing published yet", command: "rulestore check --repo new", says: "git tag -a guidelines/",
		before: "git init -q -b main new && cp -R rulestore.yaml scenarios new && git -C new add . && git -C new commit -q -m A",
		fill:   []string{"git tag", "git -C new tag", "guidelines/<guideline_id>", "scenarios/one"},
	},
	{
		name: "a shallow repository", command: "rulestore check --repo shallow", says: "git fetch --unshallow --tags`",
		before: "git push -q && git clone -q --depth=1 file://$BARE shallow", fill: []string{"git fetch", "git -C shallow fetch"},
	},
}

// unmergedCommit is a commit that is on no branch.
const unmergedCommit = "unmerged=$(git commit-tree -m Unmerged HEAD~2^{tree})\n"

// lost is a squash that lost what was sealed.
const lost = `
	git switch -q -c drift
	rulestore publish --prepare
	sed -i 's/^title: .*/title: Другой/' scenarios/one.yaml
	git commit -q -a -m B
	git switch -q main
	git reset -q --hard HEAD~2
	git merge -q --squash drift
	git commit -q -m Squashed
	git branch -q -D drift
	git reflog expire --expire=now --all
`

var backquoted = regexp.MustCompile("`((?:git|rulestore|echo) [^`]+)`")

func TestRemedies(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var all []string
	t.Cleanup(func() {
		if len(all) == len(remedies) {
			checkAllRun(t, strings.Join(all, ""))
		}
	})
	for _, c := range remedies {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newAdvised(t)
			if out, err := r.sh(c.before); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			said := r.follow(c.command, cmp.Or(c.again, c.command), strings.NewReplacer(c.fill...))
			mu.Lock()
			all = append(all, said)
			mu.Unlock()
			if !strings.Contains(said, c.says) {
				t.Errorf("nobody advised %s:\n%s", c.says, said)
			}
			if out, err := r.sh(c.after); err != nil {
				t.Errorf("after all: %v\n%s\n%s", err, out, said)
			}
		})
	}
}

// shown are commands that mend nothing: they show what there is.
var shown = regexp.MustCompile("`(git (status|fsck|tag|branch --all)|" +
	"rulestore (validate|status|rules|help|calc|admin|test|serve --help|log key))`|rulestore init` made")

// runElsewhere are the texts with other commands, each by its beginning, with what runs these.
var runElsewhere = map[string]string{
	"--policy asks for a signed log":         "a log that nobody signed: the same command",
	"not signed: %s has signed %d leaves":    "TestLogOfAServer",
	"not signed: the repository has no log":  "a log that nobody signed: the same command",
	"the log lacks %d of the seals":          "a log that nobody signed: the same command",
	"%s refuses the push":                    "publish-push.txtar",
	"%s, which readers find from":            "a day that has not come: the same command",
	", `rulestore validate --fix` mends":     "fix.txtar",
	"--base: %w; the clone is shallow":       "base.txtar",
	"branch %s has no %s":                    "no repository: the same command",
	"created %[1]s":                          "new.txtar: it lists what a person writes",
	"finish the merge first":                 "what is to be added is for a person to say",
	"not everything is committed":            "stored.txtar",
	"say the name of the key":                "a key that is none: the same command",
	"the clone is shallow: `git fetch":       "a shallow repository: the same command",
	"the folder %s with the content":         "not run yet",
	"the index of the work tree cannot":      "not run yet",
	"the index of the work tree has version": "no git writes such a version yet",
	"the repository borrows objects":         "not run yet",
	"the repository keeps its refs as":       "the git of the tests is older than 2.48",
}

// checkAllRun makes sure that every text that advises commands was said, or stands in one of the tables.
func checkAllRun(t *testing.T, said string) {
	t.Helper()
	for _, c := range catalogues() {
		for _, text := range c.Texts {
			english := text[0]
			if !backquoted.MatchString(shown.ReplaceAllString(english, "")) {
				continue
			}
			parts := verb.Split(english, -1)
			for i := range parts {
				parts[i] = regexp.QuoteMeta(parts[i])
			}
			inWords := regexp.MustCompile(strings.Join(parts, "(?s:.*)"))
			listed := false
			for beginning := range runElsewhere {
				listed = listed || strings.HasPrefix(english, beginning)
			}
			if listed == inWords.MatchString(said) {
				t.Errorf("listed %v: what runs the commands of %q?", listed, english)
			}
		}
	}
}

// advised is a repository whose author does as advised.
type advised struct {
	*testing.T
	dir string
	env []string
}

func newAdvised(t *testing.T) advised {
	t.Helper()
	bare, a := smallRepository(t)
	config := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(config, []byte("[user]\n\tname = A\n\temail = a@example.org\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return advised{t, a.dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+config, "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_TERMINAL_PROMPT=0", "GIT_MERGE_AUTOEDIT=no", "BARE="+bare)}
}

func (r advised) sh(script string) (string, error) {
	cmd := exec.Command("sh", "-e", "-c", script)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// follow runs a command, and what it advises, until it succeeds again and advises nothing more. It returns
// what was said.
func (r advised) follow(command, again string, fill *strings.Replacer) (said string) {
	r.Helper()
	done := map[string]bool{}
	for {
		out, err := r.sh(command)
		said += "$ " + command + "\n" + out
		var next []string
		for _, m := range backquoted.FindAllStringSubmatch(fill.Replace(out), -1) {
			if !done[m[1]] {
				done[m[1]] = true
				next = append(next, m[1])
			}
		}
		if len(next) == 0 {
			if err != nil {
				r.Fatalf("what is advised leads nowhere: %v\n%s", err, said)
			}
			return said
		}
		for len(next) > 0 { // what one advises comes before the others
			out, err := r.sh(next[0])
			said += "$ " + next[0] + "\n" + out
			if err != nil {
				r.Errorf("%s: %v\n%s", next[0], err, said)
			}
			next, command = next[1:], again
			for _, m := range backquoted.FindAllStringSubmatch(fill.Replace(out), -1) {
				if !done[m[1]] {
					done[m[1]] = true
					next = append([]string{m[1]}, next...)
				}
			}
		}
	}
}
