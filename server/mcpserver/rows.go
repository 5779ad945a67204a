package mcpserver

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
)

//go:embed tools.yaml
var toolsYAML []byte

// declared is tools.yaml.
var declared = sync.OnceValue(func() (d struct {
	Params   map[string]*api.Param
	Tools    []row
	Greeting map[string]string
}) {
	api.ReadYAML("tools.yaml", toolsYAML, &d)
	for name, p := range d.Params {
		p.Name = cmp.Or(p.Name, name)
	}
	return d
})

// A row declares a tool, see tools.yaml.
type row struct {
	Set, Run, Name, Title, About string

	Kind, Item, Every string

	Action  api.Action
	At      []string
	Params  []string
	Raw     bool
	Input   json.RawMessage
	Answers []string
}

// runs are what answers calls, by the names that rows have for it.
var runs = map[string]func(*call) (reply, error){
	"search": (*call).search, "read_url": (*call).readURL, "get_manifest": (*call).manifest,
	"get_changelog": (*call).changelog, "list_upcoming": (*call).upcoming, "list_checksums": (*call).checksums,
	"get_health": (*call).health,

	"list": (*call).list, "item": (*call).readItem, "list_versions": (*call).versions, "records": (*call).records,
	"get_record": (*call).record, "fraud_brief": (*call).fraudBrief, "compare_versions": (*call).compareVersions,

	"find_calculation": (*call).findCalculation, "list_calculations": (*call).calculations,
	"get_calculation": (*call).describeCalculation, "calculate": (*call).calculateNamed,
	"calculation": (*call).calculate,

	"get_proof": (*call).proof, "check_citations": (*call).citations,
	"find": (*call).find, "fetch": (*call).fetch,
}

// allTools are the tools of all rows, in their order.
func allTools(r *calc.Registry) (all []*tool) {
	for _, row := range declared().Tools {
		for _, one := range row.each(content.Kinds, r) {
			all = append(all, one.tool(r))
		}
	}
	return all
}

// each is the row itself, or the rows that it stands for: of kinds and calculations that have none of their own.
func (r row) each(kinds []*content.Kind, registry *calc.Registry) (all []row) {
	has := func(run string, named func(row) bool) bool {
		return slices.ContainsFunc(declared().Tools, func(o row) bool { return o.Run == run && named(o) })
	}
	switch r.Every {
	case "kind":
		for _, k := range kinds {
			if k.List && !has("list", func(o row) bool { return o.Kind == k.Folder }) {
				all = append(all, ofKind(r.Set, k)...)
			}
		}
	case "calculation":
		for t := range registry.Tools() {
			if !has("calculation", func(o row) bool { return o.Name == "" && o.Item == t.ID }) {
				all = append(all, row{Set: r.Set, Run: "calculation", Item: t.ID})
			}
		}
	default:
		return []row{r}
	}
	return all
}

// ofKind are the tools of a kind without rows: they say what its own row in package content does, and the list has
// all filters that the list over HTTP has.
func ofKind(set string, k *content.Kind) []row {
	o := api.Of(api.ListItems, k, "")
	filters := slices.DeleteFunc([]string{"scenario", "status", "product_type", "prefix"}, func(name string) bool {
		return o.Param(name) == nil
	})
	return []row{
		{Set: set, Run: "list", Kind: k.Folder, Title: k.Title, About: k.About, Params: filters},
		{Set: set, Run: "item", Kind: k.Folder, Title: k.Title + ": документ", About: k.About},
	}
}

// The arguments that much of the package knows.
const versionName, formatName = "version", "format"

// listTool and itemTool are the names of the tools that read a kind.
func listTool(k *content.Kind) string { return "list_" + strings.ReplaceAll(k.Folder, "-", "_") }
func itemTool(k *content.Kind) string { return "get_" + k.Name }

