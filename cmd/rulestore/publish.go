package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
	"rulestore/loader/author"
	"rulestore/schemas"
)

type publishFlags struct {
	repo, ref, release, at     string
	bumps                      []string
	dryRun, push, prepare, tag bool
}

func newPublish(e *env) *cobra.Command {
	var f publishFlags
	c := newCommand("publish", 0, anyNumber, func(ctx context.Context, args []string) error {
		return publish(ctx, e, f, args, isTerminal(e.stdin))
	})
	flags := c.Flags()
	repoFlag(flags, &f.repo)
	flags.StringVar(&f.ref, "ref", "", "")
	flags.StringArrayVar(&f.bumps, "bump", nil, "")
	flags.StringVar(&f.release, "release", "", "")
	flags.StringVar(&f.at, "at", "", "")
	flags.BoolVar(&f.dryRun, "dry-run", false, "")
	flags.BoolVar(&f.push, "push", false, "")
	flags.BoolVar(&f.prepare, "prepare", false, "")
	flags.BoolVar(&f.tag, "tag", false, "")
	return c
}

func publish(ctx context.Context, e *env, f publishFlags, items []string, interactive bool) error {
	options, err := f.options(items)
	if err != nil {
		return usageError{err}
	}
	repo, err := author.Open(f.repo, e.environ, interactive)
	if err != nil {
		return err
	}
	if !f.dryRun {
		release, err := repo.Lock(ctx)
		if err != nil {
			return i18n.Errorf("publish: %w", err)
		}
		defer release()
	}
	plan, err := repo.Plan(ctx, options)
	if errors.Is(err, author.ErrFindings) {
		return foundErrorf("publish: %w", err)
	} else if err != nil {
		return i18n.Errorf("publish: %w", err)
	}
	for _, w := range plan.Deferred {
		e.printer.Fprintf(e.stderr, "rulestore: left out: %s\n", content.Printable(e.printer.Error(w.Why)))
	}
	for _, w := range plan.Warnings {
		e.printer.Fprintf(e.stderr, "rulestore: %s\n", e.localized(w))
	}
	if plan.Empty() {
		e.printer.Fprintf(e.stderr, "rulestore: there is nothing to publish\n")
		return nil
	}
	if err := e.print("text", outcome{text: planText(plan)}); err != nil || f.dryRun {
		return err
	}
	if err := repo.Apply(ctx, plan.Steps); err != nil {
		return i18n.Errorf("publish: %w", err)
	}
	e.printer.Fprintf(e.stderr, "rulestore: %s\n", f.nextStep(plan))
	return nil
}

// options reads the command line.
func (f publishFlags) options(items []string) (author.Options, error) {
	o := author.Options{Schemas: schemas.Embedded(), Ref: f.ref, Push: f.push, Ask: map[string]change.Ask{}}
	switch {
	case f.prepare && f.tag:
		return o, i18n.Errorf("--prepare comes before the merge and --tag after it: give one of them")
	case f.prepare:
		o.Mode = author.Prepare
	case f.tag:
		o.Mode = author.Tag
	}
	if f.tag && len(items)+len(f.bumps) > 0 {
		return o, i18n.Errorf("--tag tags what the seals say: it takes no item and no --bump")
	}
	if err := f.parseAt(&o); err != nil {
		return o, err
	}
	for _, arg := range items {
		item, version := parseItem(arg)
		ask := change.Ask{}
		if version != "" {
			v, err := parseVersion(version)
			if err != nil {
				return o, i18n.Errorf("%s: %w", arg, err)
			}
			if v.Prerelease() != "" && f.at != "" {
				return o, i18n.Errorf("%s: a prerelease is for those who try it, not for readers: leave out --at", arg)
			}
			ask.Version = v
		}
		o.Items, o.Ask[item] = append(o.Items, item), ask
	}
	for _, b := range f.bumps {
		if err := parseBump(&o, b); err != nil {
			return o, err
		}
	}
	if f.release != "" {
		v, err := parseVersion(strings.TrimPrefix(f.release, "v"))
		if err != nil {
			return o, i18n.Errorf("--release %s: %w", f.release, err)
		}
		o.Release = v
	}
	return o, nil
}

// parseAt parses the day from which a publication applies.
func (f publishFlags) parseAt(o *author.Options) (err error) {
	switch {
	case f.at == "":
		return nil
	case f.tag:
		return i18n.Errorf("--tag tags what the seals say, which have their day: leave out --at")
	case f.release != "":
		return i18n.Errorf("a release lists what readers find: publish it when the day of --at has come")
	}
	if o.At, err = time.Parse(content.Date, f.at); err != nil {
		return i18n.Errorf("--at %q is no date: expected for example 2027-01-01", f.at)
	}
	return nil
}

// parseBump reads STEP or ITEM=STEP.
func parseBump(o *author.Options, arg string) (err error) {
	item, step, one := strings.Cut(arg, "=")
	if !one {
		o.Bump, err = change.ParseBump(arg)
		return err
	}
	ask := o.Ask[item]
	ask.Bump, err = change.ParseBump(step)
	o.Ask[item] = ask
	return err
}

// parseVersion reads a version of three numbers.
func parseVersion(s string) (*semver.Version, error) {
	v, err := semver.StrictNewVersion(s)
	if err != nil || v.Metadata() != "" {
		return nil, i18n.Errorf("%q is no version: expected for example 1.9.0", s)
	}
	return v, nil
}

// planText lists the tags with reason, the changes that a person has to review before they become
// permanent, and message.
func planText(plan *author.Plan) func(page) {
	return func(p page) {
		for _, s := range plan.Tags {
			tag := i18n.New("%s", s.Tag)
			if s.Old != nil {
				tag = i18n.New("%s after v%s", s.Tag, s.Old)
			}
			p.line("%s: %s", tag, s.Why)
			for _, f := range s.Fields {
				if f.Look.Doubt != "" {
					p.line("\tlook: %s: %s", f.Path, f.Look)
				}
			}
			for _, note := range s.Notes {
				p.line("\t(%s)", note)
			}
			for line := range strings.Lines(s.Message) {
				if line = strings.TrimSpace(line); line != "" {
					p.line("\t%s", line) // others wrote the commits
				}
			}
		}
		for _, o := range plan.Others {
			p.line("%s", o)
		}
	}
}

// nextStep prints what was done and the next step.
func (f publishFlags) nextStep(p *author.Plan) i18n.Text {
	switch {
	case f.push:
		return i18n.New("published and pushed to %s", content.Printable(p.Remote))
	case f.prepare:
		return i18n.New(
			"the seals are committed; push %s, merge it, then run `rulestore publish --tag --push` on the served branch",
			content.Printable(p.Branch),
		)
	case p.Remote == "":
		return i18n.New("published")
	}
	return i18n.New("published here; `rulestore publish --push` sends it to %s", content.Printable(p.Remote))
}
