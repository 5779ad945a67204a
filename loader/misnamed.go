package loader

import (
	"cmp"
	"errors"
	"path"
	"regexp"
	"strings"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/check"
)

// tagFilter finds the tags that publish something or resemble one that does, by the first parts of their
// names. Of others there may be hundreds of thousands, and every look at the repository lists them.
type tagFilter map[string]bool

// maxFolders is the maximum number of first parts that are compared with the names of kinds.
const maxFolders = 1000

// releaseLike matches what resembles the tag of a release: a version, but no date.
var releaseLike = regexp.MustCompile(`^([vV][.-]?[0-9]|[0-9]{1,3}\.[0-9]+\.[0-9])`)

// mayPublish reports whether a tag is looked at.
func (f tagFilter) mayPublish(name string) bool {
	folder, _, nested := strings.Cut(name, "/")
	if !nested {
		return releaseLike.MatchString(name)
	}
	near, known := f[folder]
	if !known && len(f) < maxFolders {
		near = nearKind(folder) != nil
		f[folder] = near
	}
	return near
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

// rightTag returns the name that was meant by one that publishes nothing, "" if that cannot be told.
func rightTag(name string) string {
	parts := strings.Split(strings.ToLower(check.Latin(name)), "/")
	last := len(parts) - 1
	v, err := semver.NewVersion(strings.TrimLeft(parts[last], "v.-"))
	if err != nil {
		return ""
	}
	t := content.Tag{Version: semver.New(v.Major(), v.Minor(), v.Patch(), v.Prerelease(), "")}
	if last > 0 {
		t.Kind, t.Name = nearKind(parts[0]), path.Join(parts[1:last]...)
		if !t.Kind.Folders {
			t.Name = path.Base(t.Name)
		}
	}
	if _, err := content.ParseTag(t.String()); err != nil {
		return ""
	}
	return t.String()
}

// maxMisnamed is the maximum number of findings about tags with wrong names, since somebody else's may be many.
const maxMisnamed = 20

// reportMisnamed reports tags whose names are wrong. Those that are meant for a kind or a release are refused.
func (b *build) reportMisnamed(tags []*ref) {
	for i, r := range tags {
		_, err := content.ParseTag(r.name)
		var found []content.Finding
		if i < maxMisnamed {
			found = append(found, b.misnamed(r.name, err))
		}
		if errors.Is(err, content.ErrForeignTag) {
			b.report.Add(found...)
		} else {
			b.refuse(r.name, found...)
		}
	}
	if more := len(tags) - maxMisnamed; more > 0 {
		b.report.Add(warning("", say("tag", "more", args{"more": more})))
	}
}

// misnamed is the finding about a tag with a wrong name, with the right one if that can be told.
func (b *build) misnamed(name string, err error) content.Finding {
	f, right := refusedTag(err), rightTag(name)
	if errors.Is(err, content.ErrForeignTag) {
		form := right
		if folder, _, nested := strings.Cut(name, "/"); right == "" && nested {
			form = nearKind(folder).Folder + "/<name>/v1.0.0"
		}
		f = warning("", say("tag", "nearly", args{"right": cmp.Or(form, "v1.0.0")}).Advise(say("tag", "again", nil)))
	}
	if right != "" {
		wrong := b.repo.FullTag(name) // as git knows it
		right = b.repo.FullTag(right)
		f = check.Instead(f, say("tag", "meant", args{
			"right": quotedRef(right), "from": quotedRef(wrong + "^{}"), "wrong": quotedRef(wrong),
			"remote": quotedRef(":refs/tags/" + wrong),
		}))
	}
	return about(name, f)
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
