package calc

// Facts are published data that a calculation may use besides its request. Either may be
// nil.
type Facts struct {
	Calendar   Calendar
	Parameters Parameters
}

// External is published data used by an answer, as external_data cites it.
type External struct {
	ID      string
	Version string
	SHA256  string
	Decree  string // of a calendar: the decree on the transfer of days off, in words

	// Of a parameter: the value and its unit, the first and the last day for which it is
	// stated, and the JSON pointer of the input that named the parameter.
	Value, Unit, From, To, Input string
}

func appendSource(b []byte, s External) []byte {
	pairs := []string{"id", s.ID, "version", s.Version, "sha256", s.SHA256}
	for _, more := range [][2]string{
		{"decree", s.Decree}, {"value", s.Value}, {"unit", s.Unit}, {"from", s.From}, {"to", s.To}, {"input", s.Input},
	} {
		if more[1] != "" {
			pairs = append(pairs, more[:]...)
		}
	}
	return appendStrings(b, pairs...)
}

// describe formats a parameter's value and the period for which it is stated.
func (s External) describe() string {
	text := s.Value
	if u := words().Units[s.Unit].Short; u != "" {
		text += " " + u
	}
	if s.From != "" {
		text += ", с " + s.From
	}
	if s.To != "" {
		text += " по " + s.To
	}
	return text
}
