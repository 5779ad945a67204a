package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// beneathFlags are the flags for the repositories that an author's repository builds on.
type beneathFlags struct{ repos perSource }

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
func (f beneathFlags) load(ctx context.Context) (below loader.Below, err error) {
	if len(f.repos) == 0 {
		return below, nil
	}
	all, err := f.repos.sources("beneath")
	if err != nil {
		return below, err
	}
	var snapshots []*content.Snapshot
	for _, one := range all {
		path, err := filepath.Abs(one.repo)
		if err != nil {
			return below, err
		}
		if one.name == "" {
			one.name = firstSource
		}
		c := loader.Config{
			Below: loader.Below{Name: one.name}, Source: gitrepo.OnDisk(path), Schemas: schemas.Embedded(),
			Now: time.Now,
		}
		if beneath := content.NewBeneath(snapshots); beneath != nil {
			c.Beneath = func() *content.Beneath { return beneath }
		}
		loaded, err := loader.New(c).Load(ctx)
		if err != nil {
			return below, i18n.Errorf("load %s: %w", one.repo, err)
		}
		snapshots = append(snapshots, loaded.Snapshot)
	}
	beneath := content.NewBeneath(snapshots)
	return loader.Below{Name: ownSource, Beneath: func() *content.Beneath { return beneath }}, nil
}
