package content

import (
	"slices"
	"strings"
)

// Kind describes a kind of item: its folder and the names of its fields, headers and paths. A
// new kind takes a row in the table below and a schema in the folder of the same name under
// schemas: lists, versions, pages, search, the OpenAPI description and the MCP tools are
// derived from these.
type Kind struct {
	Folder  string // of its items in a repository: "guidelines"
	Title   string // the plural for people: "Правила"
	About   string // their purpose, in a sentence
	Name    string // the singular, in identifiers: "guideline"
	ID      string // the field that holds the id: "guideline_id"
	Version string // the field that holds the version: "guideline_version"
	Format  string // the field that names the format: "schema_version"
	Header  string // the prefix of its response headers: "X-Guideline"

	Path  string            // the prefix of the paths of its items: "/api/v1/guidelines"
	Paths map[string]string // paths of items that do not have the prefix, by name
	List  bool              // Path is the list of its items

	// Static and StaticEnd are around the name in the paths of its plain files, without their
	// extension: "/guidelines/" and "/current". Both are empty if it has no such files.
	Static, StaticEnd string

	// Weight is the factor of the kind in the ranking of a search; 1 is neutral.
	Weight float64
	// Menu is the position of its list in the menu of every page, from 1 on; 0: not in the
	// menu.
	Menu int

	// Folders allows names that contain a folder: math/loan-calculation.
	Folders bool
	// NameIsID means that the name of an item is its id. Otherwise the name is used in paths,
	// and the item has a field with its id, which never changes.
	NameIsID bool
	// Summary lists the authored fields of an item that a list includes.
	Summary []string
	// Expires means that the current version becomes review_required after its recheck_after
	// (design, section 4). Such kinds may also be marked so.
	Expires bool
}

