package main

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/pflag"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// beneathFlags are the flags for the repositories that an author's repository builds on.
type beneathFlags struct{ repos valuesBySource }

func (f *beneathFlags) register(flags *pflag.FlagSet) {
	flags.Var(
		&f.repos, "beneath",
		"a repository on this machine that this one builds on, where both are served together; of several each but "+
			"the first as NAME=REPOSITORY",
	)
}

// ownSource is the name of an author's repository among those that it builds on.
const ownSource = "own"

// load loads the repositories beneath.
func (f beneathFlags) load(ctx context.Context, e *env) (loader.Below, error) {
	if len(f.repos) == 0 {
		return loader.Below{}, nil
	}
	all, err := f.repos.sources("beneath")
	if err != nil {
		return loader.Below{}, err
	}
	var snapshots []*content.Snapshot
	for _, one := range all {
		loaded, err := loader.New(loader.Config{
			Below: below(cmp.Or(one.name, firstSource), snapshots), Source: gitrepo.OnDisk(e.path(one.repo)),
			Schemas: schemas.Embedded(), Now: time.Now,
		}).Load(ctx)
		if err != nil {
			return loader.Below{}, i18n.Errorf("load %s: %w", one.repo, err)
		}
		snapshots = append(snapshots, loaded.Snapshot)
	}
	return below(ownSource, snapshots), nil
}

// below is what a repository builds on: those before it.
func below(name string, before []*content.Snapshot) loader.Below {
	b := loader.Below{Name: name}
	if beneath := content.NewBeneath(before); beneath != nil {
		b.Beneath = func() *content.Beneath { return beneath }
	}
	return b
}
