package api

// finding are the operations that find something, and say what is new.
func finding() []*Operation {
	return []*Operation{{
		Name: "search", ID: "search", Path: SearchPath, Action: Search,
		Params: []*Param{
			searchText, searchKind, searchScenario, searchProductType,
			searchSignal, searchLimit, offset, searchFields, InForce, searchAsOf,
		},
		Answer: newAnswer("Найденное.", kept,
			newForm(JSONType, "SearchResults", "SearchItem", "SearchSimilar"), titledForm, pageForm,
		),
	}, {
		Name: "changelog", ID: "listChanges", Path: ChangelogPath, Action: ListChanges,
		Params: []*Param{changelogLimit, offset, changelogSince},
		Answer: newAnswer("Страница журнала.", kept, newForm(JSONType, "Changelog", "Changelog"), titledForm, pageForm),
	}, {
		Name: "upcoming", ID: "listUpcoming", Path: UpcomingPath, Action: ListUpcoming,
		Params: []*Param{ListLimit, offset},
		Answer: newAnswer("Что запечатано заранее.", kept, newForm(JSONType, "UpcomingList"), titledForm, pageForm),
	}, {
		Name: "feeds", ID: "getFeed", Path: FeedsPath + "{feed}",
		Action: ReadFeed, Route: FeedsPath + "{feed:.+}",
		Params:  []*Param{feed},
		Answer:  newAnswer("Лента, RFC 4287.", kept, newForm(AtomType, `{"type": "string"}`)),
		Missing: "NotFound", AnyAccept: true,
	}, {
		Name: "fraud_brief", ID: "getFraudBrief", Path: FraudBriefPath, Action: BriefFraud,
		Params: []*Param{BriefSignals, briefStates},
		Answer: newAnswer("Признаки, состояния, маршруты и ведомства вместе.", kept,
			newForm(JSONType, "FraudBrief"),
		),
		Missing: "NotFound", Redacted: true,
	}, {
		Name: "compare", ID: "compareVersions", Path: ComparePath + ItemPattern,
		Action: Compare, Route: ComparePath + "{item:.+}",
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
