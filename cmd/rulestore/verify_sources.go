package main

import (
	"context"

	"rulestore/loader/gitrepo"
	"rulestore/server/verify"
)

// split reads the flags of each repository: f is that of the first then.
func (f verifyFlags) split(e *env) (verifyFlags, error) {
	all, err := f.sources()
	if err != nil {
		return f, err
	}
	parts := make([]verifyFlags, len(all))
	for i, one := range all {
		parts[i] = f
		parts[i].repositoryFlags = f.valuesFor(e, one, all)
	}
	f = parts[0]
	f.overlays = parts[1:]
	return f, nil
}

// sources are the repositories that --repo names, or without it those of which --policy does.
func (f verifyFlags) sources() (all []repository, err error) {
	switch {
	case len(f.policies) < 2 || len(f.repos) > 1:
		return f.repos.sources("repo")
	case len(f.repos) == 1:
		return nil, usageErrorf(
			"--policy is given for several repositories, and --repo for one: give --repo for each, or for none",
		)
	}
	all, err = f.policies.sources("policy")
	for i := range all {
		all[i].repo = ""
	}
	return all, err
}

// logs is how the logs of a server are verified, in the order of the repositories; nil if they are
// not.
func (f verifyFlags) logs() (all []verify.Log, err error) {
	if len(f.policies)+len(f.states) == 0 {
		return nil, nil
	}
	kept := map[string]bool{}
	for _, part := range append([]verifyFlags{f}, f.overlays...) {
		if kept[part.state] {
			return nil, usageErrorf(
				"--state %s is for the log of one repository: give another for %s, as --state %[2]s=FILE", part.state,
				part.sourceName,
			)
		}
		kept[part.state] = true
		l, err := part.log()
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// openBundles opens those of the repositories that are bundles.
func (f *verifyFlags) openBundles(ctx context.Context) (closing func(), err error) {
	var opened []interface{ Close() error }
	closing = func() {
		for _, b := range opened {
			_ = b.Close() // it was only read
		}
	}
	open := func(part *verifyFlags) error {
		if !gitrepo.IsAddress(part.repo) {
			return nil
		}
		bundle, err := openBundle(ctx, part.repo)
		if err != nil {
			return err
		}
		opened, part.bundle = append(opened, bundle), bundle
		return nil
	}
	if err := open(f); err != nil {
		return closing, err
	}
	for i := range f.overlays {
		if err := open(&f.overlays[i]); err != nil {
			return closing, err
		}
	}
	return closing, nil
}
