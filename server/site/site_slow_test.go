//go:build slow

package site

import (
	"sync"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader/gitrepo"
)

var starterHistory = sync.OnceValue(func() []*content.Snapshot {
	return history(given(gitrepo.ReadReleases(starter.Files)), 3)
})

func init() { histories["starter"] = starterHistory }
