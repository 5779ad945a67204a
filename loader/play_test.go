package loader_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"rulestore/content"
)

// play does what a script says, step by step; the steps are separated by semicolons or lines. They are commands of
// git, and those of [repo.step]. The words one, two … stand for the guidelines test.one.001, test.two.001 …
func (r *repo) play(script string) *repo {
	r.Helper()
	script = strings.NewReplacer(
		"$sums", sums, "$one", content.Guidelines.File(one), "$area", areaOne, "$marks", content.LifecycleFile,
		"$evil", strings.TrimPrefix(evil, "= "),
	).Replace(script)
	for _, step := range strings.FieldsFunc(script, func(c rune) bool { return c == ';' || c == '\n' }) {
		if words := strings.Fields(step); len(words) > 0 && !r.step(words[0], words[1:]) {
			r.git(words...)
		}
	}
	return r
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
	case "join": // the main branch: a merge of a tree, the seals of commits, and parents
		r.mergeOf(words[0], strings.Split(words[1], ","), strings.Split(words[2], ",")...)
	case "over": // the branch: a merge of a tree and parents
		r.merge(words[0], strings.Split(words[1], ",")...)
	case "keep": // the seals of the first item as they are in a commit; not committed
		r.write(sums, r.git("show", words[0]+":"+sums)+"\n")
	case "reseal": // the seals of the first item that a commit has
		r.addSeal(r.git("show", words[0]+":"+sums) + "\n")
	case "redate": // the only seal of the first item
		r.write(sums, regexp.MustCompile(`\S+\n`).ReplaceAllString(r.read(sums), words[0]+"\n"))
		r.commit("Seal")
	case "months": // go by
		n, err := strconv.Atoi(words[0])
		must(r, err)
		r.now = r.now.AddDate(0, n, 0)
	case "move": // a file, as authors do
		r.move(words[0], words[1])
	case "touch": // a file
		r.write(words[0], "")
	case "swell": // the seals of the first item, to more than is read; not committed
		r.write(sums, r.read(sums)+strings.Repeat("#", 33<<20)+"\n")
	case "break": // the seals of the first item; not committed
		r.write(sums, r.read(sums)+"broken\n")
	case "comment": // on no marks; not committed
		r.write(content.LifecycleFile, lifecycle()+"# on the side\n")
	case "spoil": // the marks; not committed
		r.write(content.LifecycleFile, "schema_version: \"1.0\"\nmarks: nothing\n")
	case "mark": // by somebody: items and statuses, between commas
		r.mark(r.keys[words[0]], marksOf(rest(1))...)
	default:
		do, ok := r.verbs[verb]
		if ok {
			do(words)
		}
		return ok
	}
	return true
}

// marksOf returns marks as [lifecycle] takes them.
func marksOf(text string) (marks []string) {
	for mark := range strings.SplitSeq(text, ", ") {
		if item, status, ok := strings.Cut(mark, " "); ok {
			marks = append(marks, "test."+item+".001 "+status)
		}
	}
	return marks
}

func (r *repo) read(path string) string {
	r.Helper()
	raw, err := os.ReadFile(filepath.Join(r.dir, path))
	must(r, err)
	return string(raw)
}
