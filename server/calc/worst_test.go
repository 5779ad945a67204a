package calc

import (
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// BenchmarkWorst is what the dearest request found costs.
func BenchmarkWorst(b *testing.B) {
	for _, w := range worst() {
		b.Run(w.tool.ID, func(b *testing.B) { benchmarkTool(b, w.tool, w.request) })
	}
}

var worst = sync.OnceValue(func() (all []*search) {
	for tool := range registry.Tools() {
		s := &search{tool: tool}
		s.run()
		all = append(all, s)
	}
	return all
})

// A search climbs from the first example of a tool, and from what was found dear before,
// one field at a time, to the request that takes the most: every number to its
// limits, every list to its full length, every word of an enum, every date to the
// ends of time, what is optional put in.
type search struct {
	tool    *Tool
	tried   int    // accepted ones
	request string // the dearest
	dearest cost   // of it
	here    cost   // of the request being climbed from
}

type cost struct{ bytes, objects uint64 }

// over says that this is dearer than the other.
func (c cost) over(other cost) bool {
	return c.objects > other.objects || c.objects == other.objects && c.bytes > other.bytes
}

func (s *search) run() {
	s.from(s.tool.Examples[0].Request)
	for _, request := range dear[s.tool.ID] {
		s.from(request)
	}
}

func (s *search) from(text string) {
	request := jsonObject(text)
	request["options"] = map[string]any{"include_schedule": true, "schedule_limit": MaxRows}
	s.here = cost{}
	s.better(request)
	s.climb(request, request["inputs"].(map[string]any), s.tool.Inputs)
}

func jsonObject(text string) (o map[string]any) {
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	return o
}

// climb tries every field of an object within the request and keeps what makes
// the request dearer.
func (s *search) climb(request, at map[string]any, fields []Field) {
	for i := range fields {
		f := &fields[i]
		before, given := at[f.Name]
		best, found := before, false
		for _, candidate := range candidates(f, before) {
			at[f.Name] = candidate
			if s.better(request) {
				best, found = candidate, true
			}
		}
		if given || found {
			at[f.Name] = best
		} else {
			delete(at, f.Name)
		}
		switch v := at[f.Name].(type) {
		case map[string]any:
			s.climb(request, v, f.fields)
		case []any: // never empty
			if o, ok := v[0].(map[string]any); ok {
				s.climb(request, o, f.item.fields)
			}
		}
	}
}

// better runs a request and says whether it is the dearest so far.
func (s *search) better(request map[string]any) bool {
	body, err := json.Marshal(request)
	if err != nil {
		panic(err)
	}
	c, ok := s.cost(body)
	if !ok {
		return false
	}
	s.tried++
	if c.over(s.dearest) {
		s.dearest, s.request = c, string(body)
	}
	if !c.over(s.here) {
		return false
	}
	s.here = c
	return true
}

// cost is what a request takes; not ok means that it is refused.
func (s *search) cost(body []byte) (cost, bool) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a, err := s.tool.Calculate(body, testFacts)
	if err != nil {
		return cost{}, false
	}
	a.JSON()
	runtime.ReadMemStats(&after)
	return cost{after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs}, true
}

// candidates are values of a field that may be dear.
func candidates(f *Field, now any) []any {
	switch f.kind {
	case moneyKind, pctKind, coefKind:
		return []any{f.bound(f.min), f.bound(f.max), f.bound(max(f.min, 1)), "12.34", "99.99",
			"0.01", f.bound(f.max - 1)}
	case intKind:
		return []any{f.min, f.max, (f.min + f.max) / 2, min(f.max, 12)}
	case dateKind:
		return []any{"2000-01-01", "2099-12-31", "2024-02-29", "2026-05-12"}
	case enumKind:
		var all []any
		for _, word := range f.enum {
			all = append(all, word)
		}
		return all
	case boolKind:
		return []any{true, false}
	case listKind:
		return []any{longList(f, now, f.maxItems), longList(f, now, f.maxItems/2), longList(f, now, f.maxItems/8)}
	case objectKind:
		return []any{made(f)}
	}
	return nil
}

