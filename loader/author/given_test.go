package author

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// given makes facts of lines, one a version of an item: the tag, or the item for its draft, what is true of it,
// and its title. True may be: sealed (with a line at the head), lost (sealed, and the line is gone), prepared
// (sealed on this branch alone), tagged, left (tagged on a commit that was left behind), there (the remote
// repository has the tag), served (the served branch has a seal), dirty (not committed), removed (it has no file),
// at:DAY (of its publication), from:DAY (valid_from), to:ITEM (it refers to). The branch is main, and so is the
// served one.
func given(t *testing.T, lines ...string) *facts {
	t.Helper()
	f := &facts{
		head: strings.Repeat("a", 40), branch: git.Branch, served: git.Branch, remote: "origin",
		now:  time.Date(2026, 3, 1, 12, 0, 0, 0, time.FixedZone("", 3*60*60)),
		tags: map[string]tagRef{}, seals: sealFiles{}, places: map[string]git.File{},
		base:     &loader.Base{Name: "origin/main", Seals: map[string]string{}, Tags: map[string]bool{}},
		sealedOn: func(*content.Publication) (string, bool) { return strings.Repeat("c", 40), true },
	}
	in := content.Input{Settings: content.Unsettled()}
	var sealed []string
	for _, line := range lines {
		g := reads(t, line)
		p := g.publication(t)
		name, seal := p.Tag(), content.Seal{Tag: p.Tag(), Checksum: p.Checksum, PublishedAt: p.PublishedAt}.String()
		if g.is("served") {
			f.base.Seals[name] = seal
			if !g.is("sealed") {
				continue
			}
		}
		if g.is("tagged") || g.is("left") {
			f.tags[name] = tagRef{oid: "object", commit: p.Commit, merged: g.is("tagged")}
		}
		if g.is("there") {
			f.remoteHas(name, "object")
		}
		if g.is("sealed") || g.is("prepared") {
			sealed = append(sealed, seal)
		}
		if g.is("prepared") {
			continue // it is no publication, as the load leaves it out
		}
		if g.is("sealed") && f.branch == f.served {
			f.base.Seals[name] = seal
		}
		if p.Sealed = g.is("sealed") || g.is("lost"); !g.is("removed") {
			f.places[p.Kind.File(p.Name)] = git.File{Path: p.Kind.File(p.Name), OID: git.BlobOID([]byte(g.title))}
		}
		in.Publications = append(in.Publications, p)
	}
	f.seals = f.seals.with(sealed, nil, nil)
	f.snapshot = content.NewSnapshot(in)
	return f
}

// remoteHas adds a tag to those of the remote repository, whose branch is at the head.
func (f *facts) remoteHas(tag, object string) {
	if f.there == nil {
		f.there = &remoteRefs{
			head: f.served, branches: map[string]string{f.branch: f.head}, tags: map[string]string{},
		}
	}
	f.there.tags[tag] = object
}

// line is a line of given.
type line struct {
	name, title string
	words       []string
}

func reads(t *testing.T, text string) line {
	t.Helper()
	fields := strings.Fields(text)
	return line{fields[0], fields[len(fields)-1], fields[1 : len(fields)-1]}
}

func (l line) is(word string) bool { return slices.Contains(l.words, word) }

// after is the rest of the word with a prefix.
func (l line) after(prefix, otherwise string) string {
	for _, w := range l.words {
		if rest, ok := strings.CutPrefix(w, prefix); ok {
			return rest
		}
	}
	return otherwise
}

// publication is the version of the line, with the content that an author would have written.
func (l line) publication(t *testing.T) *content.Publication {
	t.Helper()
	p := &content.Publication{Commit: strings.Repeat("b", 40), ChangeNote: l.title}
	tag, err := content.ParseTag(l.name)
	if err != nil {
		stamp := "1.0.1-0.20260301090000-aaaaaaaaaaaa"
		if l.is("dirty") {
			stamp += ".dirty"
		}
		p.Draft = true
		tag, err = content.ParseTag(l.name + "/v" + stamp)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.Kind, p.Name, p.Version = tag.Kind, tag.Name, tag.Version
	text := fmt.Sprintf("scenario_id: %s\nschema_version: \"1.0\"\ntitle: %s\ndescription: Сценарий для испытаний.\n",
		p.Name, l.title)
	if p.Kind == content.Instructions {
		text = fmt.Sprintf("instruction_id: service.test.001\nschema_version: \"1.0\"\ntitle: %s\n"+
			"summary: Описание проверки.\n"+
			"steps: [{step: 1, code: CHECK, title: Шаг, instructions: [Сравнить.]}]\nscenarios: [%s]\nvalid_from: %s\n",
			l.title, l.after("to:scenarios/", "one"), l.after("from:", "2026-01-01"))
	}
	r := check.Item(schemas.Embedded(), p.Kind, p.Name, []byte(text))
	if !r.OK() {
		t.Fatalf("%s: %v", l.name, r.Findings)
	}
	p.Text, p.Blob = content.Written{Object: r.Body, Refers: r.References}, git.BlobOID([]byte(l.title)).String()
	if p.PublishedAt, err = time.Parse(content.Date, l.after("at:", "2026-02-01")); err != nil {
		t.Fatal(err)
	}
	if p.Checksum, err = content.Checksum(content.Identified(p.Kind, p.Version, r.Body)); err != nil {
		t.Fatal(err)
	}
	return p
}

// does is what a plan does, a line each.
func does(p *Plan) string {
	var b strings.Builder
	for _, s := range p.Steps {
		first, _, _ := strings.Cut(s.Text, "\n")
		switch s.Do {
		case write:
			fmt.Fprintf(&b, "write %s%s\n", s.Name, edited(s))
		case commit:
			fmt.Fprintf(&b, "commit %s\n", first)
		case tag:
			on := "HEAD"
			if s.On != "" {
				on = s.On[:4]
			}
			fmt.Fprintf(&b, "tag %s %s %q\n", s.Name, on, first)
		case push:
			fmt.Fprintf(&b, "push %s %s\n", s.Name, strings.ReplaceAll(s.Text, "\n", " "))
		}
	}
	return b.String()
}

// edited are the lines of seals that a step adds and takes away, without checksums.
func edited(s Step) string {
	var b strings.Builder
	for _, side := range []struct{ sign, text, other string }{{"+", s.Text, s.Was}, {"-", s.Was, s.Text}} {
		for line := range strings.Lines(side.text) {
			if f := strings.Fields(line); !strings.Contains(side.other, line) {
				fmt.Fprintf(&b, " %s%s %s", side.sign, f[0][strings.LastIndex(f[0], "/")+1:], f[2][:len(content.Date)])
			}
		}
	}
	return b.String()
}

func version(text string) *semver.Version { return semver.MustParse(text) }
