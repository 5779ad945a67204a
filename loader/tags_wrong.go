package loader

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
)

// correction is the corrected name of a tag that publishes nothing.
type correction struct {
	folder  string // "" without a folder, as for a release
	name    string // of the item, "" for a release
	version string
}

// tag returns the name of the right tag, "" if there is none.
func (g correction) tag() string {
	name := "v" + g.version
	if g.folder != "" {
		name = g.folder + "/" + g.name + "/" + name
	}
	if _, err := content.ParseTag(name); g.version == "" || err != nil {
		return ""
	}
	return name
}

// A version in common spellings, with or without a word before it. Groups: the word, the
// numbers, the rest.
var (
	looseVersion = regexp.MustCompile(
		`(?i)^(version|ver|release|rel|v)?[-_.]?([0-9]+(?:\.[0-9]+){0,` +
			`2})(?:[-_.]?((?:rc|alpha|beta|pre|dev)[-.0-9]*)|-([0-9a-z.-]+))?(?:\+.*)?$`,
	)
	joinedToName = regexp.MustCompile(`(?i)^(.+)[-_@](v?[0-9]+\.[0-9.]*[0-9].*|v[0-9].*)$`)
)

// looseOf parses a version in common spellings: 1.2, V1.9.0, release-1.9.0, 01.2.0. worded
// reports whether it is preceded by a known word.
func looseOf(s string) (version string, worded bool) {
	m := looseVersion.FindStringSubmatch(s)
	if m == nil {
		return "", false
	}
	numbers := strings.Split(m[2], ".")
	for i, n := range numbers {
		v, err := strconv.ParseUint(n, 10, 64)
		if err != nil {
			return "", false
		}
		numbers[i] = strconv.FormatUint(v, 10)
	}
	if m[1] == "" && len(numbers) < 3 || len(numbers[0]) == 4 && (numbers[0][:2] == "19" || numbers[0][:2] == "20") {
		return "", false // a number, or a date
	}
	for len(numbers) < 3 {
		numbers = append(numbers, "0")
	}
	version = strings.Join(numbers, ".")
	if pre := strings.ToLower(cmp.Or(m[3], m[4])); pre != "" {
		version += "-" + strings.Trim(pre, "-.")
	}
	return version, m[1] != ""
}

// correctTag returns the correction for the name of a foreign tag that resembles a valid one: a
// misspelt folder, other letters, a missing v, a missing number.
func correctTag(name string) correction {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "refs/"), "tags/")
	parts := strings.Split(name, "/")
	last := parts[len(parts)-1]
	if len(parts) == 1 || len(parts) == 2 && isRelease(parts[0]) {
		if version, worded := looseOf(last); version != "" && (worded || strings.Count(last, ".") >= 2) {
			return correction{version: version}
		}
	}
	version, _ := looseOf(last)
	if m := joinedToName.FindStringSubmatch(last); m != nil && version == "" && len(parts) > 1 {
		parts = append(parts[:len(parts)-1], m[1], m[2])
		version, _ = looseOf(m[2])
	}
	if k := nearKind(parts[0]); k != nil && len(parts) > 2 && version != "" {
		return correction{k.Folder, nearName(k, parts[1:len(parts)-1]), version}
	}
	if version != "" && len(parts) == 2 && strings.Contains(parts[0], ".") {
		return correction{name: nearName(content.Guidelines, parts[:1]), version: version}
	}
	return correction{}
}

// tagFilter finds the tags that publish something or resemble one that does, by the first parts of their
// names. Of others there may be hundreds of thousands, and every look at the repository lists them.
type tagFilter map[string]bool

// maxFolders is the maximum number of first parts that are compared with the names of kinds.
const maxFolders = 1000

// mayPublish reports whether a tag is looked at. Of one that it turns away neither [content.ParseTag] nor
// correctTag would make anything.
func (f tagFilter) mayPublish(name string) bool {
	folder, rest, nested := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(name, "refs/"), "tags/"), "/")
	if !nested {
		return releaseLike.MatchString(folder)
	}
	near, known := f[folder]
	if !known && len(f) < maxFolders {
		near = isRelease(folder) || nearKind(folder) != nil
		f[folder] = near
	}
	return near || strings.Contains(folder, ".") && !strings.Contains(rest, "/")
}

// releaseLike matches what resembles the tag of a release: a version, or a word for one before it.
var releaseLike = regexp.MustCompile(`(?i)^(v|r)[a-z]*[-_.]?[0-9]|^[0-9]+\.[0-9]+\.`)

// isRelease reports whether a folder of tags is one of releases.
func isRelease(folder string) bool {
	return slices.Contains([]string{"release", "releases", "version", "versions"}, strings.ToLower(folder))
}