// longList repeats the first item, each with an identifier and days of its own.
func longList(f *Field, now any, n int) []any {
	var first any = made(f.item)
	if list, ok := now.([]any); ok && len(list) > 0 {
		first = list[0]
	}
	span := Date(1)
	if o, ok := first.(map[string]any); ok {
		span = spanOf(o)
	}
	out := make([]any, max(n, f.minItems, 1))
	for i := range out {
		out[i] = first
		o, ok := first.(map[string]any)
		if !ok {
			continue
		}
		o = maps.Clone(o)
		if f.unique != "" {
			o[f.unique] = fmt.Sprint("x", i)
		}
		for _, inner := range f.item.fields {
			if text, ok := o[inner.Name].(string); ok && inner.kind == dateKind {
				if d, ok := ParseDate(text); ok {
					o[inner.Name] = min(d+span*Date(i), lastDate).String()
				}
			}
		}
		out[i] = o
	}
	return out
}

// spanOf is how many days lie between the dates of an item, which must not overlap
// the next.
func spanOf(o map[string]any) Date {
	first, last := lastDate, firstDate
	for _, v := range o {
		text, _ := v.(string)
		if d, ok := ParseDate(text); ok {
			first, last = min(first, d), max(last, d)
		}
	}
	return max(last-first, 1)
}

// made is some value of a field.
func made(f *Field) any {
	switch f.kind {
	case objectKind:
		o := map[string]any{}
		for i := range f.fields {
			o[f.fields[i].Name] = made(&f.fields[i])
		}
		return o
	case listKind:
		return []any{made(f.item)}
	case textKind:
		return "x1"
	}
	all := candidates(f, nil)
	return slices.Clone(all)[len(all)-1]
}

// dear are requests that somebody thought of and the search would not find.
var dear = map[string][]string{
	"loan_payment": {`{"inputs":{"principal":"999999999999.99","annual_rate_pct":"12.345677","term_months":600}}`},
	// A century of monthly postings and 200 movements.
	"deposit_cashflow_balance": {`{"inputs":{"opening_balance":"1000000","start_date":"2000-01-01","end_date":"2099-12-31","interest":"capitalized","posting_months":1,"day_count":"act_act",
		"rate_steps":[{"from_date":"2000-01-01","annual_rate_pct":"12.345678"}],"movements":[` +
		repeated(200, func(k int) string {
			return fmt.Sprintf(`{"date":"%s","amount":"1.00"}`, NewDate(2000, 1, 15).AddMonths(k))
		}) + `]}}`},
	"card_required_payment": {`{"inputs":{"balance":"999999999999.99","annual_rate_pct":"999.999999","months":600}}`},
	"pfm_goal_contribution": {`{"inputs":{"target_amount":"999999999999.99","current_savings":"1","annual_return_pct":"12.345677","months":599,"inflation_scenario_pct":"4.567891"}}`},
	"pfm_debt_payoff_plan": {`{"inputs":{"debts":[` +
		repeated(20, func(k int) string {
			return fmt.Sprintf(`{"id":"%d","balance":"6000","annual_rate_pct":"0","min_payment":"5"}`, k)
		}) +
		`],"extra_monthly":"0","strategy":"both"}}`},
	"consumer_rights_deadline_date": {deadlineRequest("2024-01-01", 400, "business_days",
		`,"extension":{"working_days":100,"notified":true}`)},
	// A hundred years of quarterly payments, each of its own factor.
	"invest_reliable_return": {`{"inputs":{` + flowsInput(append([]string{"2000-01-01", "-999999999.99"},
		quarters()...)...) + `}}`},
	"invest_fee_impact": {`{"inputs":{"principal":"1000","monthly_contribution":"100","years":50,"gross_annual_pct":"12.345678","annual_fee_pct":"1.234567","entry_fee_pct":"0.123457"}}`},
	"portfolio_concentration": {`{"inputs":{"positions":[` +
		repeated(500, func(k int) string {
			return fmt.Sprintf(`{"id":"p%d","amount":"%s"}`, k, Money(1_000_000_000+k*k*7))
		}) + `]}}`},
}

func repeated(n int, item func(int) string) string {
	items := make([]string, n)
	for k := range items {
		items[k] = item(k)
	}
	return strings.Join(items, ",")
}

func quarters() (pairs []string) {
	for k := 1; k < 400; k++ {
		pairs = append(pairs, NewDate(2000, 1, 1+91*k).String(), "12345678.91")
	}
	return pairs
}
