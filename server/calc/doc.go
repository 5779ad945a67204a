// Package calc is the calculation engine: a registry of tools that take JSON and
// return JSON, exact to the kopeck, the same bytes on every machine. It uses no
// external data: no rates, no limits, no clock. All inputs are in the request, except
// for the calendar of business days and the parameters set by law and authorities,
// which the caller passes as [Facts].
//
// # How to add a tool
//
// A tool is a [Tool] value in the file of its family, and listed by families in
// registry.go, with its family and release. loan.go is an example. A tool has
//
//   - an ID; Version and Formula unless they are the first;
//   - a title, what it is about and examples in tools.json, under its id and version; the tests run the
//     examples. Texts for people are in Russian. No product or legal conclusions;
//   - Inputs, made with money, moneyPlus, smoney, pct, pct100, coef, months, days,
//     integer, date, dayCount, ident, text, enum, boolean, object, list and
//     listOf, refined with Min, Max, Places, Optional, Nullable, Default, Unique
//     and Choose. A field is required unless it is Optional or has a Default;
//   - Choices, if a request has exactly one of several groups of fields, see
//     [Choice]; fields named there need no Optional;
//   - Outputs, made with money, smoney, percent, ratio, count, date, word, enum,
//     boolean, object, list, listOf and mapOf. Numbers are rounded when printed,
//     to the declared decimals. An output that is not set is in not_computed;
//   - Schedule, the columns of rows written with [Out.Row], and Members, fields that
//     only this tool's answers have (stop, handoff, unconfirmed …), written with
//     [Out.Member];
//   - Earlier, the versions whose results callers still need. When results or inputs
//     change so that a request would get another answer, the old declaration is kept
//     unchanged, in a file of its own, and the new one names it: consumer_rights_1.go. Fields
//     that both have are made by a function, which no later version may change.
//     A request selects a version by tool_version; the default is the newest;
//   - warnings in words.yaml, which [Out.Warn] names;
//   - Check, which gets valid inputs and reports inconsistent ones with [In.Fail], [In.FailIf]
//     or [In.Order];
//   - Compute, which reads [In], writes [Out] and returns a [Reason] if there is
//     no result. Outputs set before that are kept. [Out.Derive] sets an output and adds the
//     step that leads to it; [Out.Set] and [Out.Step] do one of these.
//
// Decoder, validator, both schemas, the echo, the hash and the comparison with
// the contract are derived from the declaration. After a change run
//
//	go test ./server/calc -update
//
// which writes the schemas to testdata/schemas, and review the difference.
//
// # How to use it
//
// [New] makes the [Registry]; [Registry.All] lists the tools. A [Tool]
// describes itself ([Tool.InputSchema], [Tool.OutputSchema], [Tool.Markdown]) and
// answers with [Tool.Calculate]. An [Answer] is JSON for programs, the same bytes
// for every caller, and Markdown for people, with tables that are readable in a terminal.
//
// # Receipts
//
// An answer ends with a receipt, which binds the result to the inputs: the SHA-256 of the
// canonical JSON (RFC 8785) of the answer without [Uncovered], which anybody can compute with
//
//	jq -jcS 'del(.receipt,.schedule,.trace,.warnings)' answer.json | sha256sum
//
// It does not depend on which parts of the schedule and the steps were requested.
//
// # Numbers
//
//   - [Money] is whole kopecks; [Pct] is in units of 10^-8 percent. This package uses no
//     binary floating point; a test enforces it.
//   - Round only a posting: a payment, the interest of a period, a fee. Multiply
//     first, divide once: monthInterest, interest, percentOf and share do both
//     without an intermediate, half up away from zero.
//   - A rational value stays an [Exact] until it is rounded: annuities,
//     compound growth over whole periods, products of coefficients. Round, Down,
//     Up and RoundRouble convert it. Fractions are never reduced, so it is for tens of
//     operations; longer sums are integers over a common denominator.
//   - [Dec], a decimal of 50 digits rounded half to even, is for fractional
//     powers, roots and search.
//   - The arithmetic stops a calculation by panicking with a [Reason]
//     (result_out_of_range, zero_base), so that formulas read as formulas.
//     [Tool.Calculate] recovers from it.
//
// # Dates
//
// A [Date] is a day without a zone. Due date k is start.AddMonths(k). An accrual
// interval is (from, to]; yearFraction gives its part of a year exactly.
//
// # Building blocks
//
// annuity, amortize, payDown and differentiated make repayment schedules whose
// principal parts add up to the kopeck (amortize.go). [Out.BusinessDay] uses the
// calendar and cites it, [Out.Parameter] uses a parameter and cites its id, version,
// checksum, value and period.
//
// # Parameters in place of numbers
//
// Instead of a number in a unit of published parameters, a request may name a
// parameter: {"parameter_id": "tax.income-rate", "on": "2025-12-31"}. Its
// value on that day is used as the input, is part of the echo and of the hash, and
// is cited in external_data with its version, checksum, period and the pointer of the
// input. Inputs in roubles accept parameters in roubles, percentages percent, months also years,
// days calendar days, business_days business days, and numbers of things counts. If there is no
// such parameter, no value on the day, or the unit is another one, the answer is
// calculation_not_available with the reason.
//
// # Requests and errors
//
// A body has at most 64 KiB and 16 levels, no duplicate key and no unknown field. The
// literal of a number is validated before it is converted; numbers may be
// strings, which are exact everywhere, or JSON numbers without an exponent.
// [Tool.CalculateSpelt] also takes what models write: JSON in the text of a string, and null or an empty text for
// what is left out.
// A malformed request gives an [*Error] with a [Fault] for each field; a well-formed
// request without a result gives an answer with a [Reason].
//
// BenchmarkTools says what the first example of each tool costs, BenchmarkWorst what the most expensive request
// does that a search finds (worst_test.go).
package calc
