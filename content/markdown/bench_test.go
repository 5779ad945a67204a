package markdown_test

import (
	"testing"

	"rulestore/content"
	"rulestore/content/markdown"
)

func BenchmarkRender(b *testing.B) {
	item, schema := readItem(b, "testdata/guideline.json"), served(content.Guidelines)
	b.SetBytes(int64(len(item.AppendJSON(nil))))
	b.ReportAllocs()
	for b.Loop() {
		markdown.Render(item, schema)
	}
}
