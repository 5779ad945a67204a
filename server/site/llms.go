package site

import (
	"fmt"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
)

// llms is the short text for language models (llmstxt.org), which is the Markdown of the home page, too: a
// title, a summary, how to find, read and calculate, and links to the instruction for assistants and to the lists.
func (s *Site) llms() *Resource { return textResource(api.TextType, s.llmsText) }

func (s *Site) llmsText() []byte {
	var b strings.Builder
	in := s.Snapshot.Settings
	fmt.Fprintf(&b, "# %s\n\n> %s\n\n", Line(in.Title), Line(in.Description))
	fmt.Fprintf(&b, "- Найти: %s?q=СЛОВА — словами пользователя, среди всего\n", s.URL(api.SearchPath))
	fmt.Fprintf(&b, "- Прочитать: %s — список; с «/» и id после него — действующая версия, "+
		"JSON или Markdown (`Accept: text/markdown`); "+
		"`?view=brief` — кратко, `?section=АДРЕС` — раздел, `/versions/1.0.0` — версия, `?as_of=ДАТА` — что было "+
		"опубликовано\n", s.URL(content.Guidelines.Path))
	fmt.Fprintf(&b, "- Посчитать: POST %sloan_payment с `{\"inputs\": {…}}` — точные расчёты, их список: %s\n",
		s.URL(api.ToolsPath), s.URL(api.MathPath))
	if s.config.MCP {
		fmt.Fprintf(&b, "- То же инструментами MCP: %s\n", s.URL(api.MCPPath))
	}
	if in.Disclaimer != "" {
		fmt.Fprintf(&b, "\n%s\n", Line(in.Disclaimer))
	}
	if s.isOffered(content.Instructions, "assistant") {
		fmt.Fprintf(&b, "\n## С чего начать\n\n- [Инструкция ассистента](%s): порядок работы с хранилищем\n",
			s.URL(content.Instructions.StaticPath("assistant")+".md"))
	}
	fmt.Fprint(&b, "\n## Списки\n\n")
	for _, k := range content.Kinds {
		if n := len(s.lists[k]); n > 0 && k.List {
			fmt.Fprintf(&b, "- [%s](%s): %d\n", k.Title, s.URL(k.Path), n)
			continue
		}
		for _, p := range s.lists[k] {
			fmt.Fprintf(&b, "- [%s](%s)\n", Line(p.entry.Body().Text("title")), s.URL(k.StaticPath(p.entry.Name)+".md"))
		}
	}
	fmt.Fprint(&b, "\n## Optional\n\n")
	for _, l := range aboutService {
		fmt.Fprintf(&b, "- [%s](%s): %s\n", l.title, s.URL(l.path), l.about)
	}
	return []byte(b.String())
}

// aboutService are the documents about the service.
var aboutService = []struct{ title, path, about string }{
	{"Манифест", api.ManifestPath, "что есть в сервисе и где"},
	{"Описание интерфейса", api.OpenAPIPath + ".yaml", "OpenAPI 3.1"},
	{"Журнал изменений", api.ChangelogPath, "выпуски и новые версии правил"},
	{"Контрольные суммы", api.ChecksumsPath, "все публикации"},
}

// Line replaces line breaks and repeated spaces by single spaces.
func Line(s string) string { return strings.Join(strings.Fields(s), " ") }
