package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/change"
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
	c := &cobra.Command{
		Use:   "publish [ITEM[@VERSION]…]",
		Short: "Publish what is committed: seals, tags and, if asked, the push",
		Long: `Work out which version each committed change needs, write the seals into
rulestore.sum, commit them and make annotated tags, signed where git is
configured so. The messages are those of the commits since the last publication.
Without ITEM everything is published that is not published yet, and tags that were
made by hand are sealed. What has a valid_from in the future waits; with --at it is
sealed ahead of time, and readers find it from that day on. ITEM@1.2.0-rc.1 publishes a release candidate, which only
a server with --drafts shows; ITEM@1.2.0 releases it, as it is.

A branch that takes only pull requests is published to in two steps, whatever way
the request is merged: --prepare writes the seals on its branch, --tag makes the
tags on the served branch after the merge.

If it is interrupted, the same command again goes on where it stopped.`,
		Example: `  rulestore publish --dry-run
  rulestore publish guidelines/product.common.001 --push
  rulestore publish --bump registries/glossary=minor --release 1.9.0 --push`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return publish(c.Context(), e, f, args, isTerminal(c.InOrStdin()))
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.repo, "repo", ".", "the repository, or a folder inside it")
	flags.StringVar(&f.ref, "ref", "", "the branch that is served; without it the one that the remote's HEAD names, or main")
	flags.StringArrayVar(&f.bumps, "bump", nil, "the step of the version, patch, minor or major: of all, or ITEM=STEP of one")
	flags.StringVar(&f.release, "release", "", "also release the product under this version, for example 1.9.0")
	flags.StringVar(&f.at, "at", "", "publish ahead of time: the day from which readers find it, for example 2027-01-01, at 00:00 UTC")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show the plan and change nothing")
	flags.BoolVar(&f.push, "push", false, "push the branch and the tags, all or nothing")
	flags.BoolVar(&f.prepare, "prepare", false, "write the seals on the branch of a pull request")
	flags.BoolVar(&f.tag, "tag", false, "make the tags of what was sealed in a merged pull request")
	return c
}

func publish(ctx context.Context, e *env, f publishFlags, items []string, interactive bool) error {
	options, err := f.options(items)
	if err != nil {
		return usageError{err}
	}
	repo, err := author.Open(f.repo, interactive)
	if err != nil {
		return err
	}
	plan, err := repo.Plan(ctx, options)
	if errors.Is(err, author.ErrFindings) {
		return foundError{fmt.Errorf("publish: %w", err)}
	} else if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	for _, w := range plan.Waiting {
		fmt.Fprintf(e.stderr, "rulestore: left out: %s\n", content.Printable(w.Why))
	}
	for _, w := range plan.Warnings {
		fmt.Fprintf(e.stderr, "rulestore: %s\n", content.Printable(w))
	}
	if plan.Empty() {
		fmt.Fprintln(e.stderr, "rulestore: there is nothing to publish")
		return nil
	}
	if err := printPlan(e.stdout, plan); err != nil || f.dryRun {
		return err
	}
	if err := plan.Apply(ctx); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	fmt.Fprint(e.stderr, f.next(plan))
	return nil
}

// options reads the command line.
func (f publishFlags) options(items []string) (author.Options, error) {
	o := author.Options{Schemas: schemas.Embedded(), Ref: f.ref, Push: f.push, Ask: map[string]change.Ask{}}
	switch {
	case f.prepare && f.tag:
		return o, errors.New("--prepare comes before the merge and --tag after it: give one of them")
	case f.prepare:
		o.Mode = author.Prepare
	case f.tag:
		o.Mode = author.Tag
	}
	if f.tag && len(items)+len(f.bumps) > 0 {
		return o, errors.New("--tag tags what the seals say: it takes no item and no --bump")
	}
	if err := f.ahead(&o); err != nil {
		return o, err
	}
	for _, arg := range items {
		item, version := parseItem(arg)
		ask := change.Ask{}
		if version != "" {
			v, err := strict(version)
			if err != nil {
				return o, fmt.Errorf("%s: %w", arg, err)
			}
			if v.Prerelease() != "" && f.at != "" {
				return o, fmt.Errorf("%s: a prerelease is for those who try it, not for readers: leave out --at", arg)
			}
			ask.Version = v
		}
		o.Items, o.Ask[item] = append(o.Items, item), ask
	}
	for _, b := range f.bumps {
		if err := bump(&o, b); err != nil {
			return o, err
		}
	}
	if f.release != "" {
		v, err := strict(strings.TrimPrefix(f.release, "v"))
		if err != nil {
			return o, fmt.Errorf("--release %s: %w", f.release, err)
		}
		o.Release = v
	}
	return o, nil
}

