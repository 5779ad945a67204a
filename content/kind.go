package content

// Kind says what an item is: the folder it lives in and the names that its
// fields, headers and paths go by. Adding a kind is a row in the table below
// and a schema in the folder of the same name under schemas.
type Kind struct {
	Folder  string // where its items live in a repository: "guidelines"
	Title   string // what people call them: "Правила"
	Name    string // what one of them is called: "guideline"
	ID      string // the field that holds the id: "guideline_id"
	Version string // the field that holds the version: "guideline_version"
	Path    string // the path of the list: "/api/v1/guidelines"
	Header  string // what its response headers begin with: "X-Guideline"

	// Expires says whether a passed recheck_after makes the current version
	// review_required (design, section 4). Such kinds may also be marked so.
	Expires bool
}

var (
	// Guidelines are the rules themselves.
	Guidelines = &Kind{
		Folder:  "guidelines",
		Title:   "Правила",
		Name:    "guideline",
		ID:      "guideline_id",
		Version: "guideline_version",
		Path:    "/api/v1/guidelines",
		Header:  "X-Guideline",
		Expires: true,
	}
	// Scenarios are the modules of the product; their tags are module releases.
	Scenarios = &Kind{
		Folder:  "scenarios",
		Title:   "Сценарии",
		Name:    "scenario",
		ID:      "scenario_id",
		Version: "scenario_version",
		Path:    "/api/v1/scenarios",
		Header:  "X-Scenario",
	}
)

// Kinds lists every kind, in the order in which people expect to see them.
var Kinds = []*Kind{Guidelines, Scenarios}

// KindOf returns the kind whose items live in folder, nil if there is none.
func KindOf(folder string) *Kind {
	for _, k := range Kinds {
		if k.Folder == folder {
			return k
		}
	}
	return nil
}

// File returns the path, inside a repository, of the item with that name.
func (k *Kind) File(name string) string { return k.Folder + "/" + name + ".yaml" }