var (
	// Guidelines are the rules themselves.
	Guidelines = &Kind{
		Folder: "guidelines", Title: "Правила", Name: "guideline",
		About:  "Что ассистент проверяет, о чём предупреждает и где останавливается.",
		Weight: 1.5, Menu: 1,
		ID: "guideline_id", Version: "guideline_version", Format: "schema_version", Header: "X-Guideline",
		Path: "/api/v1/guidelines", List: true, Static: "/guidelines/", StaticEnd: "/current",
		NameIsID: true, Expires: true,
		Summary: []string{"scenario", "title", "summary"},
	}
	// Instructions tell an assistant how to work.
	Instructions = &Kind{
		Folder: "instructions", Title: "Инструкции", Name: "instruction",
		About:  "Порядок работы ассистента по шагам: от вопроса до ответа с источниками.",
		Weight: 1.1, Menu: 2,
		ID: "instruction_id", Version: "instruction_version", Format: "schema_version", Header: "X-Instruction",
		Path: "/api/v1/instructions", List: true, Static: "/instructions/",
		Summary: []string{"title", "summary", "scenarios"},
	}
	// Policies are the rules for when the service cannot be relied on. They are found among the
	// instructions, and so are profiles.
	Policies = &Kind{
		Folder: "policies", Title: "Политики", Name: "policy",
		About:  "Что делать, когда на сервис нельзя положиться.",
		Weight: 0.7,
		ID:     "policy_id", Version: "policy_version", Format: "schema_version", Header: "X-Policy",
		Path: Instructions.Path, Static: Instructions.Static,
	}
	// Profiles define how a product may name the service.
	Profiles = &Kind{
		Folder: "profiles", Title: "Профили интеграции", Name: "profile",
		About:  "Как продукт может ссылаться на сервис.",
		Weight: 0.5,
		ID:     "profile_id", Version: "profile_version", Format: "schema_version", Header: "X-Profile",
		Path: Instructions.Path, Static: Instructions.Static,
	}
	// OutputSchemas describe what a caller builds and stores. Their schema_version is their
	// own, so the format is in another field.
	OutputSchemas = &Kind{
		Folder: "schemas", Title: "Схемы результатов", Name: "schema",
		About:  "Структуры, которые ассистент собирает и хранит у себя.",
		Weight: 0.7, Menu: 5,
		ID: "schema_id", Version: "schema_version", Format: "format_version", Header: "X-Schema",
		Path: "/api/v1/schemas", List: true, Folders: true,
		Summary: []string{"title", "description", "applicable_instruction_id"},
	}
	// Registries hold records: signals, terms, authorities …
	Registries = &Kind{
		Folder: "registries", Title: "Справочники", Name: "registry",
		About:  "Признаки, состояния, маршруты, ведомства и термины: записи с кодами.",
		Weight: 0.6, Menu: 3,
		ID: "registry_id", Version: "registry_version", Format: "schema_version", Header: "X-Registry",
		Path: "/api/v1/registries", List: true,
		Paths: map[string]string{
			"taxonomy":            "/api/v1/taxonomy",
			"glossary":            "/api/v1/glossary",
			"fraud-signals":       "/api/v1/fraud/signals",
			"fraud-states":        "/api/v1/fraud/states",
			"fraud-scenarios":     "/api/v1/fraud/scenarios",
			"fraud-routes":        "/api/v1/fraud/routes",
			"authority-resources": "/api/v1/authority-resources",
		},
		Summary: []string{"title", "description"},
	}
	// Parameters are values set by a law or an authority.
	Parameters = &Kind{
		Folder: "parameters", Title: "Внешние параметры", Name: "parameter",
		About:  "Величины, которые устанавливают закон и ведомства, с источником и датой проверки.",
		Weight: 1.4, Menu: 4,
		ID: "parameter_id", Version: "parameter_version", Format: "schema_version", Header: "X-Parameter",
		Path: "/api/v1/external-parameters", List: true,
		NameIsID: true, Expires: true,
		Summary: []string{
			"title", "description", "value_type", "value", "unit", "inclusive", "conditions", "start_event",
			"sources", "verified_at", "certainty", "valid_from", "valid_to", "recheck_after",
		},
	}
	// Calendars list the business days.
	Calendars = &Kind{
		Folder: "calendars", Title: "Производственные календари", Name: "calendar",
		About:  "Рабочие и нерабочие дни года для подсчёта сроков.",
		Weight: 0.8,
		ID:     "calendar_id", Version: "calendar_version", Format: "schema_version", Header: "X-Calendar",
		Path: "/api/v1/calendars", List: true,
		NameIsID: true,
		Summary:  []string{"title", "country", "year", "approval", "working_days", "certainty"},
	}
	// Scenarios are the modules of the product; their tags are module releases.
	Scenarios = &Kind{
		Folder: "scenarios", Title: "Сценарии", Name: "scenario",
		About:  "Модули продукта: о каких вопросах они и каких продуктов касаются.",
		Weight: 0.6,
		ID:     "scenario_id", Version: "scenario_version", Format: "schema_version", Header: "X-Scenario",
		Path: "/api/v1/scenarios", List: true, Static: "/scenarios/", StaticEnd: "/current",
		NameIsID: true,
		Summary:  []string{"title", "description", "product_types"},
	}
)

// Kinds lists every kind, in the order for display.
var Kinds = []*Kind{
	Guidelines, Instructions, Policies, Profiles, OutputSchemas, Registries, Parameters, Calendars, Scenarios,
}

// KindOf returns the kind with a folder, nil if there is none.
func KindOf(folder string) *Kind {
	i := slices.IndexFunc(Kinds, func(k *Kind) bool { return k.Folder == folder })
	if i < 0 {
		return nil
	}
	return Kinds[i]
}

// File returns the path of the item with that name in a repository, if it is directly in its
// folder ([PlainPath]).
func (k *Kind) File(name string) string { return k.Folder + "/" + name + itemSuffix }

// ValidName reports whether an item of this kind can have the name. Only kinds with Folders
// allow a slash in it.
func (k *Kind) ValidName(name string) bool {
	return ValidName(name) && (k.Folders || !strings.Contains(name, "/"))
}

// Argument is the name of the parameter that selects an item in requests and paths: the id
// field if the name is the id, else "name".
func (k *Kind) Argument() string {
	if k.NameIsID {
		return k.ID
	}
	return "name"
}

// StaticPath returns the path of the plain files of the item with that name, without their
// extension.
func (k *Kind) StaticPath(name string) string { return k.Static + name + k.StaticEnd }

// ItemPath returns the path at which the item with that name is served.
func (k *Kind) ItemPath(name string) string {
	if path, ok := k.Paths[name]; ok {
		return path
	}
	return k.Path + "/" + name
}
