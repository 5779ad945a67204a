package calc

import (
	"fmt"
	"iter"
	"slices"
	"sync"
)

const (
	// EngineVersion changes with the core: decoding, rounding, the envelope.
	EngineVersion = "1.0.0"
	// RoundingPolicy is how every tool rounds; see the package documentation.
	RoundingPolicy = "kopeck_half_up/1"
)

// A Tool is one calculation: what it is called, what it takes, what it gives and
// how. See the package documentation for how to write one.
type Tool struct {
	ID          string
	Version     string // semantic
	Release     string // the product version that it came with, as the changelog spells it
	Family      string // see [Families]
	Title       string // in Russian
	Description string // in Russian
	Formula     string // formula id, <name>/<number>; changes when results do

	// Earlier are the versions that a request may still name, with results of their own.
	Earlier []*Tool

	Inputs   []Field
	Choices  []Choice // between groups of inputs
	Outputs  []Field
	Schedule []Field // columns; none if the tool has no schedule
	Members  []Field // members of the answer that only this tool has
	PSK      bool    // the answer says that the full cost of credit is not calculated

	Examples []Example

	// Check reports what is wrong with the inputs taken together, by [In.Fail]
	// and [In.Order]. It may be nil. Inputs are valid one by one.
	Check func(in In)

	// Compute computes. It returns a [Reason] if there is no result, and may
	// still call [In.Fail] for what only the calculation shows to be wrong.
	Compute func(in In, out *Out) error

	request Field  // the envelope, made by compile
	calls   *calls // made by compile; each registry has its own
}

// An Example is a request that works, and some of what it gives.
type Example struct {
	Title   string // in Russian
	Request string // JSON
	Want    map[string]string
}

// A Family is what tools are about.
type Family struct {
	ID    string
	Title string // in Russian
}

// Families lists the families in the order of the catalogue, as the instruction
// of the math module calls them.
var Families = []Family{
	{"loan", "Кредит"}, {"mortgage", "Ипотека"}, {"deposit", "Вклад"}, {"credit_card", "Кредитная карта"},
	{"kasko", "Каско"}, {"personal_finance", "Личные финансы"}, {"deadline", "Сроки"}, {"investment", "Вложения"},
}

// families are the tools in the order of the catalogue, and what it has no number for.
func families() []*Tool {
	return slices.Concat(loanTools(), mortgageTools(), depositTools(), cardTools(),
		kaskoTools(), pfmTools(), consumerRightsTools(), investTools(), loanMoreTools(),
		[]*Tool{depositComparison}, portfolioTools(), []*Tool{loanComparison()})
}

// A Registry is a fixed set of tools. It is safe for concurrent use.
type Registry struct {
	tools []*Tool
	byID  map[string]*Tool
}

// everyTool are the tools as they are declared, each with its envelope: what any
// number of registries share and none of them changes.
var everyTool = sync.OnceValue(func() []*Tool {
	all := families()
	for _, t := range all {
		t.compile()
	}
	return all
})

// New makes a registry of all tools, with counters of its own. It panics if a
// declaration contradicts itself, which the tests exclude.
func New() *Registry {
	r := &Registry{byID: map[string]*Tool{}}
	for _, d := range everyTool() {
		t := *d
		t.calls = &calls{}
		if r.byID[t.ID] != nil {
			panic("calc: two tools are called " + t.ID)
		}
		r.tools, r.byID[t.ID] = append(r.tools, &t), &t
	}
	return r
}

// Tools lists the tools in the order of the catalogue.
func (r *Registry) Tools() iter.Seq[*Tool] { return slices.Values(r.tools) }

// Releases are those that the tools came with, in the order of the tools.
func (r *Registry) Releases() (all []string) {
	for _, t := range r.tools {
		if !slices.Contains(all, t.Release) {
			all = append(all, t.Release)
		}
	}
	return all
}

// Tool is the tool of that id, if there is one.
func (r *Registry) Tool(id string) (*Tool, bool) {
	t, ok := r.byID[id]
	return t, ok
}

// Calculate answers a request, JSON to JSON. Facts are needed for business days and
// parameters only. Every error is an [*Error].
func (r *Registry) Calculate(toolID string, body []byte, facts Facts) (*Answer, error) {
	t, ok := r.byID[toolID]
	if !ok {
		return nil, &Error{Code: CodeUnknownTool, Detail: "Такого инструмента нет: список инструментов даёт реестр"}
	}
	return t.Calculate(body, facts)
}

// Calculate answers a request to this tool, or to an earlier version of it that the
// request names, and counts it.
func (t *Tool) Calculate(body []byte, facts Facts) (*Answer, error) {
	a, err := t.calculate(body, facts)
	t.calls.count(a, err)
	return a, err
}

