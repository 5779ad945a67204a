package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/author"
	"rulestore/loader/git"
	"rulestore/loader/signers"
	"rulestore/schemas"
)

type statusFlags struct {
	repo, ref, format, signers string
}

func newStatus(e *env) *cobra.Command {
	var f statusFlags
	c := newCommand("status", 0, 0, func(ctx context.Context, _ []string) error {
		return showStatus(ctx, e, f)
	})
	flags := c.Flags()
	repoFlag(flags, &f.repo)
	flags.StringVar(&f.ref, "ref", "", "")
	choiceVar(flags, &f.format, "format", "text", "text", "json")
	pathVar(flags, &f.signers, "trusted-signers", "")
	return c
}

// report is the result of status.
type report struct {
	Branch       string                `json:"branch"`
	Commit       string                `json:"commit"`
	Items        int                   `json:"items"`
	Publications int                   `json:"publications"`
	Product      string                `json:"product,omitempty"` // the newest release of the product
	Drafts       []draft               `json:"drafts"`
	Refused      []unserved            `json:"refused"`
	Held         []unserved            `json:"held"`
	Next         []author.NewTag       `json:"next"`               // what the next publish would do
	Unsealed     []string              `json:"unsealed,omitempty"` // the tags that it would seal
	Restored     []string              `json:"restored,omitempty"` // the tags whose seals it would write again
	Waits        []author.DeferredItem `json:"waits"`              // what it would leave out
	Obstacles    []author.Obstacle     `json:"obstacles"`          // what it would ask for first
	Signed       []signed              `json:"signed,omitempty"`   // where signers are asked for
	Vouched      []content.SignedFile  `json:"vouched,omitempty"`  // and where the files of the root are from
	Other        []content.Finding     `json:"findings"`

	others []author.Other // what it would do about earlier publications
}

// signed is a publication with its signers.
type signed struct {
	Tag string `json:"tag"`
	content.Signature
}

// draft is an item whose file differs from all publications.
type draft struct {
	Item      string       `json:"item"`
	Version   string       `json:"version"`             // a pseudo-version
	Published string       `json:"published,omitempty"` // the highest stable version
	Committed bool         `json:"committed"`
	Class     change.Class `json:"class"`
}

// unserved is a tag, or the pseudo-version of a draft, that is not served, and why.
type unserved struct {
	Tag string            `json:"tag"`
	Why []content.Finding `json:"why"`
}

func showStatus(ctx context.Context, e *env, f statusFlags) error {
	trusted, err := readSigners(f.signers, f.repo)
	if err != nil {
		return err
	}
	l := e.newDraftLoader(f.repo, f.ref, trusted)
	if l.Rewritable, err = f.rewritable(); err != nil {
		return err
	}
	r, err := l.LoadToPlan(ctx)
	if err != nil {
		return err
	}
	s := newReport(r)
	if trusted != nil {
		l = nil // publish uses none
	}
	s.next(ctx, e, f, l)
	return e.print(f.format, outcome{text: s.text, document: func([]jsonFinding) any { return s }})
}

// rewritable returns the function for seals that the branch of a pull request may rewrite, nil on
// other branches: they are not published.
func (f statusFlags) rewritable() (func(line string) bool, error) {
	if f.ref != "" {
		return nil, nil
	}
	repo, err := git.CutOnDisk(f.repo).Open()
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	head, err := repo.Head()
	if err != nil {
		return nil, nil // the load returns the reason
	}
	base, err := servedBase(repo, head, true)
	if base == nil || err != nil {
		return nil, err
	}
	return base.Rewritable, nil
}

// loadDrafts loads a repository with its drafts.
func (e *env) loadDrafts(ctx context.Context, repo, branch string, trusted *signers.Set) (loader.Loaded, error) {
	return e.newDraftLoader(repo, branch, trusted).LoadToPlan(ctx)
}

