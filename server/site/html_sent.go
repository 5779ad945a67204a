package site

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/server/calc"
	"rulestore/server/page"
)

func rowName(list string, i int) string { return list + "." + strconv.Itoa(i) }

// rowsOf lists the numbers of the rows of a list that were sent, in ascending order.
func rowsOf(sent url.Values, list string) (all []int) {
	for name := range sent {
		rest, ok := strings.CutPrefix(name, list+".")
		if !ok {
			continue
		}
		number, _, _ := strings.Cut(rest, ".")
		if i, err := strconv.Atoi(number); err == nil && 0 <= i && strconv.Itoa(i) == number {
			all = append(all, i)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// renumber copies what was sent for an input under another name, and numbers the rows of lists
// without gaps: one row with the number 199 is not shown as 200 rows.
func (in *formField) renumber(to url.Values, as string, sent url.Values, name string) {
	switch in.kind {
	case page.Group:
		for _, f := range in.fields {
			f.renumber(to, as+"."+f.name, sent, name+"."+f.name)
		}
		for _, k := range in.fieldChoices {
			if v, ok := sent[k.selector(name)]; ok {
				to[k.selector(as)] = v
			}
		}
	case page.Several:
		for i, number := range rowsOf(sent, name) {
			if i > in.to { // one row above the limit is enough for the fault
				break
			}
			to.Set(rowName(as, i), "") // a row counts even if it is empty
			in.item.renumber(to, rowName(as, i), sent, rowName(name, number))
		}
	default:
		if v, ok := sent[name]; ok {
			to[as] = v
		}
	}
}

// received are the values of the fields of a form, after the row of a pressed button was added or
// removed.
func (in *formField) received(sent url.Values) url.Values {
	known := func(sent url.Values) url.Values {
		to := url.Values{}
		for _, name := range []string{inputsField, contractField} {
			if f := in.field(name); f != nil {
				f.renumber(to, name, sent, name)
			}
		}
		return to
	}
	sent = restoreRows(sent)
	received := known(sent)
	if row := sent.Get(removeRow); row != "" {
		maps.DeleteFunc(
			received, func(name string, _ []string) bool { return name == row || strings.HasPrefix(name, row+".") },
		)
		received = known(received)
		received.Set(page.ShowRow, row)
	}
	if list := sent.Get(addRow); list != "" {
		added := rowName(list, len(rowsOf(received, list)))
		received.Set(added, "")
		received = known(received) // drops the row if there is no such list
		received.Set(page.ShowRow, added)
	}
	if row := sent.Get(page.ShowRow); row != "" {
		received.Set(page.ShowRow, row)
	}
	return received
}

// anyBelow reports whether anything was sent for the fields below a name.
func anyBelow(sent url.Values, name string) bool {
	for n, v := range sent {
		if strings.HasPrefix(n, name+".") && v[0] != "" {
			return true
		}
	}
	return false
}

// json is the request of a form. It includes the whole schedule, if the tool has one, as a page
// has room for it.
func (in *formField) json(sent url.Values, schedule bool) []byte {
	o := content.Object{}
	for _, name := range []string{inputsField, contractField} {
		if f := in.field(name); f != nil {
			if raw := f.value(name, sent); raw != nil {
				o = o.With(name, raw)
			}
		}
	}
	if o.Get(inputsField) == nil {
		o = o.With(inputsField, json.RawMessage("{}"))
	}
	if schedule {
		o = o.With(
			"options", json.RawMessage(`{"include_schedule":true,"schedule_limit":`+strconv.Itoa(calc.MaxRows)+`}`),
		)
	}
	return o.AppendJSON(nil)
}

// value is the JSON of what was sent for an input, nil if nothing was.
func (in *formField) value(name string, sent url.Values) json.RawMessage {
	switch in.kind {
	case page.Group:
		return in.group(name, sent)
	case page.Several:
		return in.list(name, sent)
	}
	v := strings.TrimSpace(sent.Get(name))
	switch {
	case v == "", in.kind == page.Choose && v == in.preset: // a row with nothing but presets is empty
		return nil
	case in.truth && (v == "true" || v == "false"):
		return json.RawMessage(v)
	case in.kind == page.Number:
		v = numberTyped(v, in.unit)
	case in.kind == page.Date:
		v = dateTyped(v)
	}
	return content.String(v)
}

func (in *formField) group(name string, sent url.Values) json.RawMessage {
	var o content.Object
	given := false
	for _, f := range in.fields {
		if in.excluded(f, name, sent) {
			continue
		}
		raw := f.value(name+"."+f.name, sent)
		given = given || raw != nil
		if raw == nil {
			raw = f.absent
		}
		if raw != nil {
			o = o.With(f.name, raw)
		}
	}
	if !given {
		return nil
	}
	return o.AppendJSON(nil)
}

func (in *formField) list(name string, sent url.Values) json.RawMessage {
	var all []json.RawMessage
	for _, i := range rowsOf(sent, name) {
		if raw := in.item.value(rowName(name, i), sent); raw != nil {
			all = append(all, raw)
		}
	}
	if all == nil {
		return nil
	}
	raw, err := json.Marshal(all)
	must(0, err)
	return raw
}