func (t *Tool) calculate(body []byte, facts Facts) (*Answer, error) {
	n, err := parse(body)
	if err != nil {
		return nil, err
	}
	t = t.asked(n)
	var fs faults
	out := t.newOut(facts)
	request := reader{&fs, out}.object(n, t.request.fields, nil, "")
	if err := fs.err(); err != nil {
		return nil, err
	}
	in := request.Object("inputs")
	out.options(request.Object("options"))
	if t.Check != nil && out.refused == nil {
		t.Check(in)
	}
	if err := fs.err(); err != nil {
		return nil, err
	}
	reason := t.run(in, out)
	if err := fs.err(); err != nil {
		return nil, err
	}
	a := &Answer{Tool: t, in: in, out: out}
	a.comparison = out.compareAll(request.Object("contract_values"), request.Object("tolerance"))
	switch reason {
	case "":
		a.Status = StatusComputed
	case DoNotGuess:
		a.Status = StatusDoNotGuess
	default:
		a.Status, a.Reason = CalculationNotAvailable, string(reason)
	}
	return a, nil
}

func (t *Tool) newOut(facts Facts) *Out {
	return &Out{tool: t, values: make([]Value, len(t.Outputs)), members: make([]Value, len(t.Members)), facts: facts}
}

// options notes what the answer is to have.
func (o *Out) options(given In) {
	o.tracing = given.Bool("include_trace")
	if o.tool.Schedule != nil {
		o.paging = given.Bool("include_schedule")
		o.from, o.limit = given.Int("schedule_from"), given.Int("schedule_limit")
	} else if given.Bool("include_schedule") {
		o.Warn("schedule_not_supported", "/options/include_schedule", "У этого инструмента нет графика")
	}
}

// run computes. The arithmetic stops with a Reason by panicking, so that
// formulas read as formulas; any other panic is a mistake and goes on.
func (t *Tool) run(in In, out *Out) (reason Reason) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Reason:
			reason = r
		default:
			panic(r)
		}
	}()
	err := out.refused
	if err == nil {
		err = t.Compute(in, out)
	}
	if err == nil {
		return ""
	}
	reason, ok := err.(Reason)
	if !ok {
		panic(fmt.Sprintf("calc: %s returned an error that is no reason: %v", t.ID, err))
	}
	return reason
}

// compile makes the envelope of requests to the tool.
func (t *Tool) compile() {
	inputs := object("inputs", "Исходные данные", ask(t.Inputs)...).Choose(t.Choices...)
	contract := object("contract_values", "Значения из договора для сравнения", t.contractFields()...)
	contract.filled = true
	t.calls = &calls{}
	t.request = object("", t.Title, inputs, contract, toleranceField(), optionsField(), t.versionField())
	for _, e := range t.Earlier {
		e.compile()
	}
}

// asked is the version of the tool that a request names, or this one: what is no version
// is found by [Tool.versionField].
func (t *Tool) asked(request node) *Tool {
	for _, m := range request.members {
		for _, e := range t.Earlier {
			if m.name == versionName && m.value.kind == stringNode && m.value.text == e.Version {
				return e
			}
		}
	}
	return t
}

const versionName = "tool_version"

// versionField lets a request hold on to a version: when another one answers by default,
// it gets what it got, or learns that this is no more.
func (t *Tool) versionField() Field {
	versions := []string{t.Version}
	for _, e := range t.Earlier {
		versions = append(versions, e.Version)
	}
	return enum(versionName, "Версия инструмента, если нужна именно она; прежняя берёт исходные данные по своей схеме", versions...).Optional()
}

// contractFields are the outputs that a contract can state. Null asks for a
// comparison without a contract's value.
func (t *Tool) contractFields() []Field {
	outputs := t.Outputs
	if t.PSK {
		outputs = append(slices.Clone(outputs), percent("psk", "Полная стоимость кредита", 3))
	}
	var out []Field
	for _, f := range outputs {
		if !f.scalar() {
			continue
		}
		f.optional, f.nullable, f.max = true, true, maxMoney
		switch f.kind {
		case moneyKind:
			f.min = -maxMoney
		case pctKind, coefKind:
			f.min, f.max, f.places = -maxContract, maxContract, 6
		case intKind:
			f.max = 999_999_999
		}
		out = append(out, f)
	}
	return out
}

const maxContract = 9_999_999_999 * pctUnit

func toleranceField() Field {
	absolute := coef("absolute", "Абсолютное отклонение для всех чисел; по умолчанию 1.00 ₽, 0.01 для процентов, 0.0001 для долей, 0 для количеств").Min("0").Optional()
	absolute.max = maxContract
	f := object("tolerance", "Допустимые отклонения от договора: расхождением считается превышение обоих",
		absolute,
		coef("relative", "Относительное отклонение").Min("0").Max("1").Default("0.001"),
		days("days", "Отклонение дат, дней").Default("0"),
	)
	f.filled = true
	return f
}

func optionsField() Field {
	f := object("options", "Что включить в ответ",
		boolean("include_schedule", "Включить график").Default("false"),
		integer("schedule_from", "Первая строка графика", "rows", 1, MaxRows).Default("1"),
		integer("schedule_limit", "Число строк графика", "rows", 1, MaxRows).Default("60"),
		boolean("include_trace", "Включить ход расчёта").Default("true"),
	)
	f.filled = true
	return f
}

func (t *Tool) output(name string) *Field {
	i := slices.IndexFunc(t.Outputs, func(f Field) bool { return f.Name == name })
	return &t.Outputs[i]
}
