package server_test

import (
	"net/http"
	"strings"
	"testing"

	"rulestore/content"
)

// lost is a text that was read late and is not what was sealed.
type lost struct{}

func (lost) Body() content.Object            { return nil }
func (lost) References() []content.Reference { return nil }

// A version whose text turns out not to be what was sealed is as good as unknown:
// nothing passes for it, and what is beside it is served.
func TestLateTextThatIsNotSealed(t *testing.T) {
	in := content.Input{Source: storeSite().Snapshot.Source}
	// 1.0.0, 1.1.0, 2.0.0
	for _, e := range storeSite().Snapshot.Item(content.Guidelines, "product.deposit.001").Entries {
		p := *e.Publication
		in.Publications = append(in.Publications, &p)
	}
	snapshot := content.NewSnapshot(in)
	found := snapshot.Items[0].Entries[1]
	found.Text = lost{}
	c := ask(t, build(nil, snapshot))
	item := strings.TrimSuffix(found.Path(), "/versions/"+found.Version.String())
	for _, path := range []string{
		found.Path(),
		item + "?as_of=" + found.PublishedAt.Format(content.Date),
		"/compare/" + found.Item() + "?from=" + found.Version.String(),
		"/compare/" + found.Item(),
	} {
		for _, accept := range []string{"application/json", "text/markdown", "text/html"} {
			if r := c.get(path, "Accept", accept); r.status != http.StatusNotFound {
				t.Errorf("%s as %s: %d\n%s", path, accept, r.status, r.body)
			}
		}
	}
	for _, path := range []string{item, item + "/versions", found.Successor.Path(),
		"/api/v1/changelog", "/api/v1/checksums"} {
		for _, accept := range []string{"application/json", "text/html"} {
			if r := c.get(path, "Accept", accept); r.status != http.StatusOK && r.status != http.StatusNotAcceptable {
				t.Errorf("%s as %s: %d\n%s", path, accept, r.status, r.body)
			}
		}
	}
}
