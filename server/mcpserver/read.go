package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// Parameters that many tools share.
var (
	version  = text("version", "Версия, например 1.2.0")
	markdown = oneOf("format", "Вид ответа", "json", "markdown")
	offset   = number("offset", "next_offset прошлого ответа", 0, 0, api.MaxOffset)
)

func limit(preset int) *api.Param {
	return number("limit", "Сколько показать", preset, 1, api.MaxLimit)
}

// readTools are the tools that read items, lists and records.
func readTools() []*tool {
	return slices.Concat(
		kindTools("rules", content.Guidelines,
			"Список правил", "Действующие правила кратко. Само правило — get_guideline.",
			"Правило", "Применимость, условия и действия, ограничения, источники.",
			"scenario", "status", "product_type", "prefix"),
		kindTools("rules", content.Instructions,
			"Список инструкций", "По сценариям. Начните с assistant.",
			"Инструкция", "Главная — assistant; есть и fallback-policy (сервис недоступен), integration-profile (как "+
				"называть сервис)."),
		kindTools("rules", content.Parameters,
			"Внешние параметры", "Сроки, пределы сумм и другие значения из закона, с источником.",
			"Внешний параметр", "Значение, условия, источники.", "prefix"),
		[]*tool{
			versions(),
			records("fraud", "list_fraud_signals", "Признаки мошенничества",
				"По чему узнать обман; sufficient_for_stop=true — немедленно прекратить контакт.", "fraud-signals"),
			records("fraud", "list_fraud_states", "Состояния пользователя",
				"В каком положении человек, как срочно действовать и по каким маршрутам.", "fraud-states"),
			records("fraud", "list_fraud_scenarios", "Схемы мошенничества", "Как признаки складываются в схемы.",
				"fraud-scenarios"),
			records("fraud", "list_fraud_routes", "Маршруты при мошенничестве",
				"Куда и с чем обратиться, параллельные маршруты.", "fraud-routes"),
			records("fraud", "list_authority_resources", "Ведомства",
				"К кому обращаться, что могут и чего не могут, официальный адрес.", "authority-resources"),
			fraudBrief(),
		},
		kindTools("reference", content.OutputSchemas,
			"Схемы результатов", "Какие структуры ассистент составляет и хранит у себя.",
			"Схема результата", "Разделы и поля результата, который составляет ассистент."),
		kindTools("reference", content.Registries,
			"Справочники", "Какие справочники есть.",
			"Справочник целиком", "Справочник с контрольной суммой; большие удобнее читать постранично."),
		[]*tool{
			taxonomy(),
			records("reference", "list_glossary_terms", "Глоссарий",
				"Финансовые термины простыми словами. Один термин быстрее найдёт search.", "glossary"),
			record(),
		},
		kindTools("reference", content.Calendars,
			"Производственные календари", "По каким годам считаются рабочие дни.",
			"Производственный календарь", "Нерабочие и перенесённые дни года."),
		kindTools("reference", content.Scenarios,
			"Сценарии", "Модули сервиса и виды продуктов, которые они охватывают.",
			"Сценарий", "Описание сценария и его условия остановки.", "product_type"),
	)
}

// kindTools declares the tools that read the list of a kind, with these filters, and its items.
func kindTools(set string, k *content.Kind, listTitle, listAbout, title, about string, filters ...string) []*tool {
	return []*tool{lists(set, listTitle, listAbout, k, filters...), items(set, title, about, k)}
}

