package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/search"
)

// maxFraudBrief is the maximum size of the answer, in bytes.
const maxFraudBrief = 5120

// fraud has the registries with the meaning of signals, and where to turn.
type fraud struct {
	signals   []fraudSignal
	scenarios []fraudScenario
	states    []fraudState
	routes    []fraudRoute
	resources []fraudResource
	compounds []content.CompoundRule
	urgencies []string // most urgent first

	sources []*content.Entry
}

type fraudSignal struct {
	Code        string `json:"code"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Severity    string `json:"severity"`
	Stop        bool   `json:"sufficient_for_stop"`

	States []string `json:"states,omitempty"` // that it means by itself
}

type fraudScenario struct {
	ID         string   `json:"scenario_id"`
	Title      string   `json:"title"`
	Signals    []string `json:"signals,omitempty"`
	States     []string `json:"states"`
	Actions    []string `json:"first_actions,omitempty"`
	Guidelines []string `json:"guidelines,omitempty"`
}

type fraudState struct {
	Code         string   `json:"code"`
	Title        string   `json:"title"`
	Urgency      string   `json:"urgency"`
	Irreversible bool     `json:"irreversible_harm_possible"`
	Happened     bool     `json:"happened,omitempty"`
	Routes       []string `json:"routes"`
}

type fraudRoute struct {
	ID        string   `json:"route_id"`
	Title     string   `json:"title"`
	Urgency   string   `json:"urgency"`
	Parallel  []string `json:"required_parallel_routes,omitempty"`
	Resources []string `json:"resource_ids,omitempty"`
	Actions   []string `json:"actions,omitempty"`
}

type fraudResource struct {
	ID       string   `json:"resource_id"`
	Title    string   `json:"title"`
	Phone    string   `json:"phone,omitempty"`
	Domain   string   `json:"official_domain,omitempty"`
	HowTo    []string `json:"how_to_find,omitempty"`
	Status   string   `json:"status,omitempty"` // empty if it is verified
	Verified string   `json:"verified_at"`
}

// readFraud reads the current registries. Missing ones are empty.
func (s *Site) readFraud() *fraud {
	f := &fraud{}
	for _, from := range []struct {
		kind        *content.Kind
		name, field string
		to          any
	}{
		{content.Registries, "fraud-signals", "signals", &f.signals},
		{content.Registries, "fraud-scenarios", "scenarios", &f.scenarios},
		{content.Registries, "fraud-states", "states", &f.states},
		{content.Registries, "fraud-routes", "routes", &f.routes},
		{content.Registries, "authority-resources", "resources", &f.resources},
		{content.Instructions, "fraud-response", "compound_rules", &f.compounds},
	} {
		e := s.Offered(from.kind, from.name)
		if e == nil {
			continue
		}
		if json.Unmarshal(orEmptyList(e.Body().Get(from.field)), from.to) == nil {
			f.sources = append(f.sources, e)
		}
		if from.field == "states" {
			if urgency := s.format(e.Publication).Root().Field("states").At("0", "urgency"); urgency != nil {
				f.urgencies = slices.Clone(urgency.Values)
				slices.Reverse(f.urgencies)
			}
		}
	}
	return f
}

// UnknownSignal returns an unknown signal, nil if it is known.
func (s *Site) UnknownSignal(code string) *Unknown {
	return s.unlisted(code, "fraud-signals", "signal", "Коды признаков — в справочнике")
}

// unlisted returns a code that is not one of a registry, with a near one, or with the registry
// that it is of; nil if it is known. kind is that of the registry's records in a search, where says in Russian where
// they are listed.
func (s *Site) unlisted(wrong, registry, kind, where string) *Unknown {
	codes := s.CurrentRecords(s.Snapshot.Item(content.Registries, registry)).codes()
	if slices.Contains(codes, wrong) {
		return nil
	}
	for _, p := range s.lists[content.Registries] {
		lists := s.format(p.entry.Publication).Root().Fields
		if slices.ContainsFunc(lists, func(f *content.Field) bool {
			_, known := s.titles()[p.entry.Name+"/"+f.Name+"/"+wrong]
			return known
		}) {
			of := "Это код из справочника «" + title(p.entry.Body()) + "»:"
			return &Unknown{wrong, "", of, p.entry.Kind.ItemPath(p.entry.Name)}
		}
	}
	near := check.Nearest(wrong, codes)
	if found := s.index().Search(search.Query{Text: wrong, Kinds: []string{kind}, Limit: 1}).Hits; near == "" &&
		len(found) > 0 {
		near = found[0].Entry.Document().ID
	}
	return &Unknown{wrong, near, where, content.Registries.ItemPath(registry)}
}

// CheckFraud adds a fault for each unknown signal and state, and if there are none at all.
func (s *Site) CheckFraud(signals, states []string, a Asked) {
	for _, code := range signals {
		if u := s.UnknownSignal(code); u != nil {
			a.Unknown("signal", "unknown_value", NoSignal, u)
		}
	}
	for _, code := range states {
		if u := s.unlisted(code, "fraud-states", "state", "Коды состояний — в справочнике"); u != nil {
			a.Unknown("state", "unknown_value", NoState, u)
		}
	}
	if len(signals)+len(states) == 0 {
		a.Fault("signal", "nothing_asked", NothingAsked, "Укажите signal, state или оба.")
	}
}

// FraudBrief returns the joined data on signals and on states that have happened. All have to be known.
func (s *Site) FraudBrief(signals, states []string) *Resource {
	signals = slices.Compact(slices.Sorted(slices.Values(signals)))
	return jsonResource(func() Body { return s.fraudBrief(s.fraud().about(signals, states)) })
}

// A fraudBrief is the joined data on some signals.
type fraudBrief struct {
	signals   []fraudSignal
	compounds []content.CompoundRule
	scenarios []fraudScenario
	states    []fraudState
	routes    []fraudRoute
	resources []fraudResource
	left      int // number of records that did not fit

	whole   []fraudRoute // all routes, with all actions
	sources []*content.Entry
}

// about joins the data on signals and on the states that are told of.
func (f *fraud) about(codes, told []string) *fraudBrief {
	b := &fraudBrief{sources: f.sources}
	var meant []string
	for _, signal := range f.signals {
		if slices.Contains(codes, signal.Code) {
			meant = append(meant, signal.States...)
			b.signals = append(b.signals, signal)
		}
	}
	for _, rule := range f.compounds {
		if rule.Holds(codes) {
			b.compounds = append(b.compounds, rule)
		}
	}
	b.scenarios = f.likelySchemes(codes)
	b.states = f.statesOf(told, meant, b.scenarios)
	b.routes = f.routesOf(b.states[:f.happened(b.states, told)])
	b.whole = slices.Clone(b.routes)
	b.resources = f.resourcesOf(b.routes)
	return b
}

// likelySchemes are the fraud schemes with the most of the signals.
func (f *fraud) likelySchemes(codes []string) (all []fraudScenario) {
	most := 1
	for _, scenario := range f.scenarios {
		n := len(codes)
		for _, c := range codes {
			if !slices.Contains(scenario.Signals, c) {
				n--
			}
		}
		if n > most {
			most, all = n, nil
		}
		if scenario.Signals = nil; n == most {
			all = append(all, scenario)
		}
	}
	return all
}

// statesOf lists the states that are told of, then those that signals mean, and then those to which
// schemes may lead, each the most urgent first.
func (f *fraud) statesOf(told, meant []string, scenarios []fraudScenario) (all []fraudState) {
	place := func(s fraudState) int {
		switch {
		case slices.Contains(told, s.Code):
			return 0
		case slices.Contains(meant, s.Code):
			return 1
		case slices.ContainsFunc(scenarios, func(of fraudScenario) bool { return slices.Contains(of.States, s.Code) }):
			return 2
		}
		return 3
	}
	for _, state := range f.states {
		if state.Happened = place(state) < 2; place(state) < 3 {
			all = append(all, state)
		}
	}
	slices.SortStableFunc(all, func(a, b fraudState) int {
		return cmp.Or(place(a)-place(b), cmp.Compare(f.urgency(a.Urgency), f.urgency(b.Urgency)))
	})
	return all
}

// happened is the number of states that have happened. Where no signal says which states it means
// (format 1.1), and none is told of, all that are possible count.
func (f *fraud) happened(states []fraudState, told []string) int {
	if len(told) == 0 && !slices.ContainsFunc(f.signals, func(s fraudSignal) bool { return s.States != nil }) {
		return len(states)
	}
	return len(slices.DeleteFunc(slices.Clone(states), func(s fraudState) bool { return !s.Happened }))
}

func (f *fraud) urgency(code string) int {
	if i := slices.Index(f.urgencies, code); i >= 0 {
		return i
	}
	return len(f.urgencies)
}

// routesOf are the routes of states in their order: the first of each state with those to be
// taken beside it, and then the others.
func (f *fraud) routesOf(states []fraudState) []fraudRoute {
	var ids []string
	for _, state := range states {
		for _, first := range chosen(f.routes, state.Routes[:min(1, len(state.Routes))]) {
			ids = append(append(ids, first.ID), first.Parallel...)
		}
	}
	for _, state := range states {
		ids = append(ids, state.Routes...)
	}
	return chosen(f.routes, ids)
}

// resourcesOf lists the resources of routes.
func (f *fraud) resourcesOf(routes []fraudRoute) []fraudResource {
	var ids []string
	for _, route := range routes {
		ids = append(ids, route.Resources...)
	}
	all := chosen(f.resources, ids)
	for i := range all {
		if all[i].Status == "verified" {
			all[i].Status = ""
		}
	}
	return all
}

func (r fraudRoute) id() string    { return r.ID }
func (r fraudResource) id() string { return r.ID }

// chosen are the records with some ids in the order of these, each once.
func chosen[T interface{ id() string }](from []T, ids []string) (all []T) {
	for i, id := range ids {
		at := slices.IndexFunc(from, func(r T) bool { return r.id() == id })
		if at >= 0 && !slices.Contains(ids[:i], id) {
			all = append(all, from[at])
		}
	}
	return all
}

// fraudBrief writes an answer in as much detail as fits.
func (s *Site) fraudBrief(b *fraudBrief) Body {
	body := s.fraudJSON(b)
	for step := 0; len(body.Bytes) > maxFraudBrief && b.reduce(step); step++ {
		body = s.fraudJSON(b)
	}
	return body
}

// reduce removes the least important part, and reports whether there was one. Actions are
// removed last: the routes of less urgent states, which their states still name, are removed
// before the actions of the first ones.
func (b *fraudBrief) reduce(step int) bool {
	steps := []func(){
		b.withoutDescriptions,
		func() { b.firstRoutes(4, 4) },
		func() { b.firstRoutes(4, 2) },
		func() { b.firstRoutes(3, 2) },
		func() { b.firstRoutes(2, 2) },
		func() { b.shortenHowTo(0) },
		func() { b.firstRoutes(2, 1) },
		b.withoutFirstActions,
		func() { b.firstRoutes(2, 0) },
	}
	if step < len(steps) {
		steps[step]()
		return true
	}
	return b.dropFromLongest()
}

func (b *fraudBrief) withoutDescriptions() {
	for i := range b.signals {
		b.signals[i].Description = ""
	}
	b.shortenHowTo(1)
}

func (b *fraudBrief) shortenHowTo(most int) {
	for i := range b.resources {
		b.resources[i].HowTo = b.resources[i].HowTo[:min(most, len(b.resources[i].HowTo))]
	}
}

func (b *fraudBrief) withoutFirstActions() {
	for i := range b.scenarios {
		b.scenarios[i].Actions = nil
	}
}

// firstRoutes keeps the first n routes, their resources and those with a telephone, and the
// actions of the first of these routes.
func (b *fraudBrief) firstRoutes(n, withActions int) {
	n = min(n, len(b.routes))
	b.left += len(b.routes) - n
	b.routes = b.routes[:n]
	for i := min(n, withActions); i < n; i++ {
		b.routes[i].Actions = nil
	}
	b.resources = slices.DeleteFunc(b.resources, func(r fraudResource) bool {
		return r.Phone == "" && !slices.ContainsFunc(
			b.routes, func(route fraudRoute) bool { return slices.Contains(route.Resources, r.ID) },
		)
	})
}

// dropFromLongest removes the last record of the longest list, signals and rules last of all, and
// reports whether there was one.
func (b *fraudBrief) dropFromLongest() bool {
	b.left++
	switch {
	case len(b.routes) >= len(b.states) && shorten(&b.routes, 2), shorten(&b.states, 1), shorten(&b.resources, 2),
		shorten(&b.scenarios, 1), shorten(&b.compounds, 1), shorten(&b.signals, 1):
	case b.whole != nil:
		b.whole = nil
	default:
		return false
	}
	return true
}

// shorten removes the last element of a list if it has more than some, and reports whether it did.
func shorten[T any](list *[]T, least int) bool {
	if len(*list) <= least {
		return false
	}
	*list = (*list)[:len(*list)-1]
	return true
}

// maxMore is the maximum number of incomplete routes that are named, the most urgent ones.
const maxMore = 3

// incompleteRoutes are the incomplete routes, in order.
func (b *fraudBrief) incompleteRoutes() (ids []string) {
	for _, route := range b.whole {
		i := slices.IndexFunc(b.routes, func(r fraudRoute) bool { return r.ID == route.ID })
		if i < 0 || len(b.routes[i].Actions) < len(route.Actions) {
			ids = append(ids, route.ID)
		}
	}
	return ids[:min(len(ids), maxMore)]
}

func (s *Site) fraudJSON(b *fraudBrief) Body {
	var o object
	o.value("stop", slices.ContainsFunc(b.signals, func(f fraudSignal) bool { return f.Stop }))
	addRecords(&o, "signals", b.signals)
	addRecords(&o, "compound_rules", b.compounds)
	addRecords(&o, "scenarios", b.scenarios)
	addRecords(&o, "states", b.states)
	addRecords(&o, "routes", b.routes)
	addRecords(&o, "resources", b.resources)
	o.count("left", b.left)
	var more []string
	for _, id := range b.incompleteRoutes() {
		more = append(more, s.URL(content.Registries.ItemPath("fraud-routes")+"/"+id))
	}
	o.texts("more", more)
	var sources object
	for _, e := range b.sources {
		sources.text(fmt.Sprintf("%s/v%s", e.Item(), e.Version), e.Checksum)
	}
	o.raw("source_checksums", sources.end().Bytes)
	o.fetchedAt()
	return o.end()
}

// addRecords writes a list, also an empty one.
func addRecords[T any](o *object, name string, all []T) { o.value(name, append([]T{}, all...)) }
