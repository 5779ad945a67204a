package content

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
)

// ErrForeignTag is returned by [ParseTag] for a tag that is neither a publication nor a
// release; such tags are ignored.
var ErrForeignTag = errors.New("not a tag of rulestore")

// TagError is the reason why a tag meant for rulestore is invalid.
type TagError struct {
	Problem string   // in English
	Form    string   // the correct form; "" if the problem includes it
	Text    RuleText // the problem, for a finding
}

func (e *TagError) Error() string {
	if e.Form == "" {
		return e.Problem
	}
	return e.Problem + ": write " + e.Form
}

// Tag is the parsed name of a git tag: the version and the item that it publishes, or, without
// a kind, the product release.
type Tag struct {
	Kind    *Kind // nil for a product release
	Name    string
	Version *semver.Version
}

// ParseTag parses the name of a tag, without refs/tags/. Names of the form
// <folder>/<name>/v<semver> are publications, v<semver> is a release; any other name is
// ErrForeignTag, or a [TagError] if it resembles one of these. Versions are strict (semver.org
// 2.0.0) and have no build metadata, because 1.0.0+a and 1.0.0+b would be one version.
func ParseTag(s string) (Tag, error) {
	folder, rest, nested := strings.Cut(s, "/")
	if !nested {
		return parseReleaseTag(s)
	}
	kind := KindOf(folder)
	if kind == nil {
		return Tag{}, ErrForeignTag
	}
	i := strings.LastIndexByte(rest, '/')
	switch {
	case i < 0 && releaseTag.MatchString(rest):
		return Tag{}, &TagError{"the tag names no item", folder + "/<name>/" + rest, Say("tag", "item", nil)}
	case i < 0:
		return Tag{}, &TagError{"the tag names no version", s + "/v1.0.0", Say("tag", "version", nil)}
	}
	name, last := rest[:i], rest[i+1:]
	if !kind.ValidName(name) {
		return Tag{}, &TagError{
			Problem: fmt.Sprintf(
				"%q is no name of an item: use lower-case letters, digits, dots, hyphens and underscores", name,
			),
			Text: Say("tag", "name", Args{"name": name}),
		}
	}
	v, wrong := parseTagVersion(last)
	if wrong != nil {
		wrong.Form = folder + "/" + name + "/v1.0.0"
		return Tag{}, wrong
	}
	return Tag{Kind: kind, Name: name, Version: v}, nil
}

var releaseTag = regexp.MustCompile(`^v[0-9]`)

func parseReleaseTag(s string) (Tag, error) {
	if !releaseTag.MatchString(s) {
		return Tag{}, ErrForeignTag
	}
	v, wrong := parseTagVersion(s)
	if wrong != nil {
		wrong.Form = "v1.0.0"
		return Tag{}, wrong
	}
	return Tag{Version: v}, nil
}

func parseTagVersion(s string) (*semver.Version, *TagError) {
	fail := func(problem string, says RuleText) (*semver.Version, *TagError) {
		return nil, &TagError{Problem: problem, Text: says}
	}
	rest, ok := strings.CutPrefix(s, "v")
	if !ok {
		return fail(fmt.Sprintf("the version %q does not start with v", s), Say("tag", "v", Args{"version": s}))
	}
	v, err := semver.StrictNewVersion(rest)
	if err != nil {
		return fail(
			fmt.Sprintf("%q is not a semantic version of three numbers", s),
			Say("tag", "semantic", Args{"version": s}),
		)
	}
	if v.Metadata() != "" {
		return fail(
			fmt.Sprintf("the version %q has build metadata, which cannot tell versions apart", s),
			Say("tag", "build", Args{"version": s}),
		)
	}
	if len(rest) > maxVersion {
		return fail(fmt.Sprintf("the version has %d characters, at most %d are allowed", len(rest), maxVersion), Say(
			"tag", "length", Args{"length": len(rest), "most": maxVersion},
		))
	}
	return v, nil
}

const (
	maxVersion = 60
	maxName    = 160
)

// ValidName reports whether s can be the name of an item: it is used in file names, tags and
// URLs, so only characters that are safe in all three are allowed.
func ValidName(s string) bool {
	if len(s) > maxName {
		return false
	}
	for part := range strings.SplitSeq(s, "/") {
		if !validPart(part) {
			return false
		}
	}
	return true
}

// validPart reports whether a name may have this part: a letter or digit, then also ., _ and -.
// Git allows no tag with two dots or a part that ends in .lock; a part named versions would be the
// path of another item's versions.
func validPart(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && (i == 0 || c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	return s != "" && s != "versions" && !strings.Contains(s, "..") && !strings.HasSuffix(s, ".lock")
}

// String returns the name of the tag.
func (t Tag) String() string {
	if t.Kind == nil {
		return "v" + VersionText(t.Version)
	}
	return t.Item() + "/v" + VersionText(t.Version)
}

// Item returns the ID of the item that the tag publishes. It must not be called for a product
// release.
func (t Tag) Item() string { return t.Kind.Folder + "/" + t.Name }

// VersionText returns a version in the form used in tags, paths and documents. The result is
// that of the version's own String, without the cost of fmt: a load writes every version
// several times.
func VersionText(v *semver.Version) string {
	if v.Prerelease() != "" || v.Metadata() != "" {
		return v.String()
	}
	text := make([]byte, 0, 24)
	text = append(strconv.AppendUint(text, v.Major(), 10), '.')
	text = append(strconv.AppendUint(text, v.Minor(), 10), '.')
	return string(strconv.AppendUint(text, v.Patch(), 10))
}

// DraftVersion names a draft as the Go command names an untagged commit: after
// v1.2.0 comes 1.2.1-0.20261120112100-abcdef123456, after v1.3.0-rc.1 comes
// 1.3.0-rc.1.0.20261120112100-abcdef123456, and before any tag, when published is nil,
// 0.0.0-20261120112100-abcdef123456. The commit is the last that changed the
// file; .dirty says that the work tree differs from it.
func DraftVersion(published *semver.Version, commit string, committed time.Time, dirty bool) *semver.Version {
	stamp := committed.UTC().Format("20060102150405") + "-" + commit[:12]
	if dirty {
		stamp += ".dirty"
	}
	switch v := published; {
	case v == nil:
		return semver.New(0, 0, 0, stamp, "")
	case v.Prerelease() != "":
		return semver.New(v.Major(), v.Minor(), v.Patch(), v.Prerelease()+".0."+stamp, "")
	default:
		return semver.New(v.Major(), v.Minor(), v.Patch()+1, "0."+stamp, "")
	}
}

var draftTag = regexp.MustCompile(`^[^/]+/.*[.-]\d{14}-[0-9a-f]{12}(\.dirty)?$`)

// IsDraft reports whether a name in a report is not a tag but that of a draft.
func IsDraft(tag string) bool { return draftTag.MatchString(tag) }
