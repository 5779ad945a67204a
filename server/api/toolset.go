package api

// A Toolset is a group of MCP tools that a client selects together, so that the model's context has
// only the tools that it may need.
type Toolset struct {
	Name    string
	About   string // in Russian
	Default bool   // included if a client selects none
}

// Toolsets lists the groups in the order of their tools.
var Toolsets = []Toolset{
	{"rules", "правила, инструкции, внешние параметры и поиск", true},
	{"fraud", "признаки, состояния, схемы и маршруты при мошенничестве, ведомства", true},
	{"math", "поиск и выполнение любого расчёта", true},
	{"frequent", "частые расчёты отдельными инструментами: кредит, сравнение кредитов, сроки", true},
	{"reference", "схемы результатов, справочники, глоссарий, календари, сценарии", false},
	{"service", "манифест, журнал изменений, контрольные суммы, состояние сервиса", false},
	{"calculations", "каждый расчёт отдельным инструментом", false},
	{ConnectorSet, "search и fetch для клиентов, которые знают только их; выбирается отдельно", false},
}

// ConnectorSet is the toolset that is selected alone.
const ConnectorSet = "connector"
