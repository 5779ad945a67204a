package site

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
)

// maxLlms is the maximum size of the short text in bytes: a model reads it before it knows whether
// it needs more.
const maxLlms = 12 << 10

// llms is the short text for language models (llmstxt.org): a title, a summary and links, first
// that to the instruction for assistants. The items of a kind are listed by their titles if there
// is room, in the order of kinds, else there is a link to their list.
func (s *Site) llms() *Resource {
	return textResource(api.TextType, func() []byte {
		text := s.llmsText(s.listOf)
		if len(text) > maxLlms { // the description alone is too long
			return append(bytes.ToValidUTF8(text[:maxLlms-1], nil), '\n')
		}
		titled := map[*content.Kind]bool{}
		for _, k := range content.Kinds {
			titled[k] = true
			longer := s.llmsText(func(b *strings.Builder, k *content.Kind) {
				if titled[k] {
					s.titles(b, k)
				} else {
					s.listOf(b, k)
				}
			})
			if titled[k] = len(longer) <= maxLlms; titled[k] {
				text = longer
			}
		}
		return text
	})
}

// llmsFull is the same text with the summaries of all items.
func (s *Site) llmsFull() *Resource {
	return textResource(api.TextType, func() []byte { return s.llmsText(s.summaries) })
}

func (s *Site) llmsText(of func(*strings.Builder, *content.Kind)) []byte {
	var b strings.Builder
	in := s.Snapshot.Settings
	fmt.Fprintf(
		&b, "# %s\n\n> %s\n\n%s\n\n%s\n", line(in.Title), line(in.Description), line(in.Disclaimer), readingParts,
	)
	if s.isOffered(content.Instructions, "assistant") {
		fmt.Fprintf(
			&b, "\n## С чего начать\n\n- [Инструкция ассистента](%s): порядок работы с хранилищем\n",
			s.URL("/instructions/assistant.md"),
		)
	}
	for _, k := range content.Kinds {
		if len(s.lists[k]) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n", k.Title)
			of(&b, k)
		}
	}
	fmt.Fprintf(&b, "\n## Optional\n\n")
	for _, l := range s.optional() {
		fmt.Fprintf(&b, "- [%s](%s): %s\n", l.title, s.URL(l.path), l.about)
	}
	return []byte(b.String())
}

// readingParts tells how to read a part of a document.
const readingParts = "Любой документ можно читать кратко (`view=brief`) и по разделам (`section=АДРЕС`)."

// summaries lists the items of a kind with their summaries.
func (s *Site) summaries(b *strings.Builder, k *content.Kind) {
	for _, p := range s.lists[k] {
		e, title := p.entry, p.entry.Body().Text("title")
		about := line(cmp.Or(about(e), title))
		fmt.Fprintf(b, "- [%s](%s): %s\n", line(title), s.URL(markdownPath(e)), about)
	}
}

// titles lists the items of a kind.
func (s *Site) titles(b *strings.Builder, k *content.Kind) {
	for _, p := range s.lists[k] {
		fmt.Fprintf(
			b, "- [%s](%s)\n", line(p.entry.Body().Text("title")), s.URL(markdownPath(p.entry)),
		)
	}
}

// listOf links the list of a kind with its length.
func (s *Site) listOf(b *strings.Builder, k *content.Kind) {
	fmt.Fprintf(b, "- [%s](%s): %d\n", k.Title, s.URL(k.Path), len(s.lists[k]))
}

type aboutLink struct{ title, path, about string }

// optional are the documents about the service.
func (s *Site) optional() []aboutLink {
	all := []aboutLink{
		{"Полный перечень", api.LLMsFullPath, "все документы с кратким содержанием"},
		{"Манифест", api.ManifestPath, "что есть в сервисе и где"},
		{"MCP", api.MCPPath, "точка доступа для ассистентов: те же правила и расчёты инструментами"},
		{"Описание интерфейса", api.OpenAPIPath + ".yaml", "OpenAPI 3.1"},
		{"Список правил", content.Guidelines.Path, "действующие версии с контрольными суммами"},
		{"Реестр расчётов", api.MathPath, "точные расчёты по кредитам, вкладам, картам, каско, срокам и вложениям"},
		{"Журнал изменений", api.ChangelogPath, "выпуски и новые версии правил"},
		{"Контрольные суммы", api.ChecksumsPath, "все публикации"},
	}
	return all
}

// markdownPath is the path of the current version as Markdown, or the one for all media types if
// there is none.
func markdownPath(e *content.Entry) string {
	if e.Kind.Static != "" {
		return e.Kind.StaticPath(e.Name) + ".md"
	}
	return e.Kind.ItemPath(e.Name)
}

// line replaces line breaks and repeated spaces by single spaces.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }
