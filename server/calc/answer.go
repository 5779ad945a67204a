package calc

// Statuses of an answer; the third is [CalculationNotAvailable].
const (
	StatusComputed   = "computed"
	StatusDoNotGuess = "do_not_guess"
)

// DoNotGuess is what a tool returns when facts that it must not guess are
// unconfirmed: the answer has that status and no reason.
const DoNotGuess Reason = StatusDoNotGuess

// An Answer is the result of a calculation.
type Answer struct {
	Tool   *Tool
	Status string
	Reason string // of calculation_not_available

	in         In
	out        *Out
	comparison []comparison
}

// An Output is a computed value in the form of the JSON answer, without quotes.
type Output struct {
	Name, Title, Value, Unit string
}

// Outputs lists the computed values, for printing. The value of a list or an object is JSON.
func (a *Answer) Outputs() []Output {
	var out []Output
	for i, v := range a.out.values {
		if v != nil {
			f := &a.Tool.Outputs[i]
			out = append(out, Output{f.Name, f.Title, unquoted(v.appendJSON(nil, f)), f.Unit})
		}
	}
	return out
}

// JSON is the answer as HTTP and MCP send it: the same bytes for the same
// request, on every machine.
func (a *Answer) JSON() []byte {
	b := a.body()
	sum := receipt(b)
	return append(appendQuoted(appendName(b[:len(b)-1], "receipt"), sum), '}')
}

// body is the answer without its receipt.
func (a *Answer) body() []byte {
	b := make([]byte, 0, 4096)
	b = append(b, '{')
	for _, m := range []struct{ name, value string }{
		{"tool_id", a.Tool.ID}, {"tool_version", a.Tool.Version}, {"formula_id", a.Tool.Formula},
		{"engine_version", EngineVersion}, {"rounding_policy", RoundingPolicy}, {"status", a.Status},
	} {
		b = appendString(appendName(b, m.name), m.value)
	}
	b = appendNullable(appendName(b, "reason"), a.Reason)
	b = a.in.appendJSON(appendName(b, "inputs_echo"), nil)
	b = appendQuoted(appendName(b, "inputs_hash"), a.InputsHash())
	b = a.appendOutputs(appendName(b, "outputs"))
	b = appendList(b, "comparison", a.comparison, appendComparison)
	if a.out.paging {
		b = a.appendSchedule(appendName(b, "schedule"))
	}
	if a.out.tracing {
		b = appendList(b, "trace", a.out.steps, appendStep)
	}
	b = appendList(b, "assumptions", a.out.assumptions, appendString)
	b = appendList(b, "warnings", a.out.warnings, appendWarning)
	b = appendList(b, "external_data", a.out.external, appendSource)
	b = appendList(b, "not_computed", a.notComputed(), appendString)
	if a.Tool.PSK {
		b = append(b, `,"psk":{"status":"not_calculated"}`...)
	}
	for i, v := range a.out.members {
		if v != nil {
			f := &a.Tool.Members[i]
			b = v.appendJSON(appendName(b, f.Name), f)
		}
	}
	return append(b, '}')
}

// Receipt identifies what was calculated from what: the SHA-256 of the canonical JSON
// (RFC 8785) of the answer without the members that are [Uncovered].
func (a *Answer) Receipt() string { return receipt(a.body()) }

// InputsHash identifies what was calculated: it does not change with the order
// of keys, the form of numbers or defaults spelt out.
func (a *Answer) InputsHash() string {
	b := a.in.appendJSON(appendName([]byte{'{'}, "inputs"), nil)
	b = appendString(appendName(b, "tool_id"), a.Tool.ID)
	return receipt(append(appendString(appendName(b, "tool_version"), a.Tool.Version), '}'))
}

// notComputed names the outputs without a value, so that these and the outputs
// make up what the tool declares.
func (a *Answer) notComputed() []string {
	var out []string
	for i, v := range a.out.values {
		if v == nil {
			out = append(out, a.Tool.Outputs[i].Name)
		}
	}
	if a.Tool.PSK {
		out = append(out, "psk")
	}
	return out
}

