package api

import (
	"cmp"
	"strings"

	"rulestore/content"
	"rulestore/schemas"
)

// addressesOf are where the items of a kind are: those that have an address of their own
// first, then all others.
func addressesOf(k *content.Kind, w kindWords, set *schemas.Set) (all []itemAddress) {
	template := itemAddress{set: set, kind: k, path: k.Path + "/{" + k.Argument() + "}", words: general[k]}
	for _, own := range addressed[k] {
		s := itemAddress{set: set, kind: k, item: own.item, path: k.ItemPath(own.item), words: own.words}
		s.schema = cmp.Or(s.schema, s.id)
		all = append(all, s)
	}
	if !k.List {
		return all
	}
	if template.id == "" {
		template.words = words{id: w.schema, title: k.Title + ": документ", about: "Действующая версия. " + k.About,
			of: w.of}
	}
	template.schema, template.name = w.schema, k.Name
	all = append(all, template)
	return all
}

// wordsOf are the words for a kind; where there are none, its row has to do.
func wordsOf(k *content.Kind) kindWords {
	if w, ok := ofKinds[k]; ok {
		return w
	}
	schema := joined(k.Name)
	return kindWords{
		tag: k.Title, plural: joined(k.Folder), list: "документов: " + strings.ToLower(k.Title), of: "документа",
		schema: schema,
		about:  k.About + " Действующие версии кратко.",
		param:  itemName(k, schema+"Name", "Идентификатор или имя документа.", ""),
	}
}

// joined writes the words of a name together, each with a capital: court_fee becomes CourtFee.
func joined(name string) (all string) {
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' }) {
		all += strings.ToUpper(word[:1]) + word[1:]
	}
	return all
}

// itemName is the parameter of a path that names an item of a kind.
func itemName(k *content.Kind, key, about, example string) *Param {
	p := &Param{Name: k.Argument(), In: "path", Type: Text, About: about, Example: example, Key: key}
	if !k.NameIsID {
		p.Length, p.Pattern = 160, "^[a-z0-9][a-z0-9._-]*$"
	}
	return p
}

// itemID is the parameter of a path that names an item by its id, with the longest that
// there can be and how it is written.
func itemID(k *content.Kind, key, about, example string, length int, pattern string) *Param {
	p := itemName(k, key, about, example)
	p.Length, p.Pattern = length, pattern
	return p
}

// code is the parameter of a path that names a record.
func code(key, name, about, example string) *Param {
	return &Param{
		Name: name, In: "path", Type: Text, About: about, Length: 120, Pattern: "^[A-Za-z][A-Za-z0-9_.-]*$",
		Example: example, Key: key,
	}
}