// newDraftLoader returns a loader of a repository with its drafts.
func (e *env) newDraftLoader(repo, branch string, trusted *signers.Set) *loader.Loader {
	return loader.New(loader.Config{
		Source: git.OnDisk(repo), Branch: branch, Drafts: true, Schemas: schemas.Embedded(), Signers: trusted,
		Now: time.Now, Filters: true, Environ: e.environ, Opened: &loader.Opened{},
	})
}

func newReport(r loader.Loaded) *report {
	s := &report{
		Branch: r.Snapshot.Branch, Commit: r.Snapshot.Commit,
		Vouched: r.Snapshot.SignedFiles,
		Drafts:  []draft{}, Refused: []unserved{}, Held: []unserved{}, Other: []content.Finding{},
	}
	if p := r.Snapshot.Products; len(p) > 0 {
		s.Product = p[0].Version
	}
	for _, it := range r.Snapshot.Items {
		s.count(it)
	}
	s.unserved(r.Report)
	return s
}

// next adds the result of the next publish, computed by the same code.
func (s *report) next(ctx context.Context, e *env, f statusFlags, l *loader.Loader) {
	repo, err := author.Look(f.repo, e.environ)
	plan := &author.Plan{}
	if err == nil {
		plan, err = repo.Next(ctx, author.Options{Schemas: schemas.Embedded(), Ref: f.ref, Loader: l})
	}
	if err != nil {
		plan = &author.Plan{Obstacles: []author.Obstacle{{Reason: err}}}
	}
	s.Next, s.Waits, s.Obstacles, s.others = list(plan.Tags), list(plan.Deferred), list(plan.Obstacles), plan.Others
	for _, o := range plan.Others {
		switch o.What {
		case author.Sealed:
			s.Unsealed = append(s.Unsealed, o.Tag)
		case author.Restored:
			s.Restored = append(s.Restored, o.Tag)
		}
	}
	s.Other = slices.DeleteFunc(s.Other, func(f content.Finding) bool {
		return f.Rule == "seal-behind" && plan.Served(f.Tag)
	})
}

// count adds an item, and its draft if it has one.
func (s *report) count(it *content.Item) {
	n := it.Publications()
	s.Publications += n
	if n > 0 {
		s.Items++
	}
	for _, e := range it.Entries {
		if e.SignedBy != (content.Signature{}) {
			s.Signed = append(s.Signed, signed{e.Tag(), e.SignedBy})
		}
	}
	d := change.DraftOf(it)
	if d == nil {
		return
	}
	out := draft{
		Item: it.ID(), Version: d.Version.String(), Committed: !strings.HasSuffix(d.Version.Prerelease(), ".dirty"),
	}
	var body content.Object
	if published := change.Published(it, true); published != nil { // as a plan compares
		out.Published, body = published.Version.String(), published.Body()
	}
	_, out.Class = change.Of(schemas.Embedded(), it.Kind, it.Name, body, d.Body())
	s.Drafts = append(s.Drafts, out)
}

// unserved sorts the findings of a load by the tags that they keep back.
func (s *report) unserved(r content.Report) {
	why := map[string][]content.Finding{}
	for _, tag := range slices.Concat(r.Refused, r.Held) {
		why[tag] = nil
	}
	for _, f := range r.Findings {
		if _, back := why[f.Tag]; back {
			why[f.Tag] = append(why[f.Tag], f)
		} else {
			s.Other = append(s.Other, f)
		}
	}
	for _, tag := range r.Refused {
		s.Refused = append(s.Refused, unserved{tag, list(why[tag])})
	}
	for _, tag := range r.Held {
		s.Held = append(s.Held, unserved{tag, list(why[tag])})
	}
}