// nearKind returns the kind with a similar folder: by its name, that of its items or that in
// its path, or by a typing error.
func nearKind(folder string) *content.Kind {
	folder = strings.ToLower(check.Latin(folder))
	var folders []string
	for _, k := range content.Kinds {
		if folder == k.Folder || folder == k.Name || k.List && strings.HasSuffix(k.Path, "/"+folder) {
			return k
		}
		folders = append(folders, k.Folder)
	}
	return content.KindOf(check.Nearest(folder, folders))
}

// nearName returns the corrected name, in the letters allowed in names; of a path, the last
// part for kinds without folders in names.
func nearName(k *content.Kind, parts []string) string {
	name := parts[len(parts)-1]
	if k.Folders {
		name = strings.Join(parts, "/")
	}
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".yaml"), ".yml")
	return strings.ToLower(check.Latin(name))
}

// maxWrongTags is the maximum number of findings about tags with wrong names, since foreign
// tags may be many.
const maxWrongTags = 20

// wrongTags reports tags whose names are wrong.
type wrongTags struct {
	*build
	reported, omitted int
	names             map[string]string // folders by the names of items, computed on first use
}

// whatIsWrong tells what is wrong with a name that cannot be parsed.
func whatIsWrong(name string, err error) misnamed {
	switch {
	case !errors.Is(err, content.ErrForeignTag):
		return wrong
	case correctTag(name) != correction{}:
		return nearly
	}
	return foreign
}

// report reports a tag that publishes nothing.
func (w *wrongTags) report(r *ref) {
	switch {
	case r.misnamed == nearly:
		w.nearly(r.name)
	case r.refused != nil && r.refused.Rule != "tag":
		w.refuse(r.name, *r.refused)
	case r.misnamed == foreign:
	case !w.mayReport():
		w.refuse(r.name)
	case r.refused != nil:
		w.refuse(r.name, *r.refused)
	default:
		w.refuse(r.name, w.misnamed(r.name))
	}
}

// misnamed is the finding about a tag that is meant for rulestore, with the right name if that can be told.
func (w *wrongTags) misnamed(name string) content.Finding {
	_, err := content.ParseTag(name)
	f := refusedTag(err)
	if right := correctTag(name).tag(); right != "" {
		f = check.Instead(f, w.remedy(name, right)...)
	}
	return f
}

// nearly reports a foreign tag whose name resembles a valid one.
func (w *wrongTags) nearly(name string) {
	g := correctTag(name)
	if g.name != "" && g.folder == "" {
		g.folder = w.folderOf(g.name)
		if g.folder == "" {
			return
		}
	}
	right := g.tag()
	if right == "" || !w.mayReport() {
		return
	}
	f := warning("", say("tag", "nearly", args{"right": right}).Advise(w.remedy(name, right)...))
	w.build.report.Add(about(name, f))
}

// mayReport reports whether another finding may be made.
func (w *wrongTags) mayReport() bool {
	if w.reported == maxWrongTags {
		w.omitted++
		return false
	}
	w.reported++
	return true
}

// reportOmitted reports the number of tags that were left out.
func (w *wrongTags) reportOmitted() {
	if w.omitted > 0 {
		w.build.report.Add(warning("", say("tag", "more", args{"more": w.omitted})))
	}
}

// folderOf returns the folder of the only item with that name, "" if there is none.
func (w *wrongTags) folderOf(name string) string {
	if w.names == nil {
		w.names = map[string]string{}
		for _, f := range w.history.Paths(w.refs.Commit) {
			if t, ok := itemAt(f.Path); ok {
				w.names[t.Name] = t.Kind.Folder
			}
		}
	}
	return w.names[name]
}

// remedy returns the commands that rename a tag, or that delete it if the correct one exists.
func (w *wrongTags) remedy(wrong, right string) []content.RuleText {
	if nth, foreign := check.Foreign(wrong); nth > 0 {
		return []content.RuleText{foreign, w.commands(wrong, right)}
	}
	return []content.RuleText{w.commands(wrong, right)}
}

func (w *wrongTags) commands(wrong, right string) content.RuleText {
	_, exists := slices.BinarySearchFunc(
		w.refs.Tags, right, func(t git.Ref, name string) int { return strings.Compare(t.Name, name) },
	)
	wrong, right = w.repo.FullTag(wrong), w.repo.FullTag(right) // as git knows them
	local, remote := quotedRef(wrong), quotedRef(":refs/tags/"+wrong)
	if exists {
		return say("tag", "there", args{"right": right, "wrong": local, "remote": remote})
	}
	return say(
		"tag", "meant",
		args{"right": quotedRef(right), "from": quotedRef(wrong + "^{}"), "wrong": local, "remote": remote},
	)
}

// safeRef matches names that need no quoting in a shell.
var safeRef = regexp.MustCompile(`^[A-Za-z0-9:][A-Za-z0-9._/:-]*$`)

// quotedRef quotes the name of a ref for a shell, since names are untrusted.
func quotedRef(name string) string {
	if safeRef.MatchString(name) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