// unlisted are the kinds whose list none of these tools reads.
func unlisted(tools []*tool) (kinds []*content.Kind) {
	for _, k := range content.Kinds {
		if k.List && !slices.ContainsFunc(tools, func(t *tool) bool { return t.Name == listTool(k) }) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// readersOf are the tools of kinds without descriptions of their own in readTools. The list has
// all filters that the list over HTTP has.
func readersOf(kinds []*content.Kind) (all []*tool) {
	for _, k := range kinds {
		o := api.Of(api.ListItems, k, "")
		filters := slices.DeleteFunc([]string{"scenario", "status", "product_type", "prefix"}, func(name string) bool {
			return o.Param(name) == nil
		})
		all = append(all, kindTools("reference", k, k.Title, k.About, k.Title+": документ", k.About, filters...)...)
	}
	return all
}

// listTool and itemTool are the names of the tools that read a kind.
func listTool(k *content.Kind) string { return "list_" + strings.ReplaceAll(k.Folder, "-", "_") }
func itemTool(k *content.Kind) string { return "get_" + k.Name }

// itemMissing is the error for an item that there is not.
func itemMissing(k *content.Kind) error {
	tools := "search"
	if k.List {
		tools = listTool(k) + ", search"
	}
	return &toolError{Code: k.Name + "_not_found", Detail: "Такого элемента нет. Что есть: " + tools + "."}
}

// fraudBrief declares the tool that combines the records of the registries for signals and states.
func fraudBrief() *tool {
	about := "Что делать при признаках и случившемся: маршруты по порядку, телефоны. Читайте первым, коды " +
		"даёт search kind=signal и state."
	return reads("fraud", "fraud_brief", "Кратко о признаках вместе", about, object("stop", "signals", "routes"),
		func(c *call) (result, error) {
			switch res := c.site.Lookup(api.FraudBriefPath); {
			case res == nil:
				return refused("registry_not_found", "Справочника признаков сейчас нет.")
			case res.Gone != nil:
				return c.resource(res, false)
			}
			signals, states := c.lists["signal"], c.lists["state"]
			c.site.CheckFraud(signals, states, c)
			if err := c.err(); err != nil {
				return result{}, err
			}
			return c.resource(c.site.FraudBrief(signals, states), false)
		}, given(api.Of(api.BriefFraud, nil, ""), "signal", "state")...).at(api.FraudBriefPath)
}

// items declares the tool that reads an item of a kind.
func items(set, title, about string, k *content.Kind) *tool {
	id := k.Argument()
	return reads(set, itemTool(k), title, about, object(k.ID, k.Version, "status"), func(c *call) (result, error) {
		return c.item(k, c.Text(id))
	}, append(
		[]*api.Param{required(text(id, "id или имя")), version, api.Shared("AsOf")}, withDay(
			k, api.Shared("Section"), api.Shared("View"), markdown)...,
	)...)
}

func taxonomy() *tool {
	k := content.Registries
	return reads("reference", "get_taxonomy", "Таксономия",
		"Коды сценариев, видов продуктов, категорий, условий остановки, срочности.",
		object(k.ID, k.Version, "status"), func(c *call) (result, error) { return c.item(k, "taxonomy") }, version,
		api.Shared("AsOf"), api.Shared("InForce"), api.Shared("Section"), api.Shared("View"), markdown,
	).at(k.ItemPath("taxonomy"))
}

// item reads a version of an item, given by the name in its address or by its id, which lists
// and searches return.
func (c *call) item(k *content.Kind, name string) (result, error) {
	it := find(c.site, k, name)
	if it == nil {
		return result{}, itemMissing(k)
	}
	if c.Has(site.InForceParameter) {
		return c.inForce(it)
	}
	e, err := c.versionOf(it)
	if err != nil {
		return result{}, err
	}
	return c.selected(e)
}

// withDay adds the parameter for the day of validity, if items of the kind have one.
func withDay(k *content.Kind, others ...*api.Param) []*api.Param {
	if !api.HasPeriods(k) {
		return others
	}
	return append([]*api.Param{api.Shared("InForce")}, others...)
}

// inForce is the version of an item in force on a day.
func (c *call) inForce(it *content.Item) (result, error) {
	if c.Has("version") || c.Text("view") == site.ReferrersView {
		c.Fault(
			site.InForceParameter, "inconsistent", "На день отвечает та версия, что в силе.",
			"Уберите version и view или in_force.",
		)
		return result{}, c.err()
	}
	asOf, on := c.Text("as_of"), c.Text(site.InForceParameter)
	if e := c.site.InForceVersion(it, asOf, on); e != nil && (c.Has("section") || c.Has("view")) {
		return c.selected(e)
	}
	if res := c.site.InForce(it, asOf, on); res != nil {
		return c.resource(res, c.Text("format") == "markdown")
	}
	e, err := c.versionOf(it) // one that cannot be read
	if err != nil {
		return result{}, err
	}
	return c.selected(e)
}

// selected is the requested part of a version: all, some sections, or its brief.
func (c *call) selected(e *content.Entry) (result, error) {
	past := ""
	if c.Has(version.Name) || c.Has(api.AsOf) {
		past = version.Name + " и " + api.AsOf
	}
	wanted := site.AskedPart(c.lists[api.Section], c, past)
	if err := c.err(); err != nil {
		return result{}, err
	}
	r, err := c.sectioned(c.site.Part(e, wanted))
	if r.text != nil && !wanted.Whole() && e.Kind.Path == content.Instructions.Path {
		r.text = []byte(c.server.forTools(r.text, c.site.Discovery(e)))
	}
	r.of = e
	return r, err
}

// find returns the item of a name or id at the paths of a kind, nil if there is none.
func find(s *site.Site, k *content.Kind, name string) *content.Item {
	for _, other := range content.Kinds {
		if it := s.Snapshot.Item(other, name); it != nil && other.Path == k.Path {
			return it
		}
	}
	i := slices.IndexFunc(s.Snapshot.Items, func(it *content.Item) bool {
		return it.Kind.Path == k.Path && it.Entries[0].Publication.ID() == name
	})
	if i < 0 {
		return nil
	}
	return s.Snapshot.Items[i]
}

// versionOf returns the requested version of an item: the one given, that of a day, or the
// current one; if all are redacted, the highest.
func (c *call) versionOf(it *content.Item) (*content.Entry, error) {
	served := func(e *content.Entry) bool { return e != nil && c.site.Lookup(e.Path()) != nil }
	switch {
	case c.Has("version") && c.Has("as_of"):
		c.Fault("as_of", "inconsistent", site.VersionAndDay, site.LeaveOne)
		return nil, c.err()
	case c.Has("version"):
		if e := it.Version(c.Text("version")); served(e) {
			return e, nil
		}
		return nil, versionMissing()
	case c.Has("as_of"):
		if e := c.site.Snapshot.On(c.Text("as_of")).Current(it); served(e) {
			return e, nil
		}
		return nil, c.nothingOn(it)
	}
	if e := it.Current; served(e) {
		return e, nil
	}
	if e := it.Entries[0]; e.Status == content.Redacted {
		return e, nil
	}
	return nil, &toolError{Code: "no_current_version", Detail: site.NoCurrentVersion + allVersions}
}

const allVersions = " Все версии: list_versions."

// versionMissing is the error for a version that an item does not have.
func versionMissing() error {
	return &toolError{Code: "version_not_found", Detail: site.NoVersion + allVersions}
}

// nothingOn says that nothing of an item applied on the requested days.
func (c *call) nothingOn(it *content.Item) error {
	asOf, on := c.Text("as_of"), c.Text(site.InForceParameter)
	e := &toolError{
		Code: "not_published_then", Detail: c.site.NothingOn(it, it.ID(), asOf, on) + allVersions,
	}
	if on != "" {
		e.Code = "not_in_force_then"
	}
	return e
}

// resource is what HTTP answers at the resource.
func (c *call) resource(res *site.Resource, asMarkdown bool) (r result, err error) {
	if g := res.Gone; g != nil {
		return r, &toolError{Code: "redacted", Detail: g.Detail(), Gone: g}
	}
	r.json = c.body(res, api.JSONType)
	if asMarkdown {
		r.text = c.body(res, api.MarkdownType)
		r.json = representation(res, api.JSONType).Body.Identity(c.now) // without the content
	}
	return r, nil
}

// body is the body of a resource in a media type, nil if it has none.
func (c *call) body(res *site.Resource, mediaType string) []byte {
	return bodyOf(res, mediaType, c.now)
}

func bodyOf(res *site.Resource, mediaType, now string) []byte {
	if rep := representation(res, mediaType); rep != nil {
		return rep.Body.Append(nil, now)
	}
	return nil
}

// representation is a resource in a media type, nil if it has none.
func representation(res *site.Resource, mediaType string) *site.Representation {
	for _, rep := range res.Representations {
		if rep.Type == mediaType {
			return rep.Ready()
		}
	}
	return nil
}

// lists declares the tool that reads the list of a kind.
func lists(set, title, about string, k *content.Kind, filters ...string) *tool {
	o := api.Of(api.ListItems, k, "")
	return reads(set, listTool(k), title, about, pageOf(k.Folder), func(c *call) (result, error) {
		f := c.site.AskedFilter(c)
		if err := c.err(); err != nil {
			return result{}, err
		}
		return c.page(c.site.List(k, f))
	}, append(given(o, append(filters, "as_of")...), withDay(k, limit(50), offset)...)...)
}

// versions declares the tool that lists the versions of an item of any kind.
func versions() *tool {
	return reads("rules", "list_versions", "Версии элемента", "Даты, статусы, контрольные суммы.", pageOf("versions"),
		func(c *call) (result, error) {
			k := content.KindOf(c.Text("folder"))
			it := find(c.site, k, c.Text("name"))
			if it == nil {
				return result{}, itemMissing(k)
			}
			return c.page(c.site.Lookup(it.Kind.ItemPath(it.Name) + "/versions"))
		}, required(oneOf("folder", "Вид", api.Folders()...)), required(text("name", "Имя или id")), limit(50), offset)
}

// records declares the tool that reads the records of a registry, or the registry if it has none.
func records(set, name, title, about, registry string) *tool {
	filters := api.Of(api.ReadItem, content.Registries, registry).Filters()
	return reads(set, name, title, about, object(content.Registries.ID), func(c *call) (result, error) {
		item := c.site.Snapshot.Item(content.Registries, registry)
		if item == nil {
			return refused("registry_not_found", "Этого справочника сейчас нет.")
		}
		e, err := c.versionOf(item)
		if err != nil {
			return result{}, err
		}
		values := c.site.AskedRecords(item, c, c.Text("as_of"))
		if err := c.err(); err != nil {
			return result{}, err
		}
		return c.page(c.site.Records(e, site.View{Filters: values}))
	}, append(filters, api.Shared("AsOf"), limit(recordLimit), offset)...).at(content.Registries.ItemPath(registry))
}

// recordLimit is the default number of records of a list: more than any that instructions
// require to be read as a whole.
const recordLimit = 200

// record declares the tool that reads one record of any registry.
func record() *tool {
	return reads("reference", "get_record", "Запись справочника", "Одна запись по её коду.", object(
		"registry_id", "source_checksum",
	), func(c *call) (result, error) {
		code := c.Text("code")
		res := c.site.Lookup(content.Registries.ItemPath(c.Text("registry")) + "/" + code)
		if res == nil || code == "versions" || strings.Contains(code, "/") { // the code must not lead to another path
			return refused("record_not_found", "Такой записи нет. Коды записей даёт список справочника.")
		}
		return c.resource(res, c.Text("format") == "markdown")
	}, required(oneOf(
		"registry", "Справочник", "fraud-signals", "fraud-states", "fraud-scenarios", "fraud-routes",
		"authority-resources", "glossary",
	)), required(text("code", "Код записи")), markdown)
}

// page is the part of a list selected by limit and offset, or a resource without a list.
func (c *call) page(res *site.Resource) (result, error) {
	rep := representation(res, api.JSONType)
	if rep == nil || rep.Body.List == nil {
		return c.resource(res, false)
	}
	from := min(c.Number("offset"), rep.Body.List.Len())
	to := min(from+c.Number("limit"), rep.Body.List.Len())
	return c.elements(rep.Body, from, to, from), nil
}

// elements are some of the list in a body, as many as fit, with the offset of the next ones, if there are
// any: the first of them is at offset in the whole list.
func (c *call) elements(body site.Body, from, to, offset int) result {
	n, text := fitting(to-from, func(n int) []byte {
		next := offset + n
		if n == 0 || next >= body.List.Total {
			next = 0
		}
		return body.Page(from, from+n, next, c.now)
	})
	return result{json: text, total: body.List.Total, returned: n}
}

// maxListed is the maximum length of a list, in characters, unless its first element is longer: a model that
// wants the rest asks for the next offset.
const maxListed = 12_000

// fitting returns how many of n elements fit into an answer, and the answer with these.
func fitting(n int, answer func(n int) []byte) (int, []byte) {
	for {
		text := answer(n)
		size := utf8.RuneCount(text)
		if n <= 1 || size <= maxListed {
			return n, text
		}
		n = max(1, min(n-1, n*maxListed/size))
	}
}

// listPage is a page of a list, with the offset of the next one if there is one.
func listPage(name string, elements json.RawMessage, to, total int) []byte {
	page := api.Object("total", total)
	if to < total {
		page = append(page, api.Object("next_offset", to)...)
	}
	return api.JSON(append(page, api.Object(name, elements)...))
}
