package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
)

// periods finds periods of a parameter out of order, and a value beside them that differs
// from all of theirs.
func (d *Document) periods() (found []content.Finding) {
	top, _ := d.value.(map[string]any)
	all, ok := top["periods"].([]any)
	if !ok || len(all) == 0 {
		return nil
	}
	var before content.Period
	for i, value := range all {
		p, at := periodOf(value), []string{"periods", strconv.Itoa(i)}
		if s, wrong := follows(before, p); wrong {
			found = append(found, d.finding(below(at, "from"), s))
		}
		if s, wrong := backwards(p); wrong {
			found = append(found, d.finding(below(at, "to"), s))
		}
		before = p
	}
	if first, from := periodOf(all[0]).From, d.Body.Text("valid_from"); isDay(first) && isDay(from) && first != from {
		found = append(
			found, d.finding([]string{"valid_from"}, say("period", "since", args{"from": from, "first": first})),
		)
	}
	return append(found, d.valueBeside(top, all)...)
}

// periodOf reads the dates of a period.
func periodOf(value any) content.Period {
	p, _ := value.(map[string]any)
	from, _ := p["from"].(string)
	to, _ := p["to"].(string)
	return content.Period{From: from, To: to}
}

// follows checks the beginning of a period against the one before it. Invalid dates, and two
// periods that begin on one day, are other findings.
func follows(before, p content.Period) (s content.RuleText, wrong bool) {
	switch {
	case !isDay(before.From) || !isDay(p.From) || before.From == p.From:
	case p.From < before.From:
		return say("period", "order", args{"from": p.From, "before": before.From}), true
	case isDay(before.To) && before.To >= before.From && p.From <= before.To:
		return say("period", "overlap", args{"from": p.From, "before": before.From, "to": before.To}), true
	}
	return s, false
}

// backwards reports a period that ends before it begins.
func backwards(p content.Period) (s content.RuleText, wrong bool) {
	if !isDay(p.From) || !isDay(p.To) || p.To >= p.From {
		return s, false
	}
	return say("period", "backwards", args{"from": p.From, "to": p.To}), true
}

func isDay(date string) bool {
	_, err := time.Parse(content.Date, date)
	return err == nil
}

// valueBeside finds a value beside periods that was not in force when it was verified.
func (d *Document) valueBeside(top map[string]any, all []any) []content.Finding {
	value, isThere := top["value"]
	day := d.Body.Text("verified_at")
	if !isThere || !isDay(day) {
		return nil
	}
	for i := len(all) - 1; i >= 0; i-- {
		p, _ := all[i].(map[string]any)
		switch days := periodOf(p); {
		case days.From > day:
			continue
		case !days.Has(day):
		case asJSON(p["value"]) == asJSON(value):
			return nil
		default:
			return []content.Finding{d.finding([]string{"value"}, say(
				"period", "value", args{"value": asJSON(value), "day": day, "other": asJSON(p["value"])},
			))}
		}
		break
	}
	return []content.Finding{d.finding(
		[]string{"value"}, say("period", "none", args{"value": asJSON(value), "day": day}),
	)}
}

// asJSON is a value as JSON, for comparison.
func asJSON(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(raw)
}

// validity finds a valid_until before valid_from.
func (d *Document) validity(root *content.Field) (found []content.Finding) {
	walk(d.value, root, func(at []string, value any, _ *content.Field) {
		o, _ := value.(map[string]any)
		from, _ := o["valid_from"].(string)
		to, _ := o["valid_to"].(string)
		if s, wrong := backwards(content.Period{From: from, To: to}); wrong {
			found = append(found, d.finding(below(at, "valid_to"), s))
		}
	})
	return found
}

// gaps finds days between the periods of a parameter without a value. It is a warning, since
// that can be intended.
func (r *reviewer) gaps(o *File) {
	if o.Kind != content.Parameters {
		return
	}
	all := content.ValuesOf(o.Body)
	for i := 1; i < len(all); i++ {
		first, last := content.DayAfter(all[i-1].To), content.DayBefore(all[i].From)
		switch at := []string{"periods", strconv.Itoa(i), "from"}; {
		case first > last:
		case first == last:
			r.add(o, at, content.Warning, say("period-gap", "day", args{"day": first}))
		default:
			r.add(o, at, content.Warning, say("period-gap", "days", args{"first": first, "last": last}))
		}
	}
}

// series finds the first day on which a parameter says something else than the series that it names.
func (r *reviewer) series(o *File, files []*File) {
	named := o.Body.Text("series")
	i := slices.IndexFunc(files, func(f *File) bool { return f.Kind == content.Parameters && f.Name == named })
	if o.Kind != content.Parameters || i < 0 {
		return
	}
	own, other, days := valuesIn(o.Body), valuesIn(files[i].Body), []content.Period{}
	for _, v := range slices.Concat(own, other) {
		days = append(days, v.Period)
	}
	for _, part := range (content.Period{From: own[0].From}).Parted(days) {
		here, there := saidOn(part.From, own, o.Body), saidOn(part.From, other, files[i].Body)
		if here != there {
			r.add(o, []string{"series"}, content.Error, say("series", "differs", args{
				"day": cmp.Or(part.From, part.To), "here": here, "series": named, "there": there,
			}))
			return
		}
	}
}

// valuesIn are the values of a parameter: those of its periods, or its own.
func valuesIn(body content.Object) []content.Value {
	if all := content.ValuesOf(body); len(all) > 0 {
		return all
	}
	return []content.Value{{Period: content.Validity(body), Fields: body}}
}

// saidOn is the value with its unit on a day.
func saidOn(day string, all []content.Value, body content.Object) any {
	i := slices.IndexFunc(all, func(v content.Value) bool { return v.Has(day) })
	if i < 0 {
		return content.Word("no value")
	}
	unit := cmp.Or(all[i].Fields.Text("unit"), body.Text("unit"))
	return strings.TrimSpace(string(all[i].Fields.Get("value")) + " " + unit)
}
