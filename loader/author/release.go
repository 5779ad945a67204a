package author

import (
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/i18n"
)

// release plans the tag of a product release: its message lists what was published since the
// previous release, for the changelog.
func (p *planner) release() error {
	if p.Release == nil {
		return nil
	}
	name := content.Tag{Version: p.Release}.String()
	highest := p.highestRelease()
	switch {
	case p.tags[name].commit == p.head && len(p.Tags) == 0:
		return nil // created by a run that was interrupted later
	case highest != nil && !p.Release.GreaterThan(highest):
		return i18n.Errorf("the release %s is not higher than v%s, which exists", name, highest)
	case p.isThere(name):
		return i18n.Errorf("the release %s exists already in %s", name, p.remote)
	}
	bullets := p.news()
	if len(bullets) == 0 {
		return i18n.Errorf("there is nothing to release: nothing was published since the last release")
	}
	p.Tags = append(p.Tags, NewTag{
		Tag: name, Old: highest, Why: i18n.New("a release of the product"),
		Message: inLanguageOf(
			p.snapshot.Settings, i18n.New("Release %s\n\n- %s", p.Release, strings.Join(bullets, "\n- ")),
		),
	})
	return nil
}

func (p *planner) highestRelease() (highest *semver.Version) {
	for name := range p.tags {
		t, err := content.ParseTag(name)
		if err == nil && t.Kind == nil && (highest == nil || t.Version.GreaterThan(highest)) {
			highest = t.Version
		}
	}
	return highest
}

// news lists what was published since the last release, and what is about to be.
func (p *planner) news() (lines []string) {
	var last time.Time
	if len(p.snapshot.Products) > 0 {
		last = p.snapshot.Products[0].Date
	}
	planned := map[string]bool{}
	for _, s := range p.Tags {
		planned[s.Tag] = true
	}
	for it, e := range p.published() {
		if p.isRead(e) && e.PublishedAt.After(last) && !planned[e.Tag()] {
			lines = append(lines, headline(it, e.ChangeNote))
		}
	}
	for _, s := range p.Tags {
		t, _ := content.ParseTag(s.Tag) // planned here
		lines = append(lines, headline(p.snapshot.ItemByID(t.Item()), s.Message))
	}
	return lines
}

// headline is the line about an item in the message of a release.
func headline(it *content.Item, message string) string {
	what := it.ID()
	for _, e := range it.Entries {
		if title := e.Body().Text("title"); title != "" {
			what = title
			break
		}
	}
	return what + ": " + content.ParseMessage(message).Subject
}
