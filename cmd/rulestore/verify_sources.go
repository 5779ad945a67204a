package main

import (
	"context"

	"rulestore/loader/gitrepo"
)

// split reads the flags of each repository: f is that of the first then.
func (f verifyFlags) split() (verifyFlags, error) {
	all, err := f.repos.sources()
	if err != nil {
		return f, err
	}
	if len(all) == 1 {
		f.repo, f.ref, f.signers = all[0].repo, f.refs.last(), f.signerFiles.last()
		return f, nil
	}
	parts := make([]verifyFlags, len(all))
	for i, one := range all {
		parts[i] = f
		parts[i].called, parts[i].repo = one.name, one.repo
		parts[i].ref, parts[i].signers = f.refs.of(one.name, all), f.signerFiles.of(one.name, all)
	}
	f = parts[0]
	f.later = parts[1:]
	return f, nil
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
	for i := range f.later {
		if err := open(&f.later[i]); err != nil {
			return closing, err
		}
	}
	return closing, nil
}
