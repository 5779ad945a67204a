package loader_test

import (
	"context"
	"fmt"
	"time"

	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// A repository is loaded into a snapshot and a report. This one has the first release of the
// starter content; its source may also be a folder, git.OnDisk.
func Example() {
	script, err := git.ReadReleases(starter.Files)
	if err != nil {
		fmt.Println(err)
		return
	}
	source, err := git.InMemory(script[:1])
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(),
		Now: time.Now}).Load(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range result.Snapshot.Items[:3] {
		fmt.Println(item.ID(), item.Current.Version, item.Current.PublishedAt.UTC().Format(time.DateOnly))
	}
	fmt.Println(len(result.Report.Refused), "refused")
	// Output:
	// guidelines/consumer-rights.primary-contact.001 1.0.0 2026-02-02
	// guidelines/fraud.intercom-code-government-portal.001 1.0.0 2026-02-02
	// guidelines/product.common.001 1.0.0 2026-02-02
	// 0 refused
}
