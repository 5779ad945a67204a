package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// Parameters that many tools share.
var (
	version  = text("version", "")
	asOf     = api.AsOf
	inForce  = api.InForce
	markdown = oneOf("format", "json", "markdown")
	section  = api.Section
	views    = api.View
	offset   = number("offset", 0, 0, api.MaxOffset)
)

func limit(preset int) *api.Param { return number("limit", preset, 1, api.MaxLimit) }

// readTools are the tools that read items, lists and records.
func readTools() []*tool {
	g, i, s, p := content.Guidelines, content.Instructions, content.OutputSchemas, content.Parameters
	return []*tool{
		lists("rules", "list_guidelines", "Список правил", "Действующие правила кратко. Само правило — get_guideline.",
			g,
			"scenario", "status", "product_type", "prefix"),
		items(
			"rules", "get_guideline", "Правило", "Применимость, условия и действия, ограничения, источники.",
			"guideline_id", g,
		),
		lists("rules", "list_instructions", "Список инструкций", "По сценариям. Начните с assistant.", i),
		items("rules", "get_instruction", "Инструкция",
			"Главная — assistant; есть и fallback-policy (сервис недоступен), integration-profile (как называть "+
				"сервис).",
			"name", i),
		lists(
			"rules", "list_parameters", "Внешние параметры",
			"Сроки, пределы сумм и другие значения из закона, с источником.", p, "prefix",
		),
		items("rules", "get_parameter", "Внешний параметр", "Значение, условия, источники.", "parameter_id", p),
		versions(),

		records(
			"fraud", "Признаки мошенничества",
			"По чему узнать обман; sufficient_for_stop=true — немедленно прекратить контакт.", "fraud-signals",
		),
		records(
			"fraud", "Состояния пользователя",
			"В каком положении человек, как срочно действовать и по каким маршрутам.", "fraud-states",
		),
		records("fraud", "Схемы мошенничества", "Как признаки складываются в схемы.", "fraud-scenarios"),
		records(
			"fraud", "Маршруты при мошенничестве", "Куда и с чем обратиться, параллельные маршруты.", "fraud-routes",
		),
		records(
			"fraud", "Ведомства",
			"К кому обращаться, что могут и чего не могут, официальный адрес.", "authority-resources",
		),
		fraudBrief(),

		lists(
			"reference", "list_schemas", "Схемы результатов", "Какие структуры ассистент составляет и хранит у себя.",
			s,
		),
		items(
			"reference", "get_schema", "Схема результата", "Разделы и поля результата, который составляет ассистент.",
			"name", s,
		),
		lists("reference", "list_registries", "Справочники", "Какие справочники есть.", content.Registries),
		items(
			"reference", "get_registry", "Справочник целиком",
			"Справочник с контрольной суммой; большие удобнее читать постранично.", "name", content.Registries,
		),
		taxonomy(),
		records(
			"reference", "Глоссарий",
			"Финансовые термины простыми словами. Один термин быстрее найдёт search.", "glossary",
		),
		record(),
		lists(
			"reference", "list_calendars", "Производственные календари", "По каким годам считаются рабочие дни.",
			content.Calendars,
		),
		items(
			"reference", "get_calendar", "Производственный календарь", "Нерабочие и перенесённые дни года.",
			"calendar_id", content.Calendars,
		),
		lists(
			"reference", "list_scenarios", "Сценарии", "Модули сервиса и виды продуктов, которые они охватывают.",
			content.Scenarios, "product_type",
		),
		items(
			"reference", "get_scenario", "Сценарий", "Описание сценария и его условия остановки.", "scenario_id",
			content.Scenarios,
		),
	}
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
		all = append(all, lists("reference", listTool(k), k.Title, k.About, k, filters...),
			items("reference", itemTool(k), k.Title+": документ", k.About, k.Argument(), k))
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

// fraudBrief declares the tool that combines the records of the registries for some signals.
func fraudBrief() *tool {
	about := "Что делать при этих признаках: сочетания, состояния, маршруты по порядку, ведомства и телефоны. " +
		"Читайте первым, коды даёт search kind=signal."
	return reads("fraud", "fraud_brief", "Кратко о признаках вместе", about, object("stop", "signals", "routes"),
		func(c *call) (result, error) {
			if c.site.Lookup(api.FraudBriefPath) == nil {
				return result{}, &toolError{Code: "registry_not_found", Detail: "Справочника признаков сейчас нет."}
			}
			for _, code := range c.lists["signal"] {
				if u := c.site.UnknownSignal(code); u != nil {
					c.fault("signal", "unknown_value", site.NoSignal, u.Hint())
				}
			}
			if err := c.err(); err != nil {
				return result{}, err
			}
			return c.resource(c.site.FraudBrief(c.lists["signal"]), false)
		}, given(api.Of(api.BriefFraud, nil, ""), "signal")...)
}

// items declares the tool that reads an item of a kind.
func items(set, name, title, about, id string, k *content.Kind) *tool {
	return reads(set, name, title, about, object(k.ID, k.Version, "status"), func(c *call) (result, error) {
		return c.item(k, c.text(id))
	}, append([]*api.Param{required(text(id, "")), version, asOf}, withDay(k, section, views, markdown)...)...)
}

func taxonomy() *tool {
	k := content.Registries
	return reads("reference", "get_taxonomy", "Таксономия",
		"Коды сценариев, видов продуктов, категорий, условий остановки, срочности.",
		object(k.ID, k.Version, "status"), func(c *call) (result, error) { return c.item(k, "taxonomy") }, version,
		asOf, inForce, section, views, markdown)
}

// item reads a version of an item, given by the name in its address or by its id, which lists
// and searches return.
func (c *call) item(k *content.Kind, name string) (result, error) {
	it := find(c.site, k, name)
	if it == nil {
		return result{}, itemMissing(k)
	}
	if c.has(site.InForceParameter) {
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
	return append([]*api.Param{inForce}, others...)
}

// inForce is the version of an item in force on a day.
func (c *call) inForce(it *content.Item) (result, error) {
	if c.has("version") || c.text("view") == site.ReferrersView {
		c.fault(
			site.InForceParameter, "inconsistent", "На день отвечает та версия, что в силе.",
			"Уберите version и view или in_force.",
		)
		return result{}, c.err()
	}
	asOf, on := c.text("as_of"), c.text(site.InForceParameter)
	if e := c.site.InForceVersion(it, asOf, on); e != nil && (c.has("section") || c.has("view")) {
		return c.selected(e)
	}
	if res := c.site.InForce(it, asOf, on); res != nil {
		return c.resource(res, c.text("format") == "markdown")
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
	if c.has(version.Name) || c.has(asOf.Name) {
		past = version.Name + " и " + asOf.Name
	}
	wanted := site.PartOf(c.lists[section.Name], c.text(views.Name), past, c.fault)
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
	all := " Все версии: list_versions."
	served := func(e *content.Entry) bool { return e != nil && c.site.Lookup(e.Path()) != nil }
	switch {
	case c.has("version") && c.has("as_of"):
		c.fault("as_of", "inconsistent", "Указаны и версия, и день.", "Оставьте что-то одно.")
		return nil, c.err()
	case c.has("version"):
		if e := it.Version(c.text("version")); served(e) {
			return e, nil
		}
		return nil, &toolError{Code: "version_not_found", Detail: "Такой версии нет." + all}
	case c.has("as_of"):
		if e := c.site.Snapshot.On(c.text("as_of")).Current(it); served(e) {
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
	return nil, &toolError{Code: "no_current_version", Detail: "Действующей версии нет." + all}
}

// nothingOn says that nothing of an item applied on the requested days.
func (c *call) nothingOn(it *content.Item) error {
	asOf, on := c.text("as_of"), c.text(site.InForceParameter)
	e := &toolError{
		Code: "not_published_then", Detail: c.site.NothingOn(it, it.ID(), asOf, on) + " Все версии: list_versions.",
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
func lists(set, name, title, about string, k *content.Kind, filters ...string) *tool {
	o := api.Of(api.ListItems, k, "")
	return reads(set, name, title, about, pageOf(k.Folder), func(c *call) (result, error) {
		f := site.Filter{
			Scenario: c.text("scenario"), Status: content.Status(c.text("status")),
			ProductType: c.text("product_type"), Prefix: c.text("prefix"), AsOf: c.text("as_of"),
			InForce: c.text(site.InForceParameter),
		}
		if u := c.site.UnknownProduct(f.ProductType); u != nil && f.AsOf == "" {
			c.fault("product_type", "unknown_value", site.NoValue, u.Hint())
		}
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
			k := content.KindOf(c.text("folder"))
			it := find(c.site, k, c.text("name"))
			if it == nil {
				return result{}, itemMissing(k)
			}
			return c.page(c.site.Lookup(it.Kind.ItemPath(it.Name) + "/versions"))
		}, required(oneOf("folder", folders()...)), required(text("name", "Имя или id")), limit(50), offset)
}

// recordTools are the tools that read the records of registries.
var recordTools = []struct{ registry, tool string }{
	{"fraud-signals", "list_fraud_signals"}, {"fraud-states", "list_fraud_states"},
	{"fraud-scenarios", "list_fraud_scenarios"}, {"fraud-routes", "list_fraud_routes"},
	{"authority-resources", "list_authority_resources"}, {"glossary", "list_glossary_terms"},
}

// records declares the tool that reads the records of a registry, or the registry if it has none.
func records(set, title, about, registry string) *tool {
	name := toolsAt[content.Registries.ItemPath(registry)]
	filters := api.Of(api.ReadItem, content.Registries, registry).Filters()
	return reads(set, name, title, about, object(content.Registries.ID), func(c *call) (result, error) {
		item := c.site.Snapshot.Item(content.Registries, registry)
		if item == nil {
			return result{}, &toolError{Code: "registry_not_found", Detail: "Этого справочника сейчас нет."}
		}
		e, err := c.versionOf(item)
		if err != nil {
			return result{}, err
		}
		values, allowed := map[string]string{}, c.site.Filters(item)
		for _, p := range filters {
			known, ok := allowed[p.Name]
			if !ok || !c.has(p.Name) {
				continue
			}
			values[p.Name] = c.text(p.Name)
			if u := c.site.UnknownCode(item, p.Name, values[p.Name]); known == nil && u != nil && !c.has("as_of") {
				c.fault(p.Name, "unknown_value", site.NoValue, u.Hint())
			}
		}
		if err := c.err(); err != nil {
			return result{}, err
		}
		return c.page(c.site.Records(e, site.View{Filters: values}))
	}, append(filters, asOf, limit(recordLimit), offset)...)
}

// recordLimit is the default number of records of a list: more than any that instructions
// require to be read as a whole.
const recordLimit = 200

// record declares the tool that reads one record of any registry.
func record() *tool {
	var names []string
	for _, r := range recordTools {
		names = append(names, r.registry)
	}
	return reads("reference", "get_record", "Запись справочника", "Одна запись по её коду.", object(
		"registry_id", "source_checksum",
	), func(c *call) (result, error) {
		code := c.text("code")
		res := c.site.Lookup(content.Registries.ItemPath(c.text("registry")) + "/" + code)
		if res == nil || code == "versions" || strings.Contains(code, "/") { // the code must not lead to another path
			return result{}, &toolError{
				Code: "record_not_found", Detail: "Такой записи нет. Коды записей даёт список справочника.",
			}
		}
		return c.resource(res, c.text("format") == "markdown")
	}, required(oneOf("registry", names...)), required(text("code", "")), markdown)
}

// page is the part of a list selected by limit and offset, or a resource without a list.
func (c *call) page(res *site.Resource) (result, error) {
	rep := representation(res, api.JSONType)
	if rep == nil || rep.Body.List == nil {
		return c.resource(res, false)
	}
	from := min(c.number("offset"), rep.Body.List.Len())
	to := min(from+c.number("limit"), rep.Body.List.Len())
	return c.elements(rep.Body, from, to, to), nil
}

// elements are some of the list in a body, with the offset of the next ones, if there are any.
func (c *call) elements(body site.Body, from, to, next int) result {
	if from == to || next >= body.List.Total {
		next = 0
	}
	return result{json: body.Page(from, to, next, c.now), total: body.List.Total, returned: to - from}
}

// withNext adds the offset of the next page, if there is one.
func withNext(list content.Object, to, total int) content.Object {
	if to >= total {
		return list
	}
	i := slices.IndexFunc(list, func(m content.Member) bool { return m.Name == "total" }) + 1
	return slices.Insert(list, i, content.Member{Name: "next_offset", Value: whole(to)})
}

func jsonArray(elements []json.RawMessage) []byte {
	dst := []byte{'['}
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, e...)
	}
	return append(dst, ']')
}
