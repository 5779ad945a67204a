package api

// finding are the operations that find something, and say what is new.
func finding() []*Operation {
	return []*Operation{{
		Name: "search", ID: "search", Path: SearchPath, Tag: "Поиск и журнал",
		Title: "Поиск", Action: Search,
		About: "Ищет словами пользователя по всему действующему: правилам, инструкциям, внешним параметрам, " +
			"записям всех справочников, схемам результатов, календарям, сценариям — и по расчётам. Нужен " +
			"хотя бы один из параметров `q`, `kind`, `scenario`, `product_type`, `signal`; вместе они " +
			"сужают ответ. Сначала то, где есть все слова, потом то, где их больше всего; без `q` порядок " +
			"— по виду и идентификатору. Опечатки, транслитерация и другая раскладка понимаются. Если " +
			"всех слов нет нигде, ответ предлагает, что могло иметься в виду.",
		Params: []*Param{
			searchText, searchKind, searchScenario, searchProductType,
			searchSignal, searchLimit, offset, searchFields, InForce, searchAsOf,
		},
		Answer: newAnswer("Найденное.", kept,
			newForm(JSONType, "SearchResults", "SearchItem", "SearchSimilar"), titledForm, pageForm,
		),
	}, {
		Name: "changelog", ID: "listChanges", Path: ChangelogPath, Tag: "Поиск и журнал",
		Title: "Журнал изменений", Action: ListChanges,
		About: "Выпуски продукта и модулей и новые версии правил, новейшее первым. `total` считает всё, что " +
			"подходит под `since`. Если `since` — число, это место в журнале прозрачности: ответ перечисляет " +
			"его листья с этого места, от старых к новым, по всем видам, с отметками и с тем, что опубликовано " +
			"заранее; следующий запрос начинают с `next_since`, и каждое изменение приходит один раз. Выпусков " +
			"среди листьев нет. Где журнала нет, такое место — ошибка 400.",
		Params: []*Param{changelogLimit, offset, changelogSince},
		Answer: newAnswer("Страница журнала.", kept, newForm(JSONType, "Changelog", "Changelog"), titledForm, pageForm),
	}, {
		Name: "upcoming", ID: "listUpcoming", Path: UpcomingPath, Tag: "Поиск и журнал",
		Title: "Что будет опубликовано", Action: ListUpcoming,
		About: "Публикации, запечатанные заранее: день, с которого каждая станет видна, контрольная сумма, " +
			"само содержание и то, что в нём изменится. От ближайшей к дальней.",
		Params: []*Param{ListLimit, offset},
		Answer: newAnswer("Что запечатано заранее.", kept, newForm(JSONType, "UpcomingList"), titledForm, pageForm),
	}, {
		Name: "feeds", ID: "getFeed", Path: FeedsPath + "{feed}", Tag: "Поиск и журнал",
		Title: "Лента Atom", Action: ReadFeed, Route: FeedsPath + "{feed:.+}",
		About: "Новые публикации, от новых к старым, не больше ста: `all.atom` — все, `guidelines.atom` и " +
			"так далее — одного вида, `guidelines/<имя>.atom` — одного элемента, `upcoming.atom` — " +
			"запечатанные заранее. Отметки о снятом и изъятом — записи наравне с публикациями. Запись ленты не " +
			"меняется, её `id` один на любом адресе. Параметров нет.",
		Params:  []*Param{feed},
		Answer:  newAnswer("Лента, RFC 4287.", kept, newForm(AtomType, `{"type": "string"}`)),
		Missing: "NotFound", AnyAccept: true,
	}, {
		Name: "fraud_brief", ID: "getFraudBrief", Path: FraudBriefPath, Tag: "Мошенничество",
		Title: "Что делать при этих признаках", Action: BriefFraud,
		About: "Что справочники говорят о нескольких признаках и о том, что уже случилось, вместе: сами признаки, " +
			"сочетания, которые они выполняют, схемы, состояния, маршруты по порядку, ведомства и телефоны. " +
			"Маршруты — только для случившегося: для состояний из `state`, прежде всего, и для тех, которые " +
			"означают сами признаки. Не больше 5 КБ: чего " +
			"не поместилось, то посчитано в `left`. Коды выбирает тот, кто спрашивает; сервис о " +
			"пользователе ничего не узнаёт.",
		Params: []*Param{BriefSignals, briefStates},
		Answer: newAnswer("Признаки, состояния, маршруты и ведомства вместе.", kept,
			newForm(JSONType, "FraudBrief"),
		),
		Missing: "NotFound", Redacted: true,
	}, {
		Name: "compare", ID: "compareVersions", Path: ComparePath + ItemPattern, Tag: "Поиск и журнал",
		Title: "Сравнение версий", Action: Compare, Route: ComparePath + "{item:.+}",
		About: "Чем отличаются две версии элемента, по порядку текста: что добавлено, убрано и изменено, какими " +
			"словами, к какому классу относится " +
			"(`breaking`, `addition`, `wording`) и почему. Без параметров сравнивается действующая с прежней; " +
			"`as_of` и `in_force` " +
			"вместо `from` — с тем, что было опубликовано или действовало в тот день. Адрес изменения (`id`) — путь " +
			"из имён полей и " +
			"кодов, не зависит от порядка и служит якорем страницы; `url` ведёт к нему на ту часть, в которой оно " +
			"есть. Даты " +
			"проверки, контрольные суммы и номер формата — отдельно, в `upkeep`. Длинное сравнение делится на части, " +
			"во всех " +
			"форматах одинаково: дальше — `next_offset`.",
		Params: []*Param{
			itemFolder, anyName, compareFrom, compareTo, AsOf, InForce, compareClass, compareSection,
			compareOffset,
		},
		Answer: newAnswer("Изменения по порядку текста.", kept,
			newForm(JSONType, "Comparison"), titledForm, pageForm,
		),
		Missing: "NotFound", Redacted: true,
	}}
}
