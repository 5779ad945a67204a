package loader

import (
	"fmt"
	"strings"
	"testing"

	"rulestore/content"
)

// What tags and seals of an item claim, lowest version first.
func TestClaims(t *testing.T) {
	const item = "guidelines/test.one.001"
	for name, c := range map[string]struct{ tags, seals, want string }{
		"a tag":  {tags: "1.0.0", want: "1.0.0 tagged"},
		"a seal": {seals: "1.0.0", want: "1.0.0 sealed"},
		"both":   {tags: "1.0.0", seals: "1.0.0", want: "1.0.0 tagged sealed"},
		"in the order of numbers": {tags: "1.10.0 1.9.0", seals: "2.0.0 1.9.1",
			want: "1.9.0 tagged, 1.9.1 sealed, 1.10.0 tagged, 2.0.0 sealed"},
		"nothing": {},
	} {
		t.Run(name, func(t *testing.T) {
			o := &outcome{item: item}
			for i, v := range strings.Fields(c.tags) {
				r, err := newRef(item + "/v" + v)
				if err != nil {
					t.Fatal(err)
				}
				r.oid[0] = byte(i + 1)
				o.refs = append(o.refs, r)
			}
			for _, v := range strings.Fields(c.seals) {
				o.seals = append(o.seals, content.Seal{Tag: item + "/v" + v})
			}
			var got []string
			for _, x := range o.claims(nil) {
				text := fmt.Sprint(x.Version)
				if x.tagged() {
					text += " tagged"
				}
				if x.seal != nil && x.seal.Tag == x.name {
					text += " sealed"
				}
				got = append(got, text)
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%v, expected %s", got, c.want)
			}
		})
	}
}
