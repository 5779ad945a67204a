package calc

// Facts are what a calculation may look up besides its request: published data that the
// caller hands in. Either may be nil where there is none.
type Facts struct {
	Calendar   Calendar
	Parameters Parameters
}

// Source names published data that an answer rests on, as external_data cites it.
type Source struct {
	ID      string
	Version string
	SHA256  string
	Decree  string // of a calendar: the decree on the transfer of days off, in words

	// Of a parameter: what it states, the first and the last day of that, and the JSON
	// pointer of the input that named it.
	Value, Unit, From, To, Input string
}

func appendSource(b []byte, s Source) []byte {
	pairs := []string{"id", s.ID, "version", s.Version, "sha256", s.SHA256}
	for _, more := range [][2]string{{"decree", s.Decree}, {"value", s.Value}, {"unit", s.Unit}, {"from", s.From}, {"to", s.To}, {"input", s.Input}} {
		if more[1] != "" {
			pairs = append(pairs, more[:]...)
		}
	}
	return appendStrings(b, pairs...)
}

// stated is what a parameter states and since when, for people.
func (s Source) stated() string {
	text := s.Value
	if u := units[s.Unit].short; u != "" {
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

func sourceSchema() schema {
	properties := schema{}
	for _, name := range names("id", "version", "sha256", "decree", "value", "unit", "from", "to", "input") {
		properties = append(properties, property{name, typed("string")})
	}
	return schema{{"type", "object"}, {"properties", properties}, {"required", names("id", "version", "sha256")}, {"additionalProperties", false}}
}