func (a *Answer) appendOutputs(b []byte) []byte {
	b = append(b, '{')
	for i, v := range a.out.values {
		if v != nil {
			f := &a.Tool.Outputs[i]
			b = v.appendJSON(appendName(append(appendName(b, f.Name), '{'), "value"), f)
			b = append(appendUnitAndType(b, f), '}')
		}
	}
	return append(b, '}')
}

func appendUnitAndType(b []byte, f *Field) []byte {
	b = appendNullable(appendName(b, "unit"), f.Unit)
	return appendString(appendName(b, "type"), kinds[f.kind].name)
}

func (a *Answer) appendSchedule(b []byte) []byte {
	b = Count(a.out.total).appendJSON(appendName(append(b, '{'), "total_rows"), nil)
	b = Count(a.out.from).appendJSON(appendName(b, "from"), nil)
	b = appendList(b, "rows", a.out.rows, func(b []byte, r Row) []byte { return appendFields(b, a.Tool.Schedule, r) })
	return append(b, '}')
}

// appendList writes a member that is a list.
func appendList[T any](b []byte, name string, items []T, one func([]byte, T) []byte) []byte {
	b = append(appendName(b, name), '[')
	for _, item := range items {
		b = one(comma(b), item)
	}
	return append(b, ']')
}

func appendStep(b []byte, s step) []byte {
	return appendStrings(
		b, "step", s.name, "formula", s.formula, "substituted", s.substituted.String(), "value", s.value.String(),
	)
}

func appendWarning(b []byte, w warning) []byte {
	return appendStrings(b, "code", w.code, "pointer", w.pointer, "detail", w.detail)
}

// appendStrings writes an object of strings: name, value, name, value.
func appendStrings(b []byte, pairs ...string) []byte {
	b = append(b, '{')
	for i := 0; i < len(pairs); i += 2 {
		b = appendString(appendName(b, pairs[i]), pairs[i+1])
	}
	return append(b, '}')
}

func appendNullable(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return appendString(b, s)
}

func appendComparison(b []byte, c comparison) []byte {
	b = appendStrings(b, "name", c.field.Name, "status", c.status)
	b = c.appendPrinted(appendName(b[:len(b)-1], "calculated"), c.calculated)
	b = c.appendPrinted(appendName(b, "contract"), c.contract)
	b = c.appendTolerance(appendUnitAndType(b, &c.field))
	if c.status == DeviationDetected {
		b = c.appendDeviation(b)
	}
	return append(b, '}')
}

// appendPrinted writes a printed value: counts are numbers, the rest strings.
func (c comparison) appendPrinted(b []byte, s string) []byte {
	if s != "" && c.field.kind == intKind {
		return append(b, s...)
	}
	return appendNullable(b, s)
}

func (c comparison) appendTolerance(b []byte) []byte {
	b = append(appendName(b, "tolerance"), '{')
	if c.field.kind == dateKind {
		return append(append(appendName(b, "days"), c.tolerance.absolute.Fixed(0)...), '}')
	}
	b = appendQuoted(appendName(b, "absolute"), c.tolerance.printed(c.field.kind))
	b = appendQuoted(appendName(b, "relative"), c.tolerance.relative.short())
	return append(b, '}')
}

// appendDeviation writes the absolute, relative and signed deviation: of dates and counts
// as whole numbers, of the rest with the decimals of the value. The relative one is null
// for dates and if the contract's value is zero.
func (c comparison) appendDeviation(b []byte) []byte {
	b = append(appendName(b, "deviation"), '{')
	b = c.appendDifference(appendName(b, "absolute"), c.deviation.absolute)
	relative := c.deviation.relative
	if c.field.kind == dateKind {
		relative = ""
	}
	b = appendNullable(appendName(b, "relative"), relative)
	b = c.appendDifference(appendName(b, "signed"), c.deviation.signed)
	return append(b, '}')
}

func (c comparison) appendDifference(b []byte, x Exact) []byte {
	switch c.field.kind {
	case dateKind, intKind:
		return append(b, x.Fixed(0)...)
	case moneyKind:
		return appendQuoted(b, x.Fixed(2))
	}
	return appendQuoted(b, x.short())
}