// ofKinds are the words for the kinds, each for what all its items have in common.
var ofKinds = map[*content.Kind]kindWords{
	content.Guidelines: {
		tag: "Правила", plural: "Guidelines", list: "правил", of: "правила", schema: "Guideline",
		about: "Действующие версии правил. Параметры сужают список; `status` меняет его: тогда у каждого правила " +
			"берётся " +
			"новейшая версия с этим статусом. `as_of` показывает список таким, каким он был в конце дня.",
		param: itemID(content.Guidelines, "GuidelineId", "Идентификатор правила.", "product.common.001", 120,
			`^[a-z][a-z0-9]*(-[a-z0-9]+)*(\.[a-z][a-z0-9]*(-[a-z0-9]+)*)+\.[0-9]{3}$`),
		id: "product.common.001", version: "1.1.0",
	},
	content.Instructions: {
		tag: "Инструкции", plural: "Instructions", list: "инструкций", of: "инструкции", schema: "Instruction",
		about: "Действующие версии инструкций. Политики и профиля в списке нет, их адреса — в манифесте.",
		param: itemName(content.Instructions, "InstructionName",
			"Имя инструкции, как оно стоит в адресе; идентификатор (`instruction_id`) — внутри.", "fraud-response"),
		id: "service.assistant.001", version: "1.10.0",
	},
	content.Policies: {
		tag: "Инструкции", of: "политики", schema: "Policy", id: "service.fallback-policy.001", version: "1.1.0",
	},
	content.Profiles: {
		tag: "Инструкции", of: "профиля", schema: "Profile", id: "service.integration-profile.001", version: "1.0.0",
	},
	content.OutputSchemas: {
		tag: "Схемы результатов", plural: "OutputSchemas", list: "схем результатов", of: "схемы",
		schema: "OutputSchema",
		about: "Действующие версии схем результатов. По ним ассистент составляет и хранит свои записи; сервис их не " +
			"получает.",
		param: itemName(content.OutputSchemas, "SchemaName",
			"Имя схемы, как оно стоит в адресе; идентификатор (`schema_id`) — внутри.", "product-analysis-output"),
		id: "service.product-analysis-output.001", version: "1.1.0",
	},
	content.Registries: {
		tag: "Справочники", plural: "Registries", list: "справочников", of: "справочника", schema: "Registry",
		about: "Действующие версии всех справочников. У таксономии, глоссария, ведомств и справочников о мошенничестве " +
			"свои адреса; они видны в `canonical_url`.",
		param: itemName(
			content.Registries, "RegistryName", "Имя справочника, у которого нет своего адреса.", "currencies",
		),
		id: "service.taxonomy.001", version: "1.3.0",
	},
	content.Parameters: {
		tag: "Внешние параметры", plural: "ExternalParameters", list: "внешних параметров", of: "параметра",
		schema: "Parameter",
		about: "Действующие значения, которые установили закон или ведомство. Правила ссылаются на них и сами чисел не " +
			"повторяют.",
		param: itemID(content.Parameters, "ParameterId", "Идентификатор внешнего параметра.",
			"consumer-rights.ombudsman-amount-limit", 120, `^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*$`),
		id: "consumer-rights.ombudsman-amount-limit", version: "1.0.0",
	},
	content.Calendars: {
		tag: "Календари", plural: "Calendars", list: "производственных календарей", of: "календаря", schema: "Calendar",
		about: "Действующие производственные календари.",
		param: itemID(content.Calendars, "CalendarId", "Страна и год.", "ru-2026", 0, "^[a-z]{2}-[0-9]{4}$"),
		id:    "ru-2026", version: "1.0.0",
	},
	content.Scenarios: {
		tag: "Сценарии", plural: "Scenarios", list: "сценариев", of: "сценария", schema: "Scenario",
		about: "Действующие версии сценариев.",
		param: itemID(content.Scenarios, "ScenarioId", "Код сценария.", "fraud_risk", 60, "^[a-z][a-z0-9_]*$"),
		id:    "fraud_risk", version: "1.0.0",
	},
}

