package calc

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// A Record is a stored answer, or the part of it needed to calculate again: tool_id,
// tool_version, inputs_echo, receipt and, if the answer has them, comparison and
// external_data. Other members are compared with the new answer.
type StoredAnswer struct {
	ToolID, ToolVersion, Receipt string
	Sources                      []Source // external_data: id, version and checksum

	members map[string]any
}

// MaxRecord is the largest size of a record in bytes: enough for the longest schedule.
const MaxRecord = 1 << 20

// Results of [Registry.Replay].
const (
	RecordMatches = "matches"      // the calculation gives the same answer
	RecordOther   = "other_result" // the calculation gives another answer
	RecordUnknown = "unknown"      // the tool, its version or the external data are not available
)

// ReadRecord parses a record. An error is an [*Error] that names the missing members.
func ReadRecord(raw []byte) (StoredAnswer, error) {
	if len(raw) > MaxRecord {
		return StoredAnswer{}, &Error{Code: CodeBodyTooLarge, Detail: "Ответ расчёта больше 1 МиБ"}
	}
	var r StoredAnswer
	var inputs map[string]any
	if !unmarshal(raw, &r.members) {
		return r, &Error{Code: CodeInvalidJSON, Detail: "Это не ответ расчёта: ожидается объект JSON"}
	}
	var fs faults
	requireMember(&fs, r.members, "tool_id", &r.ToolID)
	requireMember(&fs, r.members, "tool_version", &r.ToolVersion)
	requireMember(&fs, r.members, "receipt", &r.Receipt)
	requireMember(&fs, r.members, "inputs_echo", &inputs)
	if cited, ok := r.members["external_data"]; ok && !remarshal(cited, &r.Sources) {
		fs.add(
			"/external_data", FaultType, "Ожидается список данных, на которых основан ответ",
			"Возьмите его из ответа расчёта",
		)
	}
	return r, fs.err()
}

// requireMember reads a required member.
func requireMember(fs *faults, members map[string]any, name string, into any) {
	if v, ok := members[name]; !ok || v == nil || !remarshal(v, into) {
		fs.add(
			join("", name), FaultRequired, "Нет поля "+name+", или оно другого типа", "Возьмите его из ответа расчёта",
		)
	}
}

// unmarshal parses one JSON value, and reports whether it is valid. Numbers stay literals.
func unmarshal(raw []byte, into any) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return json.Valid(raw) && d.Decode(into) == nil
}

func remarshal(v, into any) bool {
	raw, err := json.Marshal(v)
	return err == nil && unmarshal(raw, into)
}

// Replay repeats the calculation of a record and returns the result ([RecordMatches] …)
// and the members that differ. The facts must be those of the time of the record. The call
// is not counted.
func (r *Registry) Replay(rec StoredAnswer, facts Facts) (result string, differs []string) {
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
		return RecordOther, []string{"inputs_echo"} // inputs that the tool rejects cannot have had an answer
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

// request reconstructs the request, as far as the answer depends on it.
func (r StoredAnswer) request() map[string]any {
	contract, tolerance := r.contractInputs()
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

// contractInputs reconstructs the contract's values and the tolerances of the request.
// Default tolerances are left out.
func (r StoredAnswer) contractInputs() (contract, tolerance map[string]any) {
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

// presetTolerance is the default of a tolerance for values of a type, as an answer has it.
func presetTolerance(limit string, typ any) any {
	name, _ := typ.(string)
	k := kind(max(0, slices.Index(kindNames[:], name)))
	switch {
	case limit == "absolute":
		return tolerance{absolute: defaultAbsolute(k)}.printed(k)
	case limit == "relative" && k == intKind:
		return "0"
	}
	return nil
}
