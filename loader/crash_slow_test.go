//go:build slow

package loader_test

import (
	"strings"
	"sync"
	"testing"

	"rulestore/loader"
	"rulestore/schemas"
)

// A text that is read only when somebody asks may crash then: it is as good as
// missing, nobody else is concerned, and it is told of once.
func TestCrashingLateText(t *testing.T) {
	source := many(t, sealLines(sealsOf(t, many(t, "", ownCommit))), ownCommit)
	var told crashes
	config := manyLoader(source).Config
	config.Schemas, config.Crashed = explosive{schemas.Embedded(), "Правило 3, версия 5"}, told.add
	l := loader.New(config)
	result, err := l.Begin(t.Context())
	begun := entries(t, result, err)
	r := &repo{T: t}
	r.expectCrashes(&told, 0)
	late := begun[ruleTag(3, 5)]
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if late.Sound() || late.Body() != nil || late.References() != nil {
				t.Error("it has a text")
			}
		})
	}
	wg.Wait()
	r.expectCrashes(&told, 1)
	if !begun[ruleTag(3, 4)].Sound() || !begun[ruleTag(3, versions-1)].Sound() {
		t.Error("other versions are not served")
	}
	got := describe(l.Load(t.Context()))
	r.expect(got, "refused "+ruleTag(3, 5)+"\n", "[crash]")
	if n := strings.Count(got, "refused "); n != 1 {
		t.Errorf("%d publications are refused", n)
	}
	r.expectCrashes(&told, 1)
}
