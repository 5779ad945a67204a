package site

import (
	"cmp"
	"strconv"

	"rulestore/content"
	"rulestore/server/calc"
)

// Facts returns what calculations of this site may look up.
func (s *Site) Facts() calc.Facts { return factsOf(s.calendar, s.Snapshot) }

// FactsOf returns what calculations may look up in a snapshot that is not served.
func FactsOf(snapshot *content.Snapshot) calc.Facts {
	return factsOf(makeCalendar(nil, snapshot), snapshot)
}

func factsOf(c calendar, snapshot *content.Snapshot) calc.Facts {
	return calc.Facts{Calendar: c, Parameters: parametersOf{snapshot}}
}

// parametersOf answers for the parameters of a snapshot by what is in force on a day.
type parametersOf struct{ snapshot *content.Snapshot }

// Parameter implements [calc.Parameters].
func (p parametersOf) Parameter(id string, on calc.Date) (calc.Parameter, bool) {
	item := p.snapshot.Item(content.Parameters, id)
	if item == nil || item.Current == nil || item.Current.Status == content.Redacted || !item.Current.Sound() {
		return calc.Parameter{}, false
	}
	t := content.NewTimeline(p.snapshot.Known(item), func(e *content.Entry) (own []content.Period, series bool) {
		if e.Status == content.Redacted || !e.Sound() {
			return nil, false
		}
		values := content.ValuesOf(e.Body())
		for _, v := range values {
			own = append(own, v.Period)
		}
		if values == nil {
			own = append(own, content.Validity(e.Body()))
		}
		return own, values != nil
	})
	s := t[t.At(on.String())]
	if s.Entry == nil {
		return calc.Parameter{}, true
	}
	return parameterOf(s, item.Current), true
}

// parameterOf is what a parameter states in a stretch. It is confirmed by the version that
// is current: what that awaits a check for, the earlier ones say as well.
func parameterOf(s content.Stretch, current *content.Entry) calc.Parameter {
	body := s.Entry.Body()
	stated := body
	if values := content.ValuesOf(body); values != nil {
		stated = values[s.Part].Fields
	}
	value := string(stated.Get("value"))
	if _, err := strconv.ParseFloat(value, 64); err != nil {
		value = "" // a list states no number
	}
	return calc.Parameter{
		Source: calc.Source{
			ID: body.Text(s.Entry.Kind.ID), Version: s.Entry.Version.String(), SHA256: s.Entry.Checksum,
			Value: value, Unit: cmp.Or(stated.Text("unit"), body.Text("unit")), From: s.From, To: s.To,
		},
		InForce: true, Confirmed: current.Status == content.Current, Roll: body.Text("roll_if_non_working"),
	}
}
