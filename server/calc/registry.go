package calc

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"sync"
)

const (
	// EngineVersion changes with the code that all tools share: decoding, rounding, the
	// envelope.
	EngineVersion = "1.0.0"
	// RoundingPolicy names the rounding of every tool; see the package documentation.
	RoundingPolicy = "kopeck_half_up/1"
)

// A Tool is one calculation. See the package documentation for how to write one.
type Tool struct {
	ID          string
	Version     string // semantic; the first one if it is not declared
	Release     string // the product version that introduced it, as in the changelog; set by families
	Family      string // see [Families]; set by families
	Title       string // in Russian, as the texts below those of tools.json, set by compile
	Description string
	Formula     string // formula id, <name>/<number>, the first one if it is not declared; changes when results change

	// Earlier are the previous versions that a request may still select by tool_version.
	Earlier []*Tool

	Inputs   []Field
	Choices  []Choice // between groups of inputs
	Outputs  []Field
	Schedule []Field // columns; none if the tool has no schedule
	Members  []Field // members of the answer that only this tool has
	PSK      bool    // the answer says that the full cost of credit is not calculated

	Examples []Example

	// Span is the interval (from, to] over which the tool accrues by one rate, if the request has one; Series
	// is the tool for a rate that changes within it.
	Span   func(in In) (from, to Date)
	Series string

	// Check reports contradictions between inputs by [In.Fail] and [In.Order]. Each input
	// is valid by itself. It may be nil.
	Check func(in In)

	// Compute sets the outputs. It returns a [Reason] if there is no result, and may call
	// [In.Fail] for contradictions that only the calculation finds.
	Compute func(in In, out *Out) error

	request Field  // the envelope, made by compile
	calls   *calls // made by compile; each registry has its own
}

// A Family is a group of tools.
type Family struct {
	ID    string
	Title string // in Russian
}

// Families lists the families in the order of the catalogue, with the titles of the
// instruction of the math module.
var Families = []Family{
	{"loan", "Кредит"}, {"mortgage", "Ипотека"}, {"deposit", "Вклад"}, {"credit_card", "Кредитная карта"},
	{"kasko", "Каско"}, {"personal_finance", "Личные финансы"}, {"deadline", "Сроки"}, {"investment", "Вложения"},
}

// families are the tools in the order of the catalogue, those without a number last.
func families() []*Tool {
	return slices.Concat(
		family("loan", "1.3", loanPayment),
		family("mortgage", "1.5", mortgageAnnuity, mortgageDifferentiated, mortgageSchedule, mortgageEarlyRepayment,
			mortgageBalance, mortgageMaxPrincipal, mortgageLTV, mortgagePhased, mortgageTotalCost),
		family("deposit", "1.5", depositSimpleInterest, depositCapitalizedInterest, depositEffectiveRate,
			depositCashflowBalance, depositDailyBalanceInterest, depositEarlyWithdrawal, depositInterestTax,
			depositInsuranceCoverage),
		family("credit_card", "1.5", cardGracePeriodEnd, cardMinimumPayment, cardInterestAccrued,
			cardPayoffFixedPayment, cardPayoffMinimumPayment, cardRequiredPayment, cardCashWithdrawalCost,
			cardOverduePenalty),
		family("kasko", "1.5", kaskoPremium, kaskoPremiumInstallments, kaskoDeductiblePayout,
			kaskoProportionalPayout, kaskoTotalLossPayout, kaskoPremiumRefund, kaskoDeductibleBreakEven),
		family("personal_finance", "1.6", pfmCashFlow, pfmEmergencyFund, pfmNetWorth, pfmGoalContribution,
			pfmGoalProjection, pfmGoalAllocation, pfmDebtPayoffPlan, pfmLiquidityRatio, pfmHorizonRiskCheck),
		family("deadline", "1.7", consumerRightsDeadline),
		family("investment", "1.8", investReliableReturn, investFeeImpact, investBreakEvenYield),
		family("loan", "1.8", loanRefinancing, loanPaymentToIncome),
		family("deposit", "1.8", depositComparison),
		family("investment", "1.8", portfolioConcentration),
		family("loan", "1.8", moneyUseInterest, installmentTrueCost),
		family("loan", "1.3", loanComparison()),
	)
}

// family sets the family of tools and the release that introduced them.
func family(id, release string, tools ...*Tool) []*Tool {
	for _, t := range tools {
		t.Family, t.Release = id, release
		t.Version, t.Formula = cmp.Or(t.Version, "1.0.0"), cmp.Or(t.Formula, t.ID+"/1")
		family(id, release, t.Earlier...)
	}
	return tools
}

// A Registry is a fixed set of tools. It is safe for concurrent use.
type Registry struct {
	tools []*Tool
	byID  map[string]*Tool
}