// general are the words for the items of a kind that have no address of their own.
var general = map[*content.Kind]words{
	content.Guidelines: {
		id: "Guideline", title: "Правило", of: "правила",
		about: "Действующая версия правила. Если она требует перепроверки, статус — `review_required`.",
	},
	content.Instructions: {
		id: "Instruction", title: "Инструкция", of: "инструкции",
		about: "Действующая версия инструкции. Есть, например, `fraud-response`, `consumer-rights-response`, " +
			"`credit-history-analysis`, `math-module`, `personal-finance-manager`, `investment-advice`; все — в списке.",
	},
	content.OutputSchemas: {
		id: "OutputSchema", title: "Схема результата", of: "схемы результата",
		about: "Действующая версия схемы. Есть, например, `product-analysis-output`, `fraud-response-output`, " +
			"`credit-history-analysis-output`. Имя может содержать папку; такой адрес описан отдельно: " +
			"/api/v1/schemas/math/loan-calculation.",
	},
	content.Registries: {
		id: "Registry", title: "Справочник", of: "справочника", ofVersion: "справочника общего вида",
		about: "Действующая версия справочника общего вида. Справочники со своим адресом здесь не отвечают.",
		record: &record{
			"registry_record", "record", "RegistryRecord", "Запись справочника", "",
			code("RecordCode", "code", "Код записи.", "RUB"),
		},
	},
	content.Parameters: {
		id: "ExternalParameter", title: "Внешний параметр", of: "параметра", ofVersion: "внешнего параметра",
		about: "Действующая версия параметра: значение, единица, условия и источники. Если её пора перепроверить, " +
			"статус — `review_required`.",
	},
	content.Calendars: {
		id: "Calendar", title: "Производственный календарь", of: "календаря", ofVersion: "производственного календаря",
		about: "Действующая версия календаря: нерабочие будни, рабочие выходные, переносы. Сроки считают только по " +
			"календарю с `approval: approved`.",
	},
	content.Scenarios: {
		id: "Scenario", title: "Сценарий", of: "сценария",
		about: "Действующая версия сценария: описание, виды продуктов и условия остановки.",
	},
}

// own is an item with an address of its own, or with words of its own.
type own struct {
	item string
	words
}

