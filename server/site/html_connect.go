package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

// addConnect adds the pages with instructions for connecting. Each is made on first use.
func (s *Site) addConnect() {
	add := func(path string, make func() page.Page) *Resource {
		r := PageOnly(s.frame, make)
		s.resources[path] = r
		return r
	}
	add(api.ConnectPath, func() page.Page { return s.connectPage() })
	add(api.OperationsPath, func() page.Page { return s.referencePage() }).ofBuild = true
	for _, o := range api.Operations() {
		if !o.Undescribed {
			example := sync.OnceValue(func() *sample { return s.sampleOf(o) })
			r := add(api.OperationsPath+"/"+o.ID, func() page.Page { return s.operationPage(o, example()) })
			r.changed = func() time.Time { return s.sampled(example()) }
		}
	}
	if s.config.Assistants == nil {
		return
	}
	for _, set := range s.config.Assistants.Sets {
		add(api.ToolsetsPath+set.Name, func() page.Page { return s.toolsetPage(set) }).ofBuild = true
		for _, t := range set.Tools {
			r := add(api.ToolsetsPath+set.Name+"/"+t.Name, func() page.Page { return s.assistantToolPage(set, t) })
			r.ofBuild = true
		}
	}
}

func (s *Site) connectHead(title, path string, way ...page.Link) page.Head {
	return page.Head{Title: title, Path: s.frame.Root + path, Crumbs: crumbs(s.frame, way...)}
}

// toConnect links the first of these pages.
func (s *Site) toConnect() page.Link {
	return page.Link{Title: "Подключение", Href: s.frame.Root + api.ConnectPath}
}

func (s *Site) connectPage() page.Connect {
	p := page.Connect{Head: s.connectHead("Подключение", api.ConnectPath), Base: s.URL("")}
	p.Description = "Как подключить ассистента и программу: MCP, curl, Python, JavaScript и Go."
	if s.config.Assistants != nil {
		p.Endpoint, p.Clients = s.URL(api.MCPPath), s.Clients()
		for _, set := range s.config.Assistants.Sets {
			p.Toolsets = append(p.Toolsets, page.Toolset{
				Name: set.Name, About: set.About, Default: set.Default, Count: len(set.Tools),
				Href: s.frame.Root + api.ToolsetsPath + set.Name,
			})
		}
	}
	for _, own := range []struct{ of, title string }{
		{"search", "Найти по словам пользователя"}, {"getGuideline", "Прочитать правило"}, {"calculate", "Посчитать"},
	} {
		p.Programs = append(p.Programs, s.programSnippet(own.of, own.title)...)
	}
	for _, g := range api.Groups() {
		group := page.Named{Title: g.Title}
		for _, o := range g.Operations {
			group.Links = append(group.Links, s.toOperation(o))
		}
		p.Groups = append(p.Groups, group)
	}
	p.Feeds, p.Checks = s.feedLinks(), s.checkSnippets()
	return p
}

// sampled is the last change of the answer to a sample.
func (s *Site) sampled(made *sample) time.Time {
	switch {
	case made == nil || made.answer == nil:
		return s.dates().first
	case made.at != nil:
		return s.Changed(made.at)
	}
	return s.dates().changed[""]
}

func (s *Site) toOperation(o *api.Operation) page.Link {
	return page.Link{Title: o.Title, Href: s.frame.Root + api.OperationsPath + "/" + o.ID}
}

// programSnippet is a request of an operation with curl, if there is a sample.
func (s *Site) programSnippet(id, title string) []page.Snippet {
	for _, o := range api.Operations() {
		if o.ID != id {
			continue
		}
		if example := s.sampleOf(o); example != nil {
			code := s.callOf(o, example).curl()
			return []page.Snippet{{ID: "program-" + id, Title: title, Language: "sh", Code: code}}
		}
	}
	return nil
}