// everyTool are the declared tools with their envelopes. All registries share them; they
// are not modified.
var everyTool = sync.OnceValue(func() []*Tool {
	all := families()
	for _, t := range all {
		t.compile(t)
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

// Releases lists the releases that introduced tools, in the order of the tools.
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
		return nil, unknownTool(toolID)
	}
	return t.Calculate(body, facts)
}

// CalculateNamed answers as [Tool.CalculateSpelt] does a request that names its tool in tool_id.
func (r *Registry) CalculateNamed(body []byte, facts Facts) (*Answer, error) {
	n, err := parse(body, "")
	if err != nil {
		return nil, err
	}
	t, ok := r.byID[n.member(toolName).text]
	switch {
	case n.kind != objectNode:
		return nil, faults{{"", FaultType, "Ожидается объект", "Передайте объект JSON с полем " + toolName}}.err()
	case n.member(toolName).text == "":
		return nil, faults{{
			"/" + toolName, FaultRequired,
			"Обязательное поле не указано: инструмент",
			"Добавьте поле " + toolName,
		}}.err()
	case !ok:
		return nil, unknownTool(n.member(toolName).text)
	}
	n.members = slices.DeleteFunc(n.members, func(m member) bool { return m.name == toolName })
	return t.counted(t.answer(n, facts, true))
}

// toolName is the member of a request, and of each answer, that names the tool.
const toolName = "tool_id"

// Calculate answers a request to this tool, or to an earlier version of it that the
// request names, and counts it.
func (t *Tool) Calculate(body []byte, facts Facts) (*Answer, error) {
	return t.calculate(body, facts, false)
}

// CalculateSpelt answers a request as models write it: JSON in the text of a string is what it spells where the
// field takes no text, and a field that is null or an empty text is left out. The trace is left out unless it is
// asked for, as answers should be short.
func (t *Tool) CalculateSpelt(body []byte, facts Facts) (*Answer, error) {
	return t.calculate(body, facts, true)
}

func (t *Tool) calculate(body []byte, facts Facts, spelt bool) (*Answer, error) {
	n, err := parse(body, "")
	if err != nil {
		return t.counted(nil, err)
	}
	return t.counted(t.answer(n, facts, spelt))
}

func (t *Tool) counted(a *Answer, err error) (*Answer, error) {
	t.calls.count(a, err)
	return a, err
}

func (t *Tool) answer(n node, facts Facts, spelt bool) (*Answer, error) {
	var fs faults
	r := reader{faults: &fs, spelt: spelt}
	n = r.plain(n, &t.request, "")
	t = t.requestedVersion(n)
	out := t.newOut(facts)
	r.out = out
	request := r.object(n, t.request.fields, nil, "")
	if err := fs.err(); err != nil {
		return nil, err
	}
	in := request.Object("inputs")
	out.options(request.Object("options"))
	if t.Check != nil && out.refused == nil {
		t.Check(in)
	}
	if len(fs) == 0 && out.refused == nil {
		t.checkSpan(in, out)
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

// between is the span between two dates of the request.
func between(from, to string) func(In) (Date, Date) {
	return func(in In) (Date, Date) { return in.Date(from), in.Date(to) }
}

// options sets which optional parts the answer has.
func (o *Out) options(given In) {
	o.tracing = given.Bool("include_trace")
	if o.tool.Schedule != nil {
		o.paging = given.Bool("include_schedule")
		o.from, o.limit = given.Int("schedule_from"), given.Int("schedule_limit")
	} else if given.Bool("include_schedule") {
		o.Warn("schedule_not_supported", "/options/include_schedule")
	}
}

// run computes and returns the Reason if there is no result. The arithmetic panics with a
// Reason, so that formulas need no error checks; any other panic is a bug and is not
// recovered.
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

// compile makes the envelope of requests to the tool, and gives it its texts; those of an earlier version may be
// those of the newest one.
func (t *Tool) compile(newest *Tool) {
	own := toldOf()[t.ID+" "+t.Version]
	t.Title, t.Description = cmp.Or(own.Title, newest.Title), cmp.Or(own.About, newest.Description)
	t.Examples = own.Examples
	inputs := object("inputs", "Исходные данные", markInputs(t.Inputs)...).Choose(t.Choices...)
	contract := object("contract_values", "Значения из договора для сравнения", t.contractFields()...)
	contract.implied = true
	t.calls = &calls{}
	t.request = object("", t.Title, inputs, contract, toleranceField(), optionsField(), t.versionField())
	for _, e := range t.Earlier {
		e.compile(t)
	}
}

// requestedVersion is the version of the tool that a request names, or this one if it
// names none or an unknown one, which validating [Tool.versionField] then reports.
func (t *Tool) requestedVersion(request node) *Tool {
	version := request.member(versionName)
	for _, e := range t.Earlier {
		if version.kind == stringNode && version.text == e.Version {
			return e
		}
	}
	return t
}

const versionName = "tool_version"

// versionField lets a request select a version, so that it gets the same answers after the
// default has changed, or an error if the version has been removed.
func (t *Tool) versionField() Field {
	versions := []string{t.Version}
	for _, e := range t.Earlier {
		versions = append(versions, e.Version)
	}
	return enum(versionName, "Версия инструмента, если нужна именно она; прежняя берёт исходные данные по своей схеме",
		versions...).Optional()
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
		if !f.numeric() && f.kind != dateKind {
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
	absolute := coef(
		"absolute",
		"Абсолютное отклонение для всех чисел; по умолчанию 1.00 ₽, 0.01 для процентов, 0.0001 для долей, 0 для "+
			"количеств",
	).Min("0").Optional()
	absolute.max = maxContract
	f := object("tolerance", "Допустимые отклонения от договора: расхождением считается превышение обоих",
		absolute,
		coef("relative", "Относительное отклонение").Min("0").Max("1").Default("0.001"),
		days("days", "Отклонение дат, дней").Default("0"),
	)
	f.implied = true
	return f
}

func optionsField() Field {
	trace := boolean("include_trace", "Включить ход расчёта").Default("true")
	trace.spelt = "false"
	f := object("options", "Что включить в ответ",
		boolean("include_schedule", "Включить график").Default("false"),
		integer("schedule_from", "Первая строка графика", "rows", 1, MaxRows).Default("1"),
		integer("schedule_limit", "Число строк графика", "rows", 1, MaxRows).Default("60"),
		trace,
	)
	f.implied = true
	return f
}

func (t *Tool) output(name string) *Field {
	return &t.Outputs[indexOf(t.Outputs, name)]
}
