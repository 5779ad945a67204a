package loader_test

import (
	"strings"

	"rulestore/content"
)

// play does what a script says, step by step; the steps are separated by semicolons or lines. They are commands of
// git, and those of [repo.step]. The words one, two … stand for the guidelines test.one.001, test.two.001 …
func (r *repo) play(script string) {
	r.Helper()
	script = strings.NewReplacer(
		"$sums", sums, "$marks", content.LifecycleFile, "$evil", strings.TrimPrefix(evil, "= "),
	).Replace(script)
	for _, step := range strings.FieldsFunc(script, func(c rune) bool { return c == ';' || c == '\n' }) {
		if words := strings.Fields(step); len(words) > 0 && !r.step(words[0], words[1:]) {
			r.git(words...)
		}
	}
}

// step does a step that is no command of git; it returns false for others.
func (r *repo) step(verb string, words []string) bool {
	r.Helper()
	id, version := "", ""
	if len(words) > 0 {
		id = "test." + words[0] + ".001"
	}
	if len(words) > 1 {
		version = words[1]
	}
	rest := func(from int) string { return strings.Join(words[from:], " ") }
	switch verb {
	case "as": // the next commits are signed by somebody, or by nobody
		r.as(r.keys[words[0]])
	case "commit": // everything, under a subject; given options it is git's
		if strings.HasPrefix(rest(0), "-") {
			return false
		}
		r.commit(rest(0))
	case "edit": // an item, to have a title
		r.edit(id, "= "+rest(1))
	case "empty": // the seals of the first item; not committed
		r.write(sums, "")
	case "publish": // an item: a tag
		r.tag(id, version)
	case "sign": // an item: a signed tag by somebody
		r.signedTag(id, version, r.keys[words[2]])
	case "seal": // an item: an edit with its seal, else all tags that are not sealed
		if len(words) == 0 {
			r.seal()
			return true
		}
		r.sealAs(id, version, "= "+rest(2))
	default:
		return false
	}
	return true
}
