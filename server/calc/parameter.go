package calc

// Parameters know the values that law or an authority sets. The caller hands them in; the
// tools that need one ask through [Out.Parameter], which cites it.
type Parameters interface {
	// Parameter is what the parameter of an id states for a day. Known is false where
	// there is none of that id.
	Parameter(id string, on Date) (p Parameter, known bool)
}

// A Parameter is what a published parameter states for one day.
type Parameter struct {
	Source           // its version, and the value with its unit as they are published
	InForce   bool   // it states a value for the day
	Confirmed bool   // it is current, and not due for a check
	Roll      string // what becomes of a last day that is not a working one: following, none or nothing said
}

// Parameter is what a parameter states for a day, and cites it in external_data. Where
// there is none, or nothing is in force on the day, the error is the [Reason], with a
// warning at the pointer of the input that named it.
func (o *Out) Parameter(id string, on Date, pointer string) (Parameter, error) {
	p, known := Parameter{}, false
	if o.facts.Parameters != nil {
		p, known = o.facts.Parameters.Parameter(id, on)
	}
	switch {
	case !known:
		o.Warn(string(ParameterUnknown), pointer, "Параметра "+id+" нет среди опубликованных")
		return p, ParameterUnknown
	case !p.InForce:
		o.Warn(string(ParameterNotInForce), pointer, "На "+on.String()+" параметр "+id+" ничего не устанавливает")
		return p, ParameterNotInForce
	}
	o.external = append(o.external, p.Source)
	return p, nil
}