// feedLinks link the feeds.
func (s *Site) feedLinks() []page.Link {
	at := func(title, path string) page.Link { return page.Link{Title: title, Href: s.frame.Root + path} }
	all := []page.Link{
		at("Лента всего, что публикуется (Atom)", api.FeedsPath+"all.atom"),
		at("Лента того, что будет опубликовано (Atom)", api.FeedsPath+"upcoming.atom"),
	}
	for _, k := range content.Kinds {
		if k.List && len(s.lists[k]) > 0 {
			all = append(all, at(k.Title+" (Atom)", api.FeedsPath+k.Folder+".atom"))
		}
	}
	return append(all, at("Журнал изменений", api.ChangelogPath), at("Что будет опубликовано", api.UpcomingPath))
}

// checkSnippets are the commands for verifying what is served.
func (s *Site) checkSnippets() (all []page.Snippet) {
	for _, k := range content.Kinds {
		if len(s.lists[k]) > 0 {
			e := s.lists[k][0].entry
			all = append(
				all,
				page.Snippet{
					ID: "checksum", Title: "Контрольная сумма одного элемента: " + e.Checksum, Language: "sh",
					Code: checkCommand(shellQuoted(s.URL(e.Path()))),
				},
			)
			break
		}
	}
	all = append(
		all,
		page.Snippet{
			ID: "checksums", Title: "Контрольные суммы всех публикаций", Language: "sh",
			Code: "curl -fsS " + shellQuoted(s.URL(api.ChecksumsPath)),
		},
	)
	if s.log != nil {
		all = append(
			all,
			page.Snippet{
				ID: "log", Title: "Журнал прозрачности: размер, корень и что подписано", Language: "sh",
				Code: "curl -fsS " + shellQuoted(s.URL(api.LogPath)),
			},
		)
	}
	return append(all, page.Snippet{
		ID: "verify", Title: "Весь сервер — против клона хранилища", Language: "text",
		Code: "rulestore verify " + shellQuoted(s.URL("")) + " --repo /path/to/rules",
	})
}

func (s *Site) referencePage() page.Reference {
	p := page.Reference{
		Head: s.connectHead("Справочник интерфейса", api.OperationsPath, s.toConnect()),
		About: "Всё, о чём можно спросить по HTTP. У каждой операции — параметры, ответы и примеры; для программ то " +
			"же самое есть в /openapi.yaml.",
	}
	for i, g := range api.Groups() {
		group := page.ReferenceGroup{ID: "g-" + strconv.Itoa(i+1), Title: g.Title, About: g.About}
		for _, o := range g.Operations {
			group.Operations = append(group.Operations, page.ReferenceLine{
				Code: methodOf(o) + " " + o.Path, Title: o.Title, Href: s.toOperation(o).Href,
			})
		}
		p.Groups = append(p.Groups, group)
	}
	return p
}

func methodOf(o *api.Operation) string { return cmp.Or(o.Method, "GET") }

// callOf is a sample as a request of a program: for data, if there are pages too.
func (s *Site) callOf(o *api.Operation, made *sample) call {
	c := call{method: methodOf(o), url: s.URL(made.path), headers: made.headers, body: made.body}
	if made.query != "" {
		c.url += "?" + made.query
	}
	c.json = len(o.Answer.Forms) == 0 || strings.HasSuffix(o.Answer.Forms[0].Type, "json")
	return c
}

func (s *Site) operationPage(o *api.Operation, made *sample) page.Operation {
	p := page.Operation{
		Head: s.connectHead(
			o.Title, api.OperationsPath+"/"+o.ID, s.toConnect(),
			page.Link{Title: "Справочник интерфейса", Href: s.frame.Root + api.OperationsPath},
		),
		Method: methodOf(o), Path: o.Path, About: o.About, Deprecated: o.Deprecated, Shapes: shapesOf(o.Shapes()),
	}
	for _, param := range o.Params {
		if !param.Page {
			p.Members = append(p.Members, page.Member{
				Name: param.Name, Where: locationWords[param.In], Type: paramType(param), About: param.About,
				Required: param.Required || param.In == "path",
			})
		}
	}
	if o.Body != nil {
		p.Body, p.BodyAbout = shapesOf(o.Body.Shapes()), o.Body.About
	}
	for _, f := range o.Answer.Forms {
		p.Forms = append(p.Forms, f.Type)
	}
	for _, response := range o.Responses() {
		p.Responses = append(p.Responses, page.Statement{Title: response.Status, Value: response.About})
	}
	if made == nil {
		p.Without = "На этом сервере сейчас нет того, о чём можно спросить для примера."
		return p
	}
	p.Snippets = s.callOf(o, made).snippets()
	p.Answer, p.More = s.answerTo(made)
	if o.Method == "" {
		p.Live = s.liveAt(o, made)
	}
	return p
}

