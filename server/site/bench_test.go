package site

import (
	"fmt"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/schemas"
)

// BenchmarkSwap builds the site after one more publication in a store of
// 20,000: what a push costs beyond reading the repository.
func BenchmarkSwap(b *testing.B) {
	var all []*content.Publication
	for i := range 2000 {
		for v := range 10 {
			all = append(all, madeUp(i, v))
		}
	}
	c := Config{BaseURL: baseURL, Version: "0", Schemas: schemas.Embedded()}
	before := Build(nil, content.NewSnapshot(content.Input{Publications: all}), c)
	after := content.NewSnapshot(content.Input{Publications: append(all, madeUp(1000, 10))})
	for b.Loop() {
		Build(before, after, c)
	}
}

func madeUp(item, version int) *content.Publication {
	name := fmt.Sprintf("product.number-%d.001", item)
	return &content.Publication{
		Kind: content.Guidelines, Name: name, Version: semver.New(1, uint64(version), 0, "", ""),
		Text: content.Written{Object: content.Object{
			{Name: "guideline_id", Value: content.String(name)},
			{Name: "title", Value: content.String("Правило")},
			{Name: "summary", Value: content.String("Правило для измерений.")},
		}},
		Checksum:    "sha256:" + fmt.Sprintf("%064x", item*100+version),
		PublishedAt: time.Date(2026, 1, 1+version, 10, 0, 0, 0, time.UTC),
		ChangeNote:  "Новая редакция правила: уточнены условия, при которых разбор нужно остановить.",
	}
}

// BenchmarkFlat makes what is made for a request, and finds what is prepared, in
// stores of different sizes: the size must not show.
func BenchmarkFlat(b *testing.B) {
	for _, items := range []int{20, 50_000} {
		var all []*content.Publication
		for i := range items {
			all = append(all, madeUp(i, 0))
		}
		s := Build(nil, content.NewSnapshot(content.Input{Publications: all}),
			Config{BaseURL: baseURL, Version: "0", Schemas: schemas.Embedded()})
		ready := func(r *Resource) { r.Representations[0].Ready() }
		for _, made := range []struct {
			name string
			make func()
		}{
			{"item", func() { ready(s.Lookup("/api/v1/guidelines/product.number-7.001")) }},
			{"list", func() { ready(s.Lookup("/api/v1/guidelines")) }},
			{"changelog-page", func() { ready(s.Changelog("", 10, 10)) }},
		} {
			made.make()
			b.Run(fmt.Sprintf("%s-of-%d", made.name, items), func(b *testing.B) {
				for b.Loop() {
					made.make()
				}
			})
		}
	}
}
