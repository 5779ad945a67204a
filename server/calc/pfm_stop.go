package calc

import (
	"fmt"
	"slices"
)

// The five stop filters that precede investment advice, in the order of the catalogue.
const (
	stopCashFlow       = "cash_flow_deficit"
	stopHorizon        = "horizon_mismatch"
	stopLiquidity      = "liquidity_shortfall"
	stopRisk           = "risk_exceeds_capacity"
	stopDoubleCounting = "double_counting"

	filterNotEvaluated = "filter_not_evaluated"

	evidenceName = "evidence" // the member with the values that a filter stopped on
)

var stopCodes = []string{stopCashFlow, stopHorizon, stopLiquidity, stopRisk, stopDoubleCounting}

// stopMembers are in every answer of the family, also in one without a result.
func stopMembers() []Field {
	return []Field{
		list("stop", "Сработавшие условия остановки", 0, MaxItems,
			enum("code", "Условие", stopCodes...),
			enum("severity", "Действие", "blocking").
				Labels(map[string]string{"blocking": "передача разговора закрыта"}),
			mapOf(word(evidenceName, "Значения, на которых сработало условие")),
		),
		object("handoff", "Передача разговора в сценарий инвестиционного совета",
			enum("target", "Куда", "investment_advice"),
			boolean("allowed", "Разрешена"),
			listOf(enum("reasons", "Почему не разрешена", slices.Concat(stopCodes, []string{filterNotEvaluated})...), 0,
				len(stopCodes)+1),
		),
		listOf(enum("filters_not_evaluated", "Непроверенные условия остановки", stopCodes...), 0, len(stopCodes)),
	}
}

// filters has the results of the stop filters in one calculation. A filter that was not
// evaluated has not passed.
type filters struct {
	evaluated  map[string]bool
	stops      List
	codes      []string // of stops, each once
	mayHandOff bool     // the tool may allow the hand-off
}

// pass records that a filter was evaluated, stop that it also stopped.
func (f *filters) pass(code string) { f.evaluated[code] = true }

func (f *filters) stop(code string, evidence ...Entry) {
	f.pass(code)
	f.stops = append(f.stops, Row{Text(code), Text("blocking"), Entries(evidence)})
	if !slices.Contains(f.codes, code) {
		f.codes = append(f.codes, code)
	}
}

// evaluate records the result of a filter: it stops if bad.
func (f *filters) evaluate(code string, bad bool, evidence ...Entry) {
	if bad {
		f.stop(code, evidence...)
	} else {
		f.pass(code)
	}
}

// evidence is a named value that a filter stopped on.
func evidence(name string, value fmt.Stringer) Entry {
	return Entry{name, Text(value.String())}
}

// report puts the filters into the answer.
func (f *filters) report(out *Out) {
	missing, reasons := List{}, List{}
	for _, c := range stopCodes {
		if slices.Contains(f.codes, c) {
			reasons = append(reasons, Text(c))
		}
		if !f.evaluated[c] {
			missing = append(missing, Text(c))
		}
	}
	if len(missing) > 0 {
		reasons = append(reasons, Text(filterNotEvaluated))
	}
	out.Member("stop", f.stops)
	out.Member("handoff", Row{Text("investment_advice"), Bool(f.mayHandOff && len(reasons) == 0), reasons})
	out.Member("filters_not_evaluated", missing)
}

// filtered makes a Compute that reports the filters however the calculation ends, also if
// the arithmetic panics with a Reason.
func filtered(compute func(in In, out *Out, f *filters) error) func(In, *Out) error {
	return func(in In, out *Out) error {
		f := &filters{evaluated: map[string]bool{}, stops: List{}}
		defer f.report(out)
		return compute(in, out, f)
	}
}