// addressed are the items with an address of their own.
var addressed = map[*content.Kind][]own{
	content.Instructions: {
		{"assistant", words{
			name: "assistant_instruction", id: "AssistantInstruction", title: "Инструкция ассистента",
			of: "инструкции ассистента", ofVersion: "главной инструкции ассистента",
			about:    "Главная инструкция: как выбирать, проверять и применять правила. С неё начинает ассистент.",
			numbered: "1.4.0",
		}},
		{"product-document-analysis", words{
			name: "product_document_analysis", id: "DocumentAnalysisInstruction", schema: "GeneralInstruction",
			title: "Инструкция по анализу документов", of: "инструкции по анализу документов",
			ofVersion: "инструкции общего формата",
			about:     "Как разобрать договор, тарифы, полис или рекламу.",
		}},
	},
	content.Profiles: {
		{"integration-profile", words{
			name: "integration_profile", id: "IntegrationProfile", schema: "Profile", title: "Профиль интеграции",
			of: "профиля интеграции", about: "Когда и какими словами ассистент может назвать сервис.",
		}},
	},
	content.Policies: {
		{"fallback-policy", words{
			name: "fallback_policy", id: "FallbackPolicy", schema: "Policy", title: "Резервная политика",
			of:    "резервной политики",
			about: "Что делать, когда сервис недоступен, копия устарела или контрольная сумма не сходится.",
		}},
	},
	content.OutputSchemas: {
		{"math/loan-calculation", words{
			name: "loan_calculation_schema", id: "LoanCalculationSchema", schema: "OutputSchema",
			title: "Схема записи о расчёте кредита", of: "схемы записи о расчёте кредита",
			about: "Действующая версия схемы, по которой ассистент хранит расчёт кредита.",
		}},
	},
	content.Registries: {
		{"taxonomy", words{
			name: "taxonomy", id: "Taxonomy", title: "Таксономия", of: "таксономии",
			about: "Действующая версия таксономии: коды сценариев, видов продуктов, категорий признаков и других " +
				"понятий " +
				"с названиями.",
		}},
		{"glossary", words{
			name: "glossary", id: "Glossary", title: "Глоссарий", of: "глоссария",
			about: "Действующая версия глоссария финансовых терминов.",
			record: &record{
				"glossary_term", "term", "GlossaryTerm", "Термин", "Один термин действующей версии глоссария.",
				code("TermId", "term_id", "Код термина.", "deposit_insurance"),
			},
		}},
		{"authority-resources", words{
			name: "authority_resources", id: "AuthorityResources", title: "Ведомства и официальные ресурсы",
			of: "справочника ведомств", about: "К кому обращаться, что там могут и чего не могут.",
			filters: []filter{
				{"ResourceStatus", "status", "Только проверенные записи или только те, которые пора проверить.",
					"", "", false},
			},
			record: &record{
				"authority_resource", "authority", "AuthorityResource", "Ведомство или ресурс", "",
				code("ResourceCode", "code", "Код ведомства или ресурса (`resource_id`).", "user-bank"),
			},
		}},
		{"fraud-signals", words{
			tag: "Мошенничество", name: "fraud_signals", id: "FraudSignals",
			title: "Признаки мошенничества", of: "справочника признаков",
			about: "По каким признакам замечают опасность. Если `sufficient_for_stop` равно true, контакт советуют " +
				"прекратить сразу.",
			filters: []filter{
				{"SignalCategory", "category", "Только признаки этой категории.", "", "", true},
				{"SignalSeverity", "severity", "Только признаки этой важности.", "", "", false},
				{"SignalStop", "sufficient_for_stop",
					"Только признаки, которых достаточно для остановки (`true`), или " +
						"только остальные (`false`).", "", "", false},
			},
			record: &record{
				"fraud_signal", "signal", "FraudSignal", "Признак мошенничества", "",
				code("SignalCode", "code", "Код признака.", "APK_INSTALLATION_REQUESTED"),
			},
		}},
		{"fraud-states", words{
			tag: "Мошенничество", name: "fraud_states", id: "FraudStates",
			title: "Состояния при мошенничестве", of: "справочника состояний",
			about: "В каком положении оказался человек. Первый маршрут состояния — основной.",
			filters: []filter{
				{"StateUrgency", "urgency", "Только состояния этой срочности.", "", "", false},
				{"StateHarm", "irreversible_harm_possible", "Только состояния, в которых возможен необратимый вред " +
					"(`true`), или только остальные (`false`).", "", "", false},
				{"StateRoute", "route", "Только состояния, в которых есть этот маршрут (`route_id`).",
					"stop-contact.001", "route_id", false},
			},
			record: &record{
				"fraud_state", "state", "FraudState", "Состояние", "",
				code("StateCode", "code", "Код состояния.", "SUSPICIOUS_CONTACT_NO_LOSS"),
			},
		}},
		{"fraud-scenarios", words{
			tag: "Мошенничество", name: "fraud_scenarios", id: "FraudScenarios",
			title: "Схемы мошенничества", of: "справочника схем обмана",
			about: "Как признаки складываются в распространённые схемы и к каким состояниям они ведут.",
			filters: []filter{
				{"FraudScenarioSignal", "signal", "Только схемы с этим признаком.",
					"APK_INSTALLATION_REQUESTED", "Код признака", false},
				{"FraudScenarioState", "state", "Только схемы, которые ведут к этому состоянию.",
					"CONTACT_ACTIVE", "Код состояния", false},
			},
			record: &record{
				"fraud_scenario", "fraud_scenario", "FraudScenario", "Схема мошенничества", "",
				code("FraudScenarioId", "scenario_id", "Код схемы обмана.", "safe_account_transfer"),
			},
		}},
		{"fraud-routes", words{
			tag: "Мошенничество", name: "fraud_routes", id: "FraudRoutes",
			title: "Маршруты при мошенничестве", of: "справочника маршрутов",
			about: "Куда и с чем обратиться. Обязательные параллельные маршруты выполняют вместе с основным.",
			filters: []filter{
				{"RouteUrgency", "urgency", "Только маршруты этой срочности.", "", "", false},
				{"RouteTarget", "target_type", "Только маршруты, которые ведут туда.", "", "", false},
				{"RouteResource", "resource", "Только маршруты к этому ведомству или ресурсу (`resource_id`).",
					"user-bank", "resource_id", false},
			},
			record: &record{
				"fraud_route", "route", "FraudRoute", "Маршрут", "",
				code("RouteId", "route_id", "Код маршрута.", "stop-contact.001"),
			},
		}},
	},
}
