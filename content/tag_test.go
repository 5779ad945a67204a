package content_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

func TestParseTag(t *testing.T) {
	for _, test := range []struct {
		tag     string
		kind    *content.Kind
		name    string
		version string
	}{
		{"v1.8.0", nil, "", "1.8.0"},
		{"v0.0.0", nil, "", "0.0.0"},
		{"v2.0.0-rc.1", nil, "", "2.0.0-rc.1"},
		{"v18446744073709551615.0.0", nil, "", "18446744073709551615.0.0"},
		{"guidelines/product.common.001/v1.2.0", content.Guidelines, "product.common.001", "1.2.0"},
		{"guidelines/x/v1.2.1-0.20261120112100-abcdef123456", content.Guidelines, "x",
			"1.2.1-0.20261120112100-abcdef123456"},
		{"scenarios/investment_advice/v3.0.0", content.Scenarios, "investment_advice", "3.0.0"},
		{"scenarios/x/v1.0.0-RC.1-x-y", content.Scenarios, "x", "1.0.0-RC.1-x-y"},
		{"schemas/math/loan-calculation/v1.0.0", content.OutputSchemas, "math/loan-calculation", "1.0.0"},
		{"scenarios/v1.0.0/v1.0.0", content.Scenarios, "v1.0.0", "1.0.0"},
	} {
		t.Run(test.tag, func(t *testing.T) {
			got, err := content.ParseTag(test.tag)
			if err != nil {
				t.Errorf("%s: %v", test.tag, err)
				return
			}
			if got.Kind != test.kind || got.Name != test.name || got.Version.String() != test.version {
				t.Errorf("%s: got kind %v, name %q, version %s", test.tag, got.Kind, got.Name, got.Version)
			}
			if got.String() != test.tag {
				t.Errorf("%s: comes back as %s", test.tag, got)
			}
		})
	}
}

func TestForeignTagsAreLeftAlone(t *testing.T) {
	for _, tag := range []string{
		"", "v", "version-1", "release-1.0.0", "1.0.0", "V1.0.0", "vnext", "deploy/2026-05-01",
		"guideline/x/v1.0.0", "Guidelines/x/v1.0.0", "guidelines", "/v1.0.0",
		"/guidelines/x/v1.0.0", "refs/tags/v1.0.0",
	} {
		if _, err := content.ParseTag(tag); !errors.Is(err, content.ErrForeignTag) {
			t.Errorf("%q: got %v, expected ErrForeignTag", tag, err)
		}
	}
}

func TestParseTagSaysWhatIsWrong(t *testing.T) {
	const badName = " is no name of an item: use lower-case letters, digits, dots, hyphens and underscores"
	for tag, want := range map[string]string{
		"v1":                                `"v1" is not a semantic version of three numbers: write v1.0.0`,
		"v1.2":                              `"v1.2" is not a semantic version of three numbers: write v1.0.0`,
		"v01.2.3":                           `"v01.2.3" is not a semantic version of three numbers: write v1.0.0`,
		"v1.2.3.4":                          `"v1.2.3.4" is not a semantic version of three numbers: write v1.0.0`,
		"v1.0.0-":                           `"v1.0.0-" is not a semantic version of three numbers: write v1.0.0`,
		"v1.0.0-01":                         `"v1.0.0-01" is not a semantic version of three numbers: write v1.0.0`,
		"v1.0.0-a..b":                       `"v1.0.0-a..b" is not a semantic version of three numbers: write v1.0.0`,
		"v1.0.0-бета":                       `"v1.0.0-бета" is not a semantic version of three numbers: write v1.0.0`,
		"v1.0.0+":                           `"v1.0.0+" is not a semantic version of three numbers: write v1.0.0`,
		"v1.0.0\n":                          `"v1.0.0\n" is not a semantic version of three numbers: write v1.0.0`,
		"v1.0.0+build.5":                    `the version "v1.0.0+build.5" has build metadata, which cannot tell versions apart: write v1.0.0`,
		"v1.0.0-rc.1+5":                     `the version "v1.0.0-rc.1+5" has build metadata, which cannot tell versions apart: write v1.0.0`,
		"guidelines/x":                      `the tag names no version: write guidelines/x/v1.0.0`,
		"guidelines/v1.0.0":                 `the tag names no item: write guidelines/<name>/v1.0.0`,
		"guidelines/x/1.0.0":                `the version "1.0.0" does not start with v: write guidelines/x/v1.0.0`,
		"guidelines/x/":                     `the version "" does not start with v: write guidelines/x/v1.0.0`,
		"guidelines/x/v":                    `"v" is not a semantic version of three numbers: write guidelines/x/v1.0.0`,
		"guidelines//v1.0.0":                `""` + badName,
		"guidelines/X/v1.0.0":               `"X"` + badName,
		"guidelines/а/v1.0.0":               `"а"` + badName,
		"guidelines/a b/v1.0.0":             `"a b"` + badName,
		"guidelines/../v1.0.0":              `".."` + badName,
		"v1.0.0-" + strings.Repeat("a", 55): `the version has 61 characters, at most 60 are allowed: write v1.0.0`,
	} {
		t.Run(tag, func(t *testing.T) {
			_, err := content.ParseTag(tag)
			if err == nil || err.Error() != want {
				t.Errorf("%q:\n got %v\nwant %s", tag, err, want)
			}
		})
	}
}

func TestValidName(t *testing.T) {
	for name, want := range map[string]bool{
		"product.common.001":     true,
		"investment_advice":      true,
		"math/loan-calculation":  true,
		"0":                      true,
		"versions-of-x":          true,
		"a.locked":               true,
		strings.Repeat("a", 160): true,
		strings.Repeat("a", 161): false,
		"":                       false,
		".a":                     false,
		"-a":                     false,
		"_a":                     false,
		"a..b":                   false,
		"a/":                     false,
		"/a":                     false,
		"a//b":                   false,
		"a/../b":                 false,
		"a/.b":                   false,
		"A":                      false,
		"ё":                      false,
		"a b":                    false,
		"a\n":                    false,
		"a%2fb":                  false,
		"a:b":                    false,
		"a?b":                    false,
		`a\b`:                    false,
		"a.lock":                 false, // git refuses such a tag
		"a.lock/b":               false,
		"versions":               false, // its paths would be those of other items' versions
		"a/versions":             false,
		"a/versions/1.0.0":       false,
	} {
		t.Run(name, func(t *testing.T) {
			if got := content.ValidName(name); got != want {
				t.Errorf("ValidName(%q) = %t", name, got)
			}
		})
	}
}

// An accepted tag comes back as it was written: no two tags publish the same
// version.
func FuzzParseTag(f *testing.F) {
	for _, tag := range []string{"v1.0.0", "v1.0.0+a", "v1.0.0-rc.1", "guidelines/a.b.001/v1.2.3",
		"scenarios/a/b/v0.0.0-0", "guidelines/v1.0.0", "x/y/v1", "v00.1.2"} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tag, err := content.ParseTag(s)
		if err != nil {
			return
		}
		if tag.String() != s {
			t.Errorf("%q comes back as %q", s, tag)
		}
		if tag.Kind != nil && !content.ValidName(tag.Name) {
			t.Errorf("%q has the name %q", s, tag.Name)
		}
	})
}

func TestVersionText(t *testing.T) {
	for _, text := range []string{"0.0.0", "1.20.300", "18446744073709551615.18446744073709551615.18446744073709551615",
		"1.0.0-rc.1", "1.2.1-0.20261120112100-abcdef123456.dirty", "1.0.0+build", "1.0.0-a+b"} {
		if got := content.VersionText(semver.MustParse(text)); got != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
}
