package author

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/content/i18n"
)

// Step is one thing that [Repository.Apply] does.
type Step struct {
	Do   Action
	Name string // the path of the file, the tag, or the remote repository
	Text string // of the file; the message of the commit or of the tag; what is pushed, a line each
	On   string // the commit to tag; "" is the one that is checked out then
	Was  string // what is put back: the text of the file, the object of the tag
}

// Action is what a step does.
type Action string

// The actions of steps, in their order. A file without a text is removed.
const (
	write  Action = "write"
	commit Action = "commit" // what was written, and nothing else
	tag    Action = "tag"
	push   Action = "push" // everything or nothing
)

// unpushed plans to push what the remote repository lacks of earlier publications, and verifies
// that it has the commits to be tagged.
func (p *planner) unpushed() {
	if p.there == nil || p.Mode == Prepare {
		return
	}
	sealed := p.seals.tags(nil)
	for _, tag := range p.those(Sealed) {
		sealed[tag] = true
	}
	var lacks []string
	for name, tag := range p.tags {
		t, err := content.ParseTag(name)
		if err == nil && !p.isThere(name) && tag.merged && (t.Kind == nil || sealed[name]) {
			lacks = append(lacks, name)
		}
	}
	slices.Sort(lacks)
	for _, name := range lacks {
		p.touch(Pushed, name)
	}
	for _, n := range p.Tags {
		if on := p.commitOf(n); p.Mode == Tag && (p.unsent[on] || p.there.branches[p.branch] == "") {
			p.obstacle(i18n.Errorf(
				"commit %s is not part of %s on %s yet: merge it there, `git pull`, then tag", on[:12], p.branch, p.remote,
			))
		}
	}
}

// commitOf is the commit that a tag is for, unless that is still to be made.
func (f *facts) commitOf(n NewTag) string { return cmp.Or(n.commit, f.head) }

// steps are what carries the plan out.
func (p *Plan) steps(f *facts, o Options) (steps []Step) {
	changed := f.seals.differing(p.after)
	for _, path := range changed {
		steps = append(steps, Step{Do: write, Name: path, Text: p.after[path], Was: f.seals[path]})
	}
	sealed := len(changed) > 0
	if sealed {
		steps = append(steps, Step{Do: commit, Text: inLanguageOf(f.snapshot.Settings, p.commitMessage())})
	}
	var refs []string
	for _, n := range p.Tags {
		if n.Seal != nil && o.Mode == Prepare {
			continue // tagged after the merge
		}
		s := Step{Do: tag, Name: n.Tag, Text: n.Message, On: n.commit, Was: n.was}
		if !sealed {
			s.On = f.commitOf(n)
		}
		steps, refs = append(steps, s), append(refs, "refs/tags/"+s.Name)
	}
	for _, name := range p.those(Pushed) {
		refs = append(refs, "refs/tags/"+name)
	}
	if f.there == nil {
		return steps
	}
	branch := o.Mode != Tag && (f.there.branches[f.branch] != f.head || sealed)
	if branch && (len(refs) > 0 || sealed || o.Mode == Prepare) {
		refs = slices.Insert(refs, 0, "HEAD:refs/heads/"+p.Branch)
	}
	if len(refs) > 0 {
		steps = append(steps, Step{Do: push, Name: p.Remote, Text: strings.Join(refs, "\n")})
	}
	return steps
}

// commitMessage is the message of the commit with the seals.
func (p *Plan) commitMessage() i18n.Text {
	var tags []string
	for _, n := range p.Tags {
		if n.Seal != nil {
			tags = append(tags, n.Tag)
		}
	}
	tags = append(tags, p.those(Sealed)...)
	switch {
	case len(tags) == 1:
		t, _ := content.ParseTag(tags[0]) // planned
		return i18n.New("Publish %s %s\n", t.Item(), t.Version)
	case len(tags) > 1:
		return i18n.New("Publish %d versions\n\n- %s\n", len(tags), strings.Join(tags, "\n- "))
	case len(p.those(Restored)) > 0:
		return i18n.New("Restore seals: %d\n", len(p.those(Restored)))
	}
	return i18n.New("Withdraw seals: %d\n", len(p.those(Withdrawn)))
}

// inLanguageOf is what is written into a repository, whoever does it: in the language of its content if that is
// Russian, else in English.
func inLanguageOf(s content.Settings, text i18n.Text) string {
	if s.DefaultLanguage != "ru" {
		return text.String()
	}
	return inRussian().Sprint(text)
}

var inRussian = sync.OnceValue(func() *i18n.Printer { return i18n.Russian(Russian()) })
