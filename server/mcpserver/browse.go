package mcpserver

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"rulestore/server/api"
	"rulestore/server/site"
)

// maxShown is the default number of results of a search: the relevant ones are among the
// first, and the model reads each.
const maxShown = 5

// browseTools are the tools that search, and that read documents about the service.
func browseTools() []*tool {
	searched := given(api.Of(api.Search, nil, ""), append(slices.Clip(api.Narrowing),
		site.InForceParameter, "as_of")...)
	return []*tool{
		reads("rules", "search", "Поиск", "Поиск словами пользователя по всему. Нужен хотя бы один отбор.",
			pageOf("results"), (*call).search,
			append(searched, limit(maxShown), offset)...).at(api.SearchPath),
		reads("rules", "read_url", "Документ по адресу",
			"Читает адрес сервиса из ответа, и со строкой запроса: canonical_url, url, GET /api/v1/…", object(),
			(*call).readURL,
			required(question("url", "Адрес из ответа")), markdown),
		reads("service", "get_manifest", "Манифест", "Что это за сервис, все адреса, выпуски.",
			object("service", "endpoints"), func(c *call) (result, error) {
				return c.resource(c.site.Lookup(api.ManifestPath), false)
			}),
		reads(
			"service", "get_changelog", "Журнал изменений", "Выпуски и новые версии правил, новые сверху.",
			pageOf("entries"), (*call).changelog,
			append(given(api.Of(api.ListChanges, nil, ""), "since"), limit(api.DefaultLimit), offset)...,
		).at(api.ChangelogPath),
		reads("service", "list_upcoming", "Что будет опубликовано",
			"Запечатано заранее: день, сумма, содержание и что изменится.", pageOf("upcoming"),
			func(c *call) (result, error) {
				return c.page(c.site.Lookup(api.UpcomingPath))
			}, limit(10), offset).at(api.UpcomingPath),
		reads("service", "list_checksums", "Контрольные суммы", "Публикации построчно: тег, сумма, дата.",
			pageOf("checksums"), (*call).checksums,
			append(given(api.Of(api.ListChecksums, nil, ""), "since"), limit(100), offset)...).at(api.ChecksumsPath),
		reads(
			"service", "get_health", "Состояние сервиса", "Какой снимок отдаётся и что было отклонено при загрузке.",
			object("status", "snapshot"), (*call).health,
		).at(api.HealthPath),
	}
}

func (c *call) search() (result, error) {
	if !site.IsSearch(c) {
		c.Fault(
			"q", "nothing_asked", site.NothingAsked,
			"Укажите хотя бы один из аргументов: "+strings.Join(api.Narrowing, ", ")+".",
		)
	}
	q, view := site.AskedSearch(c)
	if f := api.NotOneOf(c.Text("scenario"), c.site.AllScenarios()); f != nil && c.Has("scenario") {
		c.Fault("scenario", f.Code, f.Detail, f.Hint)
	}
	c.site.CheckCodes(q, c)
	if err := c.err(); err != nil {
		return result{}, err
	}
	return c.paged(c.site.Search(q, view))
}

func (c *call) changelog() (result, error) {
	since := c.site.AskedSince(c)
	if err := c.err(); err != nil {
		return result{}, err
	}
	return c.paged(c.site.Changelog(since, c.Number("offset"), c.Number("limit")))
}

// paged is a page of a list made by the site, with the offset of the next one.
func (c *call) paged(res *site.Resource) (result, error) {
	body := representation(res, api.JSONType).Body
	return c.elements(body, 0, body.List.Len(), c.Number("offset")), nil
}

// checksums returns the lines of all publications: their text for the model, and a list of its lines.
func (c *call) checksums() (result, error) {
	all := c.site.Seals(c.Text("since"))
	from := min(c.Number("offset"), len(all))
	n, page := fitting(min(c.Number("limit"), len(all)-from), func(n int) []byte {
		return listPage("checksums", api.JSON(all[from:from+n]), from+n, len(all))
	})
	text := strings.Join(append(all[from:from+n:from+n], ""), "\n")
	return result{json: page, text: []byte(text), total: len(all), returned: n}, nil
}

func (c *call) health() (result, error) { return result{json: c.server.Health(c.site)}, nil }

// maxRead is the maximum size of a document that a model is given as a whole, in bytes.
const maxRead = 200 << 10

// readURL reads an address of the service, so that a model can follow links in content and
// answers.
func (c *call) readURL() (result, error) {
	path, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(c.Text("url")), "GET "), c.site.URL(""))
	u, err := url.Parse(path)
	_, comparison := comparisonAt(path)
	switch {
	case err != nil, !ok && u.Host != "":
		return refused("foreign_url", "Это адрес не этого сервиса: его адреса начинаются с "+c.site.URL("/"))
	case u.RawQuery != "" || comparison:
		return c.readQuery(u)
	case u.Path == api.HealthPath:
		return c.health()
	}
	res := c.site.Lookup("/" + strings.TrimPrefix(u.Path, "/"))
	if res == nil || res.Gone == nil && len(res.Representations) == 0 {
		return refused("path_not_found",
			"По этому адресу ничего нет. Все адреса перечислены в манифесте: read_url с url=/")
	}
	return c.document(res)
}

// readQuery answers an address with a query by its tool, which may be of another toolset than
// those selected.
func (c *call) readQuery(u *url.URL) (result, error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return refused("malformed_query", "Строка запроса записана с ошибкой: значения кодируют как в адресе.")
	}
	a, ok := c.server.callAt(u.Path, query)
	t := c.server.tool(a.tool, ^setsOf(connector))
	if !ok || t == nil || t.params == nil {
		return refused("query_not_supported", "По этому адресу строки запроса не бывает.")
	}
	if c.Has(markdown.Name) && slices.ContainsFunc(t.params,
		func(p *api.Param) bool { return p.Name == markdown.Name }) {
		a.args.Set(markdown.Name, c.Text(markdown.Name))
	}
	asked := *c
	asked.args = readArgs(a.arguments(t.params), t.params)
	if err := asked.err(); err != nil {
		return result{}, err
	}
	r, err := t.run(&asked)
	return r, cmp.Or(err, asked.err())
}

// document returns a resource of any media type.
func (c *call) document(res *site.Resource) (result, error) {
	if res.Gone != nil {
		return c.resource(res, false)
	}
	rep := res.Representations[0]
	body := c.body(res, rep.Type)
	switch {
	case len(body) > maxRead:
		return refused("too_large",
			"Документ больше 200 КиБ: прочитайте его по частям инструментами list_… или по HTTP.")
	case rep.Type == api.JSONType:
		return c.resource(res, c.Text("format") == "markdown" && len(res.Representations) > 1)
	}
	return result{json: api.JSON(api.Object("media_type", rep.Type, "text", string(body))), text: body}, nil
}
