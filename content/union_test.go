package content_test

import (
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

// part is the snapshot of one of several repositories, with an item.
func part(source content.Source, k *content.Kind, name string) *content.Snapshot {
	return content.NewSnapshot(content.Input{Source: source, Publications: []*content.Publication{{
		Kind: k, Name: name, Version: semver.New(1, 0, 0, "", ""), Source: source.Name,
		Text: content.Written{Object: content.Object{}.With(k.ID, content.String(name))},
	}}})
}

// What is served together is named by all that it follows from: by the state of the base that a
// later repository was read over, too.
func TestUnionIsNamedByWhatItFollowsFrom(t *testing.T) {
	base := part(content.Source{Name: "base", Refs: "a"}, content.Guidelines, "product.one.001")
	names := map[string]content.Source{}
	for _, house := range []content.Source{
		{Name: "house", Refs: "b"}, {Name: "house", Refs: "c"}, {Name: "house", Refs: "b", Over: "a"},
		{Name: "house", Refs: "b", Over: "older"}, {Name: "house", Refs: "b", Date: "2026-11-25"},
		{Name: "dept", Refs: "b"},
	} {
		joined, _ := content.Union([]*content.Snapshot{base, part(house, content.Guidelines, "house.one.001")})
		if other, known := names[joined.Refs]; known {
			t.Errorf("%+v and %+v have one name", house, other)
		}
		names[joined.Refs] = house
	}
}

// A name is that of an earlier item in any case of letters.
func TestTakenInAnyCase(t *testing.T) {
	b := content.NewBeneath([]*content.Snapshot{part(content.Source{Name: "base"},
		content.Guidelines, "product.one.001")})
	for _, name := range []string{"product.one.001", strings.ToUpper("product.one.001")} {
		if by, taken := b.Taken(content.Instructions, "own", name); !taken || by.Source != "base" {
			t.Errorf("the id %s is free: %+v", name, by)
		}
	}
	if by, taken := b.Taken(content.Guidelines, "product.two.001", ""); taken {
		t.Errorf("a name of its own is that of %+v", by)
	}
}
