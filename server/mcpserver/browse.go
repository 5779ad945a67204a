package mcpserver

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"rulestore/server/api"
	"rulestore/server/site"
)

func (c *call) search() (reply, error) {
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
		return reply{}, err
	}
	return c.paged(c.site.Search(q, view))
}

func (c *call) manifest() (reply, error) { return c.resource(c.site.Lookup(api.ManifestPath), false) }

func (c *call) upcoming() (reply, error) { return c.page(c.site.Lookup(api.UpcomingPath)) }

func (c *call) changelog() (reply, error) {
	since := c.site.AskedSince(c)
	if err := c.err(); err != nil {
		return reply{}, err
	}
	return c.paged(c.site.Changelog(since, c.Number("offset"), c.Number("limit")))
}

// paged is a page of a list made by the site, with the offset of the next one.
func (c *call) paged(res *site.Resource) (reply, error) {
	body := representation(res, api.JSONType).Body
	return c.elements(body, 0, body.List.Len(), c.Number("offset")), nil
}

// checksums returns the lines of all publications: their text for the model, and a list of its lines.
func (c *call) checksums() (reply, error) {
	all := c.site.Seals(c.Text("since"))
	r := c.fittingPage("checksums", len(all), func(from, to int) any { return all[from:to] })
	shown := all[min(c.Number("offset"), len(all)):][:r.returned]
	r.text = []byte(strings.Join(append(slices.Clip(shown), ""), "\n"))
	return r, nil
}

func (c *call) health() (reply, error) { return reply{json: c.server.Health(c.site)}, nil }

// maxRead is the maximum size of a document that a model is given as a whole, in bytes.
const maxRead = 200 << 10

// readURL reads an address of the service, so that a model can follow links in content and
// answers.
func (c *call) readURL() (reply, error) {
	path, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(c.Text("url")), "GET "), c.site.URL(""))
	u, err := url.Parse(path)
	isList := err == nil && c.server.callAt(u.Path, nil).takes("limit")
	switch {
	case err != nil, !ok && u.Host != "":
		return refused("foreign_url", "Это адрес не этого сервиса: его адреса начинаются с "+c.site.URL("/"))
	case u.RawQuery != "" || isList || strings.HasPrefix(u.Path, api.ComparePath):
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
func (c *call) readQuery(u *url.URL) (reply, error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return refused("malformed_query", "Строка запроса записана с ошибкой: значения кодируют как в адресе.")
	}
	a := c.server.callAt(u.Path, query)
	if a.tool == nil || a.tool.params == nil {
		return refused("query_not_supported", "По этому адресу строки запроса не бывает.")
	}
	if format := c.Text(formatName); format != "" && a.takes(formatName) {
		a.args.Set(formatName, format)
	}
	asked := *c
	asked.tool, asked.args = a.tool, readArgs(a.arguments(), a.tool.params)
	if err := asked.err(); err != nil {
		return reply{}, err
	}
	r, err := a.tool.run(&asked)
	return r, cmp.Or(err, asked.err())
}

// document returns a resource of any media type.
func (c *call) document(res *site.Resource) (reply, error) {
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
		return c.resource(res, c.asMarkdown() && len(res.Representations) > 1)
	}
	return reply{json: api.JSON(api.Object("media_type", rep.Type, "text", string(body))), text: body}, nil
}
