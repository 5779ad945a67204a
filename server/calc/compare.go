package calc

import (
	"math/big"
	"strings"
)

// Statuses of one value's comparison with the contract.
const (
	WithinTolerance         = "within_tolerance"
	DeviationDetected       = "deviation_detected"
	ContractValueOnly       = "contract_value_only"
	CalculationNotAvailable = "calculation_not_available"
)

// tolerance is the accepted difference of two values: a deviation exceeds both limits.
// Dates and counts have no relative tolerance.
type tolerance struct{ absolute, relative Exact }

// A comparison of one calculated value with the contract's.
type comparison struct {
	field      Field
	status     string
	calculated string // as printed; empty if there is none
	contract   string // likewise
	tolerance  tolerance
	deviation  deviation // set if status is DeviationDetected
}

type deviation struct {
	absolute, signed Exact
	relative         string // empty if the contract's value is zero
}

// compareNumbers compares two numbers; either may be nil.
func compareNumbers(calculated, contract *Exact, tol tolerance) (string, deviation) {
	switch {
	case calculated == nil && contract == nil:
		return CalculationNotAvailable, deviation{}
	case calculated == nil:
		return ContractValueOnly, deviation{}
	}
	d := deviation{signed: calculated.Sub(*contract)}
	d.absolute = d.signed.abs()
	over := d.absolute.Sign() > 0 // if the contract's value is zero, any difference exceeds the relative tolerance
	if contract.Sign() != 0 {
		relative := d.absolute.Quo(contract.abs())
		d.relative = relative.Fixed(6)
		over = relative.Cmp(tol.relative) > 0
	}
	if over && d.absolute.Cmp(tol.absolute) > 0 {
		return DeviationDetected, d
	}
	return WithinTolerance, deviation{}
}

func (x Exact) abs() Exact { return Exact{new(big.Int).Abs(x.num), x.den} }

// decimalExact parses a decimal printed by this package.
func decimalExact(s string) *Exact {
	_, decimals, _ := strings.Cut(s, ".")
	num, _ := new(big.Int).SetString(strings.Replace(s, ".", "", 1), 10)
	return &Exact{num, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(decimals))), nil)}
}

// compareAll compares the contract's values with the calculated ones, in the order of
// the outputs.
func (o *Out) compareAll(contract, tolerances In) []comparison {
	var out []comparison
	for i, f := range contract.fields {
		v := contract.values[i]
		if v == nil {
			continue
		}
		c := comparison{field: f, tolerance: toleranceOf(f.kind, tolerances)}
		if v != Null {
			c.contract = unquoted(v.appendJSON(nil, &f))
		}
		if done := o.output(f.Name); done != nil && done != Null {
			c.calculated = unquoted(done.appendJSON(nil, o.tool.output(f.Name)))
		}
		if c.calculated != "" && c.contract == "" {
			continue
		}
		c.status, c.deviation = compareNumbers(f.number(c.calculated), f.number(c.contract), c.tolerance)
		o.assumeTolerance(f.kind, c.tolerance)
		out = append(out, c)
	}
	return out
}

// number is the printed value as a number for comparison: of a date its day number.
func (f *Field) number(printed string) *Exact {
	if printed == "" {
		return nil
	}
	if f.kind == dateKind {
		d, _ := ParseDate(printed)
		x := Whole(int(d))
		return &x
	}
	return decimalExact(printed)
}

func unquoted(json []byte) string { return strings.Trim(string(json), `"`) }

// output returns the value of an output; nil if it was not set, and for psk.
func (o *Out) output(name string) Value {
	for i := range o.tool.Outputs {
		if o.tool.Outputs[i].Name == name {
			return o.values[i]
		}
	}
	return nil
}

func toleranceOf(k kind, given In) tolerance {
	if k == dateKind {
		return tolerance{Whole(given.Int("days")), Whole(0)}
	}
	t := tolerance{given.Coef("absolute"), given.Coef("relative")}
	if !given.Has("absolute") {
		t.absolute = defaultAbsolute(k)
	}
	if k == intKind {
		t.relative = Whole(0)
	}
	return t
}

func defaultAbsolute(k kind) Exact {
	switch k {
	case moneyKind:
		return Whole(1)
	case pctKind:
		return newExact(1, 100)
	case coefKind:
		return newExact(1, 10000)
	}
	return Whole(0)
}

func (o *Out) assumeTolerance(k kind, t tolerance) {
	if k == dateKind {
		o.Assume("tolerance_days=" + t.absolute.Fixed(0))
		return
	}
	o.Assume("tolerance_absolute_" + kinds[k].name + "=" + t.printed(k))
	o.Assume("tolerance_relative_" + kinds[k].name + "=" + t.relative.short())
}

// printed formats the absolute tolerance, of money with kopecks: 1.00.
func (t tolerance) printed(k kind) string {
	if cents := t.absolute.Fixed(2); k == moneyKind && decimalExact(cents).Cmp(t.absolute) == 0 {
		return cents
	}
	return t.absolute.short()
}

// short formats the number with up to eight decimals, without trailing zeros.
func (x Exact) short() string {
	return strings.TrimRight(strings.TrimRight(x.Fixed(pctPlaces), "0"), ".")
}
