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
		Body: content.Object{
			{Name: "guideline_id", Value: content.String(name)},
			{Name: "title", Value: content.String("Правило")},
			{Name: "summary", Value: content.String("Правило для измерений.")},
		},
		Checksum:    "sha256:" + fmt.Sprintf("%064x", item*100+version),
		PublishedAt: time.Date(2026, 1, 1+version, 10, 0, 0, 0, time.UTC),
		ChangeNote:  "Новая редакция правила: уточнены условия, при которых разбор нужно остановить.",
	}
}
