// Package calc is the calculation engine: a registry of tools that take JSON and
// give JSON, exact to the kopeck, the same bytes on every machine. It looks
// nothing up: no rates, no limits, no clock. What it needs is in the request, but
// for the calendar of business days, which the caller hands in.
//
// # How to add a tool
//
// A family has a file: its tools, each a [Tool] value, and a function that lists
// them, which families in registry.go calls. loan.go is the model. A tool is
//
//   - what it is called: ID, Version, Release, Family, Title, Description,
//     Formula. Texts for people are in Russian. No product or legal conclusions;
//   - Inputs, made with money, moneyPlus, smoney, pct, pct100, coef, months, days,
//     integer, date, dayCount, ident, text, enum, boolean, object, list and
//     listOf, refined with Min, Max, Places, Optional, Nullable, Default, Unique
//     and Choose. A field is required unless it is Optional or has a Default;
//   - Choices where a request gives one of several groups of fields, see
//     [Choice]; fields named there need no Optional;
//   - Outputs, made with money, smoney, percent, ratio, count, date, word, enum,
//     boolean, object, list, listOf and mapOf. Numbers are rounded when printed,
//     to the decimals declared. An output that is not set is in not_computed;
//   - Schedule, the columns of rows given with [Out.Row], and Members, what only
//     this tool's answers have (stop, handoff, unconfirmed …), given with
//     [Out.Member];
//   - Examples, which the tests run;
//   - Check, which sees valid inputs and reports with [In.Fail] or [In.Order] what
//     does not go together;
//   - Compute, which reads [In], writes [Out] and returns a [Reason] if there is
//     no result. Outputs set before that are kept.
//
// Decoder, validator, both schemas, the echo, the hash and the comparison with
// the contract come from the declaration. After a change run
//
//	go test ./server/calc -update
//
// which writes the schemas to testdata/schemas, and read the difference.
//
// # Numbers
//
//   - [Money] is whole kopecks; [Pct] is in units of 10^-8 percent. There is no
//     binary floating point in this package, and a test says so.
//   - Round only a posting: a payment, the interest of a period, a fee. Multiply
//     first, divide once: monthInterest, interest, percentOf and share do both
//     without an intermediate, half up away from zero.
//   - What has an exact value stays an [Exact] until it is rounded: annuities,
//     compound growth over whole periods, products of coefficients. Round, Down,
//     Up and RoundRouble end it. It is never reduced, so it is for tens of
//     operations; longer sums are whole numbers over a common denominator.
//   - [Dec], a decimal of 50 digits rounded half to even, is for fractional
//     powers, roots and search.
//   - The arithmetic stops a calculation by panicking with a [Reason]
//     (result_out_of_range, zero_base), so that formulas read as formulas. It goes
//     no further than [Tool.Calculate].
//
// # Dates
//
// A [Date] is a day without a zone. Due date k is start.AddMonths(k). An accrual
// interval is (from, to]; yearFraction gives its part of a year exactly.
//
// # Blocks
//
// annuity, amortize, payDown and differentiated make plans of repayment whose
// principal parts add up to the kopeck (amortize.go). [Out.BusinessDay] asks the
// calendar and cites it.
//
// # Requests and errors
//
// A body has at most 64 KiB and 16 levels, no key twice and no unknown field. The
// literal of a number is checked before anything is made of it; numbers may come
// as strings, which is exact everywhere, or as JSON numbers without an exponent.
// What is malformed is an [*Error] with a [Fault] for each field; what is well
// formed and impossible is an answer with a [Reason].
package calc