// liveAt is the address of the answer to a sample in a browser: as data, even if there is a page too,
// or the browser accepts nothing else.
func (s *Site) liveAt(o *api.Operation, made *sample) string {
	q := []string{}
	if made.query != "" {
		q = append(q, made.query)
	}
	for i, f := range o.Answer.Forms {
		if f.Type == api.JSONType && (i == 0 || o.Path == api.MCPPath) {
			q = append(q, FormatParameter+"=json")
		}
	}
	live := s.frame.Root + made.path
	if len(q) > 0 {
		live += "?" + strings.Join(q, "&")
	}
	return live
}

// maxAnswer is the maximum number of lines of an answer that are shown, and maxLine that of bytes
// of each.
const maxAnswer, maxLine = 40, 200

// answerTo is the beginning of the answer to a sample, and whether it continues.
func (s *Site) answerTo(made *sample) (text string, more bool) {
	switch {
	case made.text != nil:
		text = indentedJSON([]byte(made.text()))
	case made.answer != nil:
		r := made.answer()
		if r == nil || len(r.Representations) == 0 || r.Representations[0].Type == api.HTMLType {
			return "", false
		}
		now := s.sampled(made).UTC().Format(TimeFormat)
		text = indentedJSON(r.Representations[0].Ready().Body.Append(nil, now))
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > maxAnswer {
		lines, more = lines[:maxAnswer], true
	}
	for i := range lines {
		if len(lines[i]) > maxLine {
			lines[i], more = strings.ToValidUTF8(lines[i][:maxLine], "")+"…", true
		}
	}
	return strings.Join(lines, "\n"), more
}

func shapesOf(shapes []api.Shape) (all []page.Shape) {
	for _, shape := range shapes {
		own := page.Shape{Name: shape.Name, About: shape.About}
		for _, f := range shape.Fields {
			own.Members = append(own.Members, page.Member{
				Name: f.Name, Type: typesInWords(f.Type), About: f.About, Required: f.Required,
			})
		}
		all = append(all, own)
	}
	return all
}

// locationWords has the places of parameters in words.
var locationWords = map[string]string{"path": "в адресе", "query": "в запросе", "header": "заголовок"}

// paramType describes the values of a parameter, in words.
func paramType(p *api.Param) (words string) {
	switch p.Type {
	case api.Date:
		words = "день, ГГГГ-ММ-ДД"
	case api.DayOrPlace:
		words = "день, ГГГГ-ММ-ДД, или число"
	case api.Number:
		words = fmt.Sprintf("целое число от %d до %d", p.Least, p.Most)
		if p.In == "query" {
			words += fmt.Sprintf(", без него %d", p.Default)
		}
	case api.List:
		words = fmt.Sprintf("текст; можно повторить до %d раз", p.Many)
	default:
		words = "текст"
		if all := p.Allowed(); all != nil {
			words = "`" + strings.Join(all, "`, `") + "`"
		}
	}
	if p.Length > 0 {
		words += fmt.Sprintf(", не длиннее %d знаков", p.Length)
	}
	if p.Example != "" {
		words += ", например `" + p.Example + "`"
	}
	return words
}

func (s *Site) toolsetPage(set AssistantSet) page.Reference {
	p := page.Reference{
		Head:  s.connectHead("Набор инструментов "+set.Name, api.ToolsetsPath+set.Name, s.toConnect()),
		About: sentence(set.About),
	}
	group := page.ReferenceGroup{ID: "tools", Title: "Инструменты"}
	for _, t := range set.Tools {
		group.Operations = append(
			group.Operations,
			page.ReferenceLine{
				Code: t.Name, Title: t.Title, Href: s.frame.Root + api.ToolsetsPath + set.Name + "/" + t.Name,
			},
		)
	}
	p.Groups = []page.ReferenceGroup{group}
	return p
}

func (s *Site) assistantToolPage(set AssistantSet, t AssistantTool) page.Toolbox {
	input := t.Input()
	p := page.Toolbox{
		Head: s.connectHead(cmp.Or(t.Title, t.Name), api.ToolsetsPath+set.Name+"/"+t.Name,
			s.toConnect(), page.Link{Title: "Набор " + set.Name, Href: s.frame.Root + api.ToolsetsPath + set.Name}),
		Name: t.Name, About: t.About, Schema: indentedJSON(input), Members: argumentsOf(input, ""),
	}
	message := content.Object{}.With("jsonrpc", content.String("2.0")).With("id", []byte("1")).With(
		"method", content.String("tools/list"),
	)
	p.Snippets = []page.Snippet{{ID: "curl", Title: "Как набор виден клиенту", Language: "sh", Code: call{
		method: "POST", url: s.URL(api.MCPPath) + "?toolsets=" + set.Name, headers: mcpHeaders,
		body: string(message.AppendJSON(nil)),
	}.curl()}}
	return p
}

// sentence adds a capital letter and a full stop to a text.
func sentence(text string) string {
	r := []rune(strings.TrimSuffix(text, "."))
	return string(append([]rune(strings.ToUpper(string(r[:1]))), r[1:]...)) + "."
}

// typeWords has the types of JSON Schema in words.
var typeWords = map[string]string{
	"string": "текст", "integer": "целое число", "number": "число", "boolean": "да или нет",
	"array": "список", "object": "объект",
}

// typesInWords names the types of a value and of its elements.
func typesInWords(types string) string {
	all := strings.Split(types, ", ")
	for i, t := range all {
		all[i] = cmp.Or(typeWords[t], t)
	}
	return strings.Join(all, ": ")
}

// argumentWords describe the common parts of calculations, which the schemas of tools leave
// out to be short.
var argumentWords = map[string]string{
	"inputs": "Исходные данные.", "contract_values": "Значения из договора, с которыми сравнить результат.",
	"tolerance": "Какие отклонения от договора допустимы.", "options": "Что включить в ответ: график, ход расчёта.",
}

// argumentsOf reads the arguments of a tool from its schema, followed by the members of
// objects, with their paths.
func argumentsOf(schema []byte, within string) (all []page.Member) {
	var own struct {
		Properties content.Object
		Required   []string
	}
	if json.Unmarshal(schema, &own) != nil {
		return nil
	}
	wanted := map[string]bool{}
	for _, name := range own.Required {
		wanted[name] = true
	}
	for _, m := range own.Properties {
		var of struct {
			Type, Description string
			Enum              []any
			Default           any
			Items             struct{ Type string }
		}
		_ = json.Unmarshal(m.Value, &of) // other forms are read from the schema below
		words := typeWords[of.Type]
		if of.Items.Type != "" {
			words += ": " + typeWords[of.Items.Type]
		}
		for i, v := range of.Enum {
			if i == 0 {
				words += ":"
			}
			words += fmt.Sprintf(" `%v`", v)
		}
		if of.Default != nil {
			words += fmt.Sprintf(", без него `%v`", of.Default)
		}
		about := of.Description
		if within == "" {
			about = cmp.Or(about, argumentWords[m.Name])
		}
		all = append(all, page.Member{Name: within + m.Name, Type: words, About: about, Required: wanted[m.Name]})
		if of.Type == "object" {
			all = append(all, argumentsOf(m.Value, within+m.Name+".")...)
		}
	}
	return all
}
