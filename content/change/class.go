package change

import (
	"cmp"

	"github.com/Masterminds/semver/v3"

	"rulestore/content/i18n"
)

// Class is the effect of a change on readers of the item. A higher class requires a greater
// increment of the version.
type Class int

const (
	// None is no change of content: comments, layout, the order of fields.
	None Class = iota
	// Wording changes the text and is meant to keep the meaning.
	Wording
	// Addition adds something and removes nothing.
	Addition
	// Breaking removes something or narrows its meaning.
	Breaking
)

var classNames = [...]i18n.Text{i18n.New("none"), i18n.New("wording"), i18n.New("addition"), i18n.New("breaking")}

// String returns the name of the class: none, wording, addition or breaking.
func (c Class) String() string { return classNames[c].Format }

// MarshalText implements encoding.TextMarshaler by the name of the class.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// First is the first version of an item unless its author chooses a lower one.
func First() *semver.Version { return semver.New(1, 0, 0, "", "") }

// lowest is the lowest version that a first publication can have.
func lowest() *semver.Version { return semver.New(0, 1, 0, "", "") }

// Next returns the lowest stable version that a change of the class may have after the
// published version, which is nil if there is none.
func Next(published *semver.Version, c Class) *semver.Version {
	if published == nil {
		return First()
	}
	return increment(published, incremented(published, c))
}

// increment increments the number of a version that a class stands for: Breaking the first,
// Addition the second, others the third.
func increment(version *semver.Version, c Class) *semver.Version {
	v := *version
	switch c {
	case Breaking:
		v = v.IncMajor()
	case Addition:
		v = v.IncMinor()
	default:
		v = v.IncPatch()
	}
	return &v
}

// incremented returns which number of the version a change increments: Breaking the first,
// Addition the second, Wording the third; before 1.0.0 the one to the right of it.
func incremented(v *semver.Version, c Class) Class {
	if v.Major() == 0 {
		return max(c-1, Wording)
	}
	return c
}

// Fit compares the increment from one version to a later one with the one that a change of the
// class requires: -1 if it is smaller, 0 if it is equal, 1 if it is greater.
func Fit(from, to *semver.Version, c Class) int {
	actual := Wording
	switch {
	case from.Major() != to.Major():
		actual = Breaking
	case from.Minor() != to.Minor():
		actual = Addition
	}
	return cmp.Compare(actual, incremented(from, max(c, Wording)))
}

// Enough reports whether a version is high enough after the published one (nil: none) for a
// change of the class. A prerelease counts as its stable version.
func Enough(published, next *semver.Version, c Class) bool {
	release := semver.New(next.Major(), next.Minor(), next.Patch(), "", "")
	if published == nil {
		return !release.LessThan(lowest())
	}
	return next.GreaterThan(published) && !release.LessThan(Next(published, c))
}

// Bump is the increment of a version that an author requests.
type Bump string

// The increments.
const (
	Major Bump = "major"
	Minor Bump = "minor"
	Patch Bump = "patch"
)

// ParseBump parses an increment.
func ParseBump(s string) (Bump, error) {
	switch b := Bump(s); b {
	case Major, Minor, Patch:
		return b, nil
	}
	return "", i18n.Errorf("%q is no step of a version: write major, minor or patch", s)
}

// From returns the published version incremented literally: major leads to 1.0.0 also before
// 1.0.0. Without a published version the result is always [First].
func (b Bump) From(published *semver.Version) *semver.Version {
	if published == nil {
		return First()
	}
	return increment(published, map[Bump]Class{Major: Breaking, Minor: Addition}[b])
}
