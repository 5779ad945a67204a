package site

import (
	"cmp"
	"fmt"
	"strings"

	"rulestore/content"
)

// llms is the short text for language models (llmstxt.org): a title, a summary
// and links, that to the instruction for assistants first.
func (s *Site) llms() *Resource {
	return textResource(textType, func() []byte {
		var b strings.Builder
		in := s.Snapshot.Settings
		fmt.Fprintf(&b, "# %s\n\n> %s\n\n%s\n", line(in.Title), line(in.Description), line(in.Disclaimer))
		if s.offers(content.Instructions, "assistant") {
			fmt.Fprintf(&b, "\n## С чего начать\n\n- [Инструкция ассистента](%s): порядок работы с хранилищем\n", s.URL("/instructions/assistant.md"))
		}
		for _, k := range content.Kinds {
			if len(s.lists[k]) > 0 {
				fmt.Fprintf(&b, "\n## %s\n\n", k.Title)
			}
			for _, p := range s.lists[k] {
				e := p.entry
				about := cmp.Or(e.Body().Text("summary"), e.Body().Text("description"), e.Body().Text("title"))
				fmt.Fprintf(&b, "- [%s](%s): %s\n", line(e.Body().Text("title")), s.URL(readable(e)), line(about))
			}
		}
		fmt.Fprintf(&b, "\n## Optional\n\n")
		for _, l := range []struct{ title, path, about string }{
			{"Манифест", manifestPath, "что есть в сервисе и где"},
			{"MCP", MCPPath, "точка доступа для ассистентов: те же правила и расчёты инструментами"},
			{"Описание интерфейса", OpenAPIPath + ".yaml", "OpenAPI 3.1"},
			{"Список правил", content.Guidelines.Path, "действующие версии с контрольными суммами"},
			{"Реестр расчётов", MathPath, "точные расчёты по кредитам, вкладам, картам, каско, срокам и вложениям"},
			{"Журнал изменений", changelogPath, "выпуски и новые версии правил"},
			{"Контрольные суммы", "/api/v1/checksums", "все публикации"},
		} {
			fmt.Fprintf(&b, "- [%s](%s): %s\n", l.title, s.URL(l.path), l.about)
		}
		return []byte(b.String())
	})
}

// readable is the path of the current version as Markdown, if it has one.
func readable(e *content.Entry) string {
	if e.Kind.Static != "" {
		return strings.ReplaceAll(e.Kind.Static, "{name}", e.Name) + ".md"
	}
	return e.Kind.ItemPath(e.Name)
}

// line puts text on one line.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }
