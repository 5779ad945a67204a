package calc

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// A Record is an answer as somebody kept it, or as much of it as a calculation can be done
// again by: tool_id, tool_version, inputs_echo, receipt, and where there was any, comparison
// and external_data. What else it has is checked against the new answer.
type Record struct {
	ToolID, ToolVersion, Receipt string
	Sources                      []Source // id, version and checksum of what the answer rests on

	members map[string]any
}

// MaxRecord is how many bytes a record may have: the longest answers are a schedule.
const MaxRecord = 1 << 20

// What comes of a record.
const (
	RecordMatches = "matches"      // the calculation comes to this answer
	RecordOther   = "other_result" // it comes to another one
	RecordUnknown = "unknown"      // the tool, the version or what the answer rests on is not here
)

// ReadRecord reads a record. An error is an [*Error] that says which member is missing.
func ReadRecord(raw []byte) (Record, error) {
	if len(raw) > MaxRecord {
		return Record{}, &Error{Code: CodeBodyTooLarge, Detail: "Ответ расчёта больше 1 МиБ"}
	}
	var r Record
	var inputs map[string]any
	if !unmarshal(raw, &r.members) {
		return r, &Error{Code: CodeInvalidJSON, Detail: "Это не ответ расчёта: ожидается объект JSON"}
	}
	var fs faults
	needed(&fs, r.members, "tool_id", &r.ToolID)
	needed(&fs, r.members, "tool_version", &r.ToolVersion)
	needed(&fs, r.members, "receipt", &r.Receipt)
	needed(&fs, r.members, "inputs_echo", &inputs)
	if cited, ok := r.members["external_data"]; ok && !remarshal(cited, &r.Sources) {
		fs.add("/external_data", FaultType, "Ожидается список данных, на которых основан ответ", "Возьмите его из ответа расчёта")
	}
	return r, fs.err()
}

// needed reads a member that has to be there.
func needed(fs *faults, members map[string]any, name string, into any) {
	if v, ok := members[name]; !ok || v == nil || !remarshal(v, into) {
		fs.add(join("", name), FaultRequired, "Нет поля "+name+", или оно другого типа", "Возьмите его из ответа расчёта")
	}
}

// unmarshal reads one JSON value; numbers stay as they are written.
func unmarshal(raw []byte, into any) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return json.Valid(raw) && d.Decode(into) == nil
}

func remarshal(v, into any) bool {
	raw, err := json.Marshal(v)
	return err == nil && unmarshal(raw, into)
}

// Replay calculates again what a record is of, by facts that the caller knows to be those
// of then, and returns what comes of it ([RecordMatches] …) and the members that differ.
// Nothing is counted.
func (r *Registry) Replay(rec Record, facts Facts) (result string, differs []string) {
	t, ok := r.Version(rec.ToolID, rec.ToolVersion)
	if !ok {
		return RecordUnknown, nil
	}
	request, err := json.Marshal(rec.request())
	if err != nil {
		return RecordOther, []string{"inputs_echo"}
	}
	a, err := t.calculate(request, facts)
	if err != nil {
		return RecordOther, []string{"inputs_echo"} // for which nothing was ever answered
	}
	var again map[string]any
	unmarshal(a.JSON(), &again)
	for _, name := range slices.Sorted(maps.Keys(rec.members)) {
		if name != "warnings" && !reflect.DeepEqual(rec.members[name], again[name]) {
			differs = append(differs, name)
		}
	}
	if len(differs) > 0 {
		return RecordOther, differs
	}
	return RecordMatches, nil
}

// Version returns a version of a tool; not ok if this registry does not have it.
func (r *Registry) Version(id, version string) (*Tool, bool) {
	t, ok := r.byID[id]
	if !ok {
		return nil, false
	}
	i := slices.IndexFunc(t.Earlier, func(e *Tool) bool { return e.Version == version })
	switch {
	case t.Version == version:
		return t, true
	case i >= 0:
		return t.Earlier[i], true
	}
	return nil, false
}

// request is what was asked, as far as the answer depends on it.
func (r Record) request() map[string]any {
	contract, tolerance := r.compared()
	options := map[string]any{"include_trace": r.members["trace"] != nil}
	if schedule, ok := r.members["schedule"].(map[string]any); ok {
		rows, _ := schedule["rows"].([]any)
		options["include_schedule"] = true
		options["schedule_from"], options["schedule_limit"] = schedule["from"], max(1, len(rows))
	}
	return map[string]any{
		"inputs": r.members["inputs_echo"], "contract_values": contract, "tolerance": tolerance, "options": options,
	}
}

// compared is what the contract says and which differences count. A tolerance that is the
// one by default was given by nobody, or makes no difference.
func (r Record) compared() (contract, tolerance map[string]any) {
	contract, tolerance = map[string]any{}, map[string]any{}
	all, _ := r.members["comparison"].([]any)
	for _, one := range all {
		c, _ := one.(map[string]any)
		name, _ := c["name"].(string)
		contract[name] = c["contract"]
		given, _ := c["tolerance"].(map[string]any)
		for limit, value := range given {
			if value != presetTolerance(limit, c["type"]) {
				tolerance[limit] = value
			}
		}
	}
	return contract, tolerance
}

// presetTolerance is a tolerance of values of a type as an answer has it by default.
func presetTolerance(limit string, of any) any {
	word, _ := of.(string)
	k := kind(max(0, slices.Index(kindNames[:], word)))
	switch {
	case limit == "absolute":
		return tolerance{absolute: defaultAbsolute(k)}.printed(k)
	case limit == "relative" && k == intKind:
		return "0"
	}
	return nil
}
