package calc

import "strings"

// Codes of [Error]: what is wrong with a request as a whole.
const (
	CodeUnknownTool      = "unknown_tool"
	CodeInvalidJSON      = "invalid_json"
	CodeBodyTooLarge     = "body_too_large"
	CodeValidationFailed = "validation_failed"
)

// Codes of a [Fault]: what is wrong with one field.
const (
	FaultRequired     = "required"
	FaultType         = "type"
	FaultPattern      = "pattern"
	FaultMin          = "min"
	FaultMax          = "max"
	FaultEnum         = "enum"
	FaultDateInvalid  = "date_invalid"
	FaultDateOrder    = "date_order"
	FaultUnknownField = "unknown_field"
	FaultTooManyItems = "too_many_items"
	FaultDuplicateID  = "duplicate_id"
	FaultInconsistent = "inconsistent"
	FaultDuplicateKey = "duplicate_key"
	FaultTooDeep      = "too_deep"
)

// An Error is a request that got no answer. Nothing else comes back from
// [Registry.Calculate] as an error.
type Error struct {
	Code   string  `json:"code"`
	Detail string  `json:"detail"` // in Russian
	Faults []Fault `json:"errors,omitempty"`
	Tool   string  `json:"-"` // that there is none of
}

func unknownTool(id string) error {
	return &Error{Code: CodeUnknownTool, Detail: "Такого инструмента нет: список инструментов даёт реестр", Tool: id}
}

// A Fault is one thing wrong with one field of a request.
type Fault struct {
	Pointer string `json:"pointer"` // RFC 6901, from the root of the request
	Code    string `json:"code"`
	Detail  string `json:"detail"`         // in Russian: what is wrong
	Hint    string `json:"hint,omitempty"` // in Russian: what to do about it
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Code + ": " + e.Detail)
	for _, f := range e.Faults {
		b.WriteString("; " + f.Pointer + ": " + f.Code + ": " + f.Detail)
	}
	return b.String()
}

// maxFaults is the maximum number of faults reported: enough to correct any honest request, too
// few to make a response of many megabytes.
const maxFaults = 100

// faults collects what is wrong with one request.
type faults []Fault

func (fs *faults) add(pointer, code, detail, hint string) {
	if len(*fs) < maxFaults {
		*fs = append(*fs, Fault{pointer, code, detail, hint})
	}
}

func (fs faults) err() error {
	if len(fs) == 0 {
		return nil
	}
	return &Error{
		Code: CodeValidationFailed, Detail: "Запрос не прошёл проверку: исправьте перечисленные поля", Faults: fs,
	}
}

// A Reason says why a well-formed request has no result. A tool returns it as
// its error; the answer then is calculation_not_available, not a failure.
type Reason string

const (
	PaymentDoesNotAmortize    Reason = "payment_does_not_amortize"
	AmountTooSmallForTerm     Reason = "amount_too_small_for_term"
	NoSolution                Reason = "no_solution"
	MultipleSolutionsPossible Reason = "multiple_solutions_possible"
	NotConverged              Reason = "not_converged"
	ResultOutOfRange          Reason = "result_out_of_range"
	ScheduleTooLong           Reason = "schedule_too_long"
	ZeroBase                  Reason = "zero_base"
	CalendarYearMissing       Reason = "calendar_year_missing"
	ParameterUnknown          Reason = "parameter_unknown"
	ParameterNotInForce       Reason = "parameter_not_in_force"
	ParameterUnfit            Reason = "parameter_unfit"
)

var reasons = []Reason{
	PaymentDoesNotAmortize, AmountTooSmallForTerm, NoSolution, MultipleSolutionsPossible,
	NotConverged, ResultOutOfRange, ScheduleTooLong, ZeroBase, CalendarYearMissing,
	ParameterUnknown, ParameterNotInForce, ParameterUnfit,
}

func (r Reason) Error() string { return string(r) }