// ahead reads the day from which readers find what is published.
func (f publishFlags) ahead(o *author.Options) (err error) {
	switch {
	case f.at == "":
		return nil
	case f.tag:
		return errors.New("--tag tags what the seals say, which have their day: leave out --at")
	case f.release != "":
		return errors.New("a release lists what readers find: publish it when the day of --at has come")
	}
	if o.At, err = time.Parse(content.Date, f.at); err != nil {
		return fmt.Errorf("--at %q is no date: expected for example 2027-01-01", f.at)
	}
	if !o.At.After(time.Now()) {
		return fmt.Errorf("--at %s is not in the future (UTC): leave it out, what is published is found at once", f.at)
	}
	return nil
}

// bump reads STEP or ITEM=STEP.
func bump(o *author.Options, arg string) (err error) {
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

// strict reads a version of three numbers.
func strict(s string) (*semver.Version, error) {
	v, err := semver.StrictNewVersion(s)
	if err != nil || v.Metadata() != "" {
		return nil, fmt.Errorf("%q is no version: expected for example 1.9.0", s)
	}
	return v, nil
}

// printPlan lists the tags, each with its reason, what a person should look at before
// it is published for good, and its message.
func printPlan(w io.Writer, p *author.Plan) error {
	var b strings.Builder
	for _, s := range p.Steps {
		old := ""
		if s.Old != nil {
			old = " after v" + s.Old.String()
		}
		fmt.Fprintf(&b, "%s%s: %s\n", content.Printable(s.Tag), old, content.Printable(s.Why))
		for _, f := range s.Fields {
			if len(f.Look) > 0 {
				fmt.Fprintf(&b, "\tlook: %s: %s\n", content.Printable(f.Path), content.Printable(f.Look.String()))
			}
		}
		for _, note := range s.Notes {
			fmt.Fprintf(&b, "\t(%s)\n", content.Printable(note))
		}
		for line := range strings.Lines(s.Message) {
			if line = strings.TrimSpace(line); line != "" {
				fmt.Fprintf(&b, "\t%s\n", content.Printable(line)) // others wrote the commits
			}
		}
	}
	for _, tag := range p.Restored {
		fmt.Fprintf(&b, "%s: its seal is in force and missing, it is written again\n", content.Printable(tag))
	}
	for _, tag := range p.Unsealed {
		fmt.Fprintf(&b, "%s: tagged by hand, it is sealed\n", content.Printable(tag))
	}
	for _, tag := range p.Pushed {
		fmt.Fprintf(&b, "%s: made already, to be pushed\n", content.Printable(tag))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// next says what was done and what comes next.
func (f publishFlags) next(p *author.Plan) string {
	switch {
	case f.push:
		return fmt.Sprintf("rulestore: published and pushed to %s\n", content.Printable(p.Remote))
	case f.prepare:
		return fmt.Sprintf("rulestore: the seals are committed; push %s, merge it, then run `rulestore publish --tag --push` on the served branch\n", content.Printable(p.Branch))
	case p.Remote == "":
		return "rulestore: published\n"
	}
	return fmt.Sprintf("rulestore: published here; `rulestore publish --push` sends it to %s\n", content.Printable(p.Remote))
}
