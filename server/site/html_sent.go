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

// rowsOf are the numbers of the rows of a list that were sent, in order.
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

// dense copies what was sent for an input under another name, the rows of lists
// numbered without gaps: one row that is numbered 199 is no reason to show 200.
func (in *formField) dense(to url.Values, as string, sent url.Values, name string) {
	switch in.kind {
	case page.Group:
		for _, f := range in.fields {
			f.dense(to, as+"."+f.name, sent, name+"."+f.name)
		}
		for _, k := range in.forks {
			if v, ok := sent[k.name(name)]; ok {
				to[k.name(as)] = v
			}
		}
	case page.Several:
		for i, number := range rowsOf(sent, name) {
			if i > in.to { // one too many says that there are too many
				break
			}
			to.Set(rowName(as, i), "") // a row is a row, even with nothing in it
			in.item.dense(to, rowName(as, i), sent, rowName(name, number))
		}
	default:
		if v, ok := sent[name]; ok {
			to[as] = v
		}
	}
}

// received is what a form sent to a tool as the rest reads it: the fields that it
// has, and one more row of the list whose button was pressed.
func (in *formField) received(sent url.Values) url.Values {
	tidy := func(sent url.Values) url.Values {
		to := url.Values{}
		for _, name := range []string{inputsField, contractField} {
			if f := in.field(name); f != nil {
				f.dense(to, name, sent, name)
			}
		}
		return to
	}
	sent = unfolded(sent)
	received := tidy(sent)
	if row := sent.Get(removeRow); row != "" {
		maps.DeleteFunc(
			received, func(name string, _ []string) bool { return name == row || strings.HasPrefix(name, row+".") },
		)
		received = tidy(received)
		received.Set(page.ShowRow, row)
	}
	if list := sent.Get(addRow); list != "" {
		added := rowName(list, len(rowsOf(received, list)))
		received.Set(added, "")
		received = tidy(received) // there may be no such list
		received.Set(page.ShowRow, added)
	}
	if row := sent.Get(page.ShowRow); row != "" {
		received.Set(page.ShowRow, row)
	}
	return received
}

// anyBelow says whether anything below a name was sent.
func anyBelow(sent url.Values, name string) bool {
	for n, v := range sent {
		if strings.HasPrefix(n, name+".") && v[0] != "" {
			return true
		}
	}
	return false
}

// json is the request that a form asks for: with the whole schedule, if the tool
// has one, because a page has room for it.
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

// value is what was sent for an input as JSON, nil if nothing was.
func (in *formField) value(name string, sent url.Values) json.RawMessage {
	switch in.kind {
	case page.Group:
		return in.group(name, sent)
	case page.Several:
		return in.list(name, sent)
	}
	v := strings.TrimSpace(sent.Get(name))
	switch {
	case v == "", in.kind == page.Choose && v == in.preset: // a row of such is an empty row
		return nil
	case in.truth && (v == "true" || v == "false"):
		return json.RawMessage(v)
	case in.kind == page.Number:
		v = numberTyped(v)
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
