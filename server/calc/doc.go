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
// # Tools
//
// Microseconds on one core from JSON to JSON, and objects allocated: of the first
// example, and of the most expensive request that a search finds (worst_test.go). go test
// -run TestToolTable -measure measures again.
//
//	tool                             version  release   example  objects  dearest  objects
//	loan_payment                     1.1.0    1.3          21.7      429    241.2     8682
//	mortgage_annuity_payment         1.0.0    1.5          21.9      486    227.0     8744
//	mortgage_differentiated_payment  1.0.0    1.5          14.5      336    295.9     8568
//	mortgage_schedule                1.1.0    1.5          31.7      827    347.6    11093
//	mortgage_early_repayment         1.0.0    1.5          24.2      545     68.9      661
//	mortgage_outstanding_balance     1.0.0    1.5          21.1      364     36.2      426
//	mortgage_max_principal           1.0.0    1.5          20.2      384     42.1      454
//	mortgage_loan_to_value           1.0.0    1.5          11.5      317     14.3      359
//	mortgage_phased_payment          1.0.0    1.5          26.2      473    156.9     5332
//	mortgage_total_cost              1.0.0    1.5          21.3      468    165.8     3536
//	deposit_simple_interest          1.0.0    1.5          10.2      201     13.9      265
//	deposit_capitalized_interest     1.0.0    1.5          40.7      860    109.7     3264
//	deposit_effective_rate           1.0.0    1.5           7.7      186     16.2      412
//	deposit_cashflow_balance         1.0.0    1.5          29.6      723   1757.0    42165
//	deposit_daily_balance_interest   1.0.0    1.5          17.5      376     20.9      432
//	deposit_early_withdrawal         1.0.0    1.5          12.5      269     16.0      321
//	deposit_interest_tax             1.1.0    1.5          10.9      284     13.2      330
//	deposit_insurance_coverage       1.0.0    1.5          13.6      332    108.1     2475
//	card_grace_period_end            1.0.0    1.5          11.0      238     14.7      318
//	card_minimum_payment             1.0.0    1.5          10.3      225     13.8      289
//	card_interest_accrued            1.0.0    1.5          18.3      360    954.0    20170
//	card_payoff_fixed_payment        1.0.0    1.5           8.7      237     21.7      738
//	card_payoff_minimum_payment      1.0.0    1.5          11.2      275    189.8     8041
//	card_required_payment            1.0.0    1.5          10.5      276    237.1     8558
//	card_cash_withdrawal_cost        1.0.0    1.5          14.9      380     16.6      461
//	card_overdue_penalty             1.0.0    1.5          10.7      299     14.8      399
//	kasko_premium                    1.0.0    1.5          14.8      450     17.7      518
//	kasko_premium_installments       1.0.0    1.5          10.2      283     12.0      329
//	kasko_deductible_payout          1.0.0    1.5           8.7      218     11.4      277
//	kasko_proportional_payout        1.0.0    1.5           8.9      251     12.4      320
//	kasko_total_loss_payout          1.1.0    1.5           9.1      207     11.3      266
//	kasko_premium_refund             1.0.0    1.5           9.1      224     11.5      280
//	kasko_deductible_break_even      1.0.0    1.5           7.8      201      9.3      241
//	pfm_cash_flow                    1.0.0    1.6          21.2      617   1908.7    39895
//	pfm_emergency_fund               1.0.0    1.6           9.8      260     13.1      335
//	pfm_net_worth                    1.0.0    1.6          13.7      371   1049.5    24370
//	pfm_goal_contribution            1.0.0    1.6          16.6      439    158.5      792
//	pfm_goal_projection              1.0.0    1.6          12.0      321     14.9      384
//	pfm_goal_allocation              1.0.0    1.6          16.5      422    184.3     4287
//	pfm_debt_payoff_plan             1.0.0    1.6          16.6      411    762.5    16403
//	pfm_liquidity_ratio              1.0.0    1.6          11.6      319     14.2      378
//	pfm_horizon_risk_check           1.0.0    1.6          11.9      298   1450.8    31122
//	consumer_rights_deadline_date    2.1.0    1.7          21.6      489    208.8     4586
//	invest_reliable_return           1.0.0    1.8          13.0      336   8483.4    30710
//	invest_fee_impact                1.0.0    1.8          29.6      698    162.6     3460
//	invest_break_even_yield          1.0.0    1.8          29.3      650     36.1      722
//	loan_refinancing                 1.0.0    1.8          21.5      372    192.5     7119
//	loan_payment_to_income           1.0.0    1.8           9.3      247    114.6     3287
//	deposit_comparison               1.0.0    1.8          74.4     1573    945.0    18883
//	portfolio_concentration          1.0.0    1.8          17.6      557   2045.7    42250
//	money_use_interest               1.0.0    1.8          29.2      667    400.0     2056
//	installment_true_cost            1.0.0    1.8         125.3     1922    765.9     7617
//	compare_loan_variants            1.0.0    1.3          20.3      511     94.9     2301
package calc