// completed adds to a row what follows from its kind, its registry or its calculation.
func (r row) completed(k *content.Kind, registry *calc.Registry) row {
	day := "" // what is read as of a day of validity, if the kind has these
	if k != nil && api.HasPeriods(k) {
		day = "InForce"
	}
	switch r.Run {
	case "list":
		r.Name, r.Action = cmp.Or(r.Name, listTool(k)), api.ListItems
		r.Params = append(slices.Clip(r.Params), "as_of", day, "limit=50", "offset")
		r.Answers = []string{"total", k.Folder}
	case "item":
		r.Name = cmp.Or(r.Name, itemTool(k))
		if r.Item == "" {
			at := k.Path + pathOfItem(k)
			r.Params, r.At = []string{"id!"}, []string{at + api.VersionPattern, at}
		} else {
			r.At, day = []string{k.ItemPath(r.Item)}, "InForce"
		}
		r.Params = append(r.Params, "version", "AsOf", day, "Section", "View", "format")
		r.Answers = []string{k.ID, k.Version, "status"}
	case "records":
		r.At = []string{content.Registries.ItemPath(r.Item)}
		r.Params, r.Answers = []string{"AsOf", "limit=200", "offset"}, []string{content.Registries.ID}
	case "list_versions":
		for _, k := range content.Kinds {
			if k.List {
				r.At = append(r.At, k.Path+"/{+name}/versions?folder="+k.Folder)
			}
		}
	case "calculation":
		t, _ := registry.Tool(r.Item)
		r.Name, r.Title, r.About = cmp.Or(r.Name, r.Item), t.Title, t.Description
		r.Raw, r.Answers = true, []string{"status", "outputs"}
	}
	return r
}

// pathOfItem is where an item of a kind is below its list, a pattern with the argument of its tool.
func pathOfItem(k *content.Kind) string {
	if k.Folders {
		return "/{+" + k.Argument() + "}"
	}
	return "/{" + k.Argument() + "}"
}

// tool makes the tool of a row.
func (r row) tool(registry *calc.Registry) *tool {
	r.Run = cmp.Or(r.Run, r.Name)
	kind := content.KindOf(r.Kind)
	r = r.completed(kind, registry)
	t := &tool{
		Tool: &mcp.Tool{
			Name: r.Name, Title: r.Title, Description: r.About, Annotations: readOnly, InputSchema: r.Input,
			OutputSchema: object(r.Answers...),
		},
		sets: setsOf(strings.Split(r.Set, ",")...), at: r.At, kind: kind, item: r.Item, run: runs[r.Run],
	}
	var o *api.Operation
	switch {
	case r.Action == api.ListItems:
		o = api.Of(r.Action, kind, "")
	case r.Action != "":
		o = api.Of(r.Action, nil, "")
	}
	if o != nil && r.Run != "list_calculations" { // find_calculation answers its path
		t.at = append(t.at, o.Path)
	}
	params := []*api.Param{}
	if r.Run == "records" {
		params = append(params, api.Of(api.ReadItem, content.Registries, r.Item).Filters()...)
	}
	for _, name := range r.Params {
		if name != "" {
			params = append(params, param(name, o, kind))
		}
	}
	switch {
	case r.Run == "calculation":
		t.calc, _ = registry.Tool(r.Item)
		t.InputSchema = lazySchema(sync.OnceValue(func() json.RawMessage { return slim(t.calc) }))
	case r.Input == nil:
		t.InputSchema = schemaOf(params)
	}
	if !r.Raw {
		t.params = params
	}
	return t
}

// param is an argument that a row names.
func param(name string, o *api.Operation, k *content.Kind) *api.Param {
	name, preset, limited := strings.Cut(name, "=")
	name, required := strings.CutSuffix(name, "!")
	p := declared().Params[name]
	if p == nil && o != nil {
		p = o.Param(name)
	}
	if p == nil {
		p = api.Shared(name)
	}
	own := *p
	own.Required = own.Required || required
	if name == "id" {
		own.Name = k.Argument()
	}
	if limited {
		own.Default, _ = strconv.Atoi(preset) // of this package
	}
	return &own
}

// matched are the arguments that a path gives a pattern: those in braces, of which one with a plus may have
// slashes, and those of the query of the pattern. They are nil if it is no such path.
func matched(pattern, path string) url.Values {
	pattern, query, _ := strings.Cut(pattern, "?")
	args, _ := url.ParseQuery(query) // of this package
	for {
		text, rest, more := strings.Cut(pattern, "{")
		var found bool
		if path, found = strings.CutPrefix(path, text); !found || !more && path != "" {
			return nil
		}
		if !more {
			return args
		}
		var name string
		name, pattern, _ = strings.Cut(rest, "}")
		name, slashes := strings.CutPrefix(name, "+")
		end, _, _ := strings.Cut(pattern, "{")
		value := path
		if end != "" {
			value, _, _ = strings.Cut(path, end)
		}
		if value == "" || !slashes && strings.Contains(value, "/") {
			return nil
		}
		args.Set(name, value)
		path = path[len(value):]
	}
}