// text writes the report for a person: parts with a title, of which those without lines are left out.
func (s *report) text(p page) {
	product := i18n.Text{}
	if s.Product != "" {
		product = i18n.New(", product %s", s.Product)
	}
	p.line(
		"branch %s at %s: %s of %s%v", s.Branch, content.ShortCommit(s.Commit),
		i18n.Count{N: s.Publications, Noun: "publication"}, i18n.Count{N: s.Items, Noun: "item"}, product,
	)
	tags, rest := wrongTags(s.Other)
	p.part(i18n.New("signed"), s.signatureLines(p))
	p.part(i18n.New("drafts"), linesOf(s.Drafts, func(d draft) string {
		return p.say("%s %s: %s", d.Item, tinted{p.dim, d.Version}, d.state())
	}))
	p.part(i18n.New("refused"), linesOf(s.Refused, func(u unserved) string { return u.text(p, p.red) }))
	p.part(i18n.New("waiting"), linesOf(s.Held, func(u unserved) string { return u.text(p, p.yellow) }))
	p.part(i18n.New("the next publish would make"), append(linesOf(s.Next, func(n author.NewTag) string {
		subject, _, _ := strings.Cut(n.Message, "\n")
		if subject == "" {
			subject = p.say("(left out until it is committed)")
		}
		return p.say("%s: %s: %s", tinted{p.green, n.Tag}, n.Why, subject)
	}), linesOf(s.others, func(o author.Other) string { return p.localized(o) })...))
	p.part(i18n.New("the next publication would leave out"), linesOf(s.Waits, func(n author.DeferredItem) string {
		return content.Printable(p.printer.Error(n.Why))
	}))
	p.part(i18n.New("before it would publish"), linesOf(s.Obstacles, func(o author.Obstacle) string {
		return strings.ReplaceAll(p.say("%s", o.Reason), "\n", "\n  ")
	}))
	if len(s.Drafts)+len(s.Refused)+len(s.Held)+len(s.Next)+len(s.others) == 0 {
		p.line("nothing to publish")
	}
	p.part(i18n.New("tags that publish nothing"), linesOf(tags, p.told))
	p.part(i18n.New("also found"), countLines(p, rest))
}

// signatureLines are who signed each publication, then what waits for a signature, then the signers of the files of
// the root that are in force.
func (s *report) signatureLines(p page) []string {
	by := func(what any, k content.Signature) string { return p.say("%s: %s %s", what, k.Signer, k.Key) }
	text := linesOf(s.Signed, func(one signed) string { return by(one.Tag, one.Signature) })
	for _, f := range s.Other {
		if f.Rule == "unsigned" && f.Tag == "" {
			text = append(text, p.told(f))
		}
	}
	return append(text, linesOf(s.Vouched, func(v content.SignedFile) string {
		return by(i18n.New("%s of commit %s", v.File, content.ShortCommit(v.Commit)), v.SignedBy)
	})...)
}

func (d draft) state() i18n.Text {
	state := i18n.New("%s since %s", d.Class, d.Published)
	switch {
	case d.Class == change.None:
		state = i18n.New("only the layout differs, nothing to publish")
	case d.Published == "":
		state = i18n.New("not published yet")
	}
	if !d.Committed {
		return i18n.New("%s, not committed", state)
	}
	return state
}

// text is the tag and why it is not served.
func (u unserved) text(p page, tint string) string {
	text := p.say("%s", tinted{tint, u.Tag})
	for _, f := range u.Why {
		f.Tag = ""
		text += "\n    " + p.told(f)
	}
	return text
}

// wrongTags separates the findings about names of tags: there are few, and each has the correct
// name.
func wrongTags(findings []content.Finding) (tags, rest []content.Finding) {
	for _, f := range findings {
		if f.Rule == "tag" {
			tags = append(tags, f)
		} else {
			rest = append(rest, f)
		}
	}
	return tags, rest
}

// countLines count the findings by rule.
func countLines(p page, findings []content.Finding) []string {
	count := map[string]int{}
	for _, f := range findings {
		count[f.Rule]++
	}
	return linesOf(slices.Sorted(maps.Keys(count)), func(rule string) string {
		return p.say("%s: %d (`rulestore explain %s`)", rule, count[rule], rule)
	})
}
