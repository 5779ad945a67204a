package calc

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
)

// slow is far beyond what anything accepted or refused may cost, in time of the processor.
const slow = time.Second

// effort is the time of the processor that the process has used, whatever else the machine does; 0 where
// the system does not tell. No test here runs beside another.
func effort() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

const loanStart = `{"inputs":{"annual_rate_pct":"12","term_months":12,"principal":`

// TestErrors: what is malformed gets a code and the pointer of the field.
func TestErrors(t *testing.T) {
	many := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	variant := func(id string) string {
		return `{"id":"` + id + `","principal":"1000","annual_rate_pct":"12","term_months":12}`
	}
	for name, tt := range map[string]struct {
		body string
		want string // code, or pointer and code of the faults
	}{
		"empty body":      {``, CodeInvalidJSON},
		"cut off":         {`{"inputs":{`, CodeInvalidJSON},
		"two documents":   {`{} {}`, CodeInvalidJSON},
		"not UTF-8":       {"{\"inputs\":\"\xff\"}", CodeInvalidJSON},
		"NaN":             {loanStart + `NaN}}`, CodeInvalidJSON},
		"Infinity":        {loanStart + `-Infinity}}`, CodeInvalidJSON},
		"leading zero":    {loanStart + `007}}`, CodeInvalidJSON},
		"byte order mark": {"\ufeff{}", CodeInvalidJSON},
		"oversize":        {`{"inputs":"` + strings.Repeat("x", 64<<10) + `"}`, CodeBodyTooLarge},
		"a list":          {`[]`, " type"},
		"null":            {`null`, " type"},
		"no inputs":       {`{}`, "/inputs required"},
		"inputs null":     {`{"inputs":null}`, "/inputs type"},
		"nothing in inputs": {`{"inputs":{}}`,
			"/inputs/principal required, /inputs/annual_rate_pct required, /inputs/term_months required"},
		"NaN as string":      {loanStart + `"NaN"}}`, "/inputs/principal pattern"},
		"exponent":           {loanStart + `1e6}}`, "/inputs/principal pattern"},
		"huge exponent":      {loanStart + `1e999999999}}`, "/inputs/principal pattern"},
		"exponent as string": {loanStart + `"1e999999999"}}`, "/inputs/principal pattern"},
		"many digits":        {loanStart + strings.Repeat("9", 60000) + `}}`, "/inputs/principal pattern"},
		"many decimals":      {loanStart + `1.` + strings.Repeat("0", 60000) + `}}`, "/inputs/principal pattern"},
		"three decimals":     {loanStart + `"1000.001"}}`, "/inputs/principal pattern"},
		"thirteen digits":    {loanStart + `"1000000000000"}}`, "/inputs/principal pattern"},
		"comma":              {loanStart + `"1000,50"}}`, "/inputs/principal pattern"},
		"spaces":             {loanStart + `" 1000"}}`, "/inputs/principal pattern"},
		"newline":            {loanStart + `"1000\n"}}`, "/inputs/principal pattern"},
		"other digits":       {loanStart + `"١٠٠٠"}}`, "/inputs/principal pattern"},
		"plus":               {loanStart + `"+1000"}}`, "/inputs/principal pattern"},
		"negative":           {loanStart + `-1000}}`, "/inputs/principal pattern"},
		"too little":         {loanStart + `"0.99"}}`, "/inputs/principal min"},
		"true":               {loanStart + `true}}`, "/inputs/principal type"},
		"null amount":        {loanStart + `null}}`, "/inputs/principal type"},
		"list for an amount": {loanStart + `["1000"]}}`, "/inputs/principal type"},
		"empty string":       {loanStart + `""}}`, "/inputs/principal pattern"},
		"rate too high": {`{"inputs":{"principal":"1000","annual_rate_pct":"1000.000001","term_months":12}}`,
			"/inputs/annual_rate_pct max"},
		"rate too fine": {`{"inputs":{"principal":"1000","annual_rate_pct":"1.0000001","term_months":12}}`,
			"/inputs/annual_rate_pct pattern"},
		"no term": {`{"inputs":{"principal":"1000","annual_rate_pct":"1","term_months":0}}`,
			"/inputs/term_months min"},
		"term too long": {`{"inputs":{"principal":"1000","annual_rate_pct":"1","term_months":601}}`,
			"/inputs/term_months max"},
		"term of 32 bits": {`{"inputs":{"principal":"1000","annual_rate_pct":"1","term_months":4294967297}}`,
			"/inputs/term_months pattern"},
		"term of 64 bits": {`{"inputs":{"principal":"1000","annual_rate_pct":"1","term_months":18446744073709551617}}`,
			"/inputs/term_months pattern"},
		"half a month": {`{"inputs":{"principal":"1000","annual_rate_pct":"1","term_months":1.5}}`,
			"/inputs/term_months pattern"},
		"another word": {loanStart + `"1000","payment_type":"bullet"}}`, "/inputs/payment_type enum"},
		"a typo":       {loanStart + `"1000","ballon_amount":"5"}}`, "/inputs/ballon_amount unknown_field"},
		"another case": {loanStart + `"1000","Balloon_amount":"5"}}`, "/inputs/Balloon_amount unknown_field"},
		"odd name":     {loanStart + `"1000","a/b~c":"5"}}`, "/inputs/a~1b~0c unknown_field"},
		"unknown part": {`{"inputs":{"principal":"1000","annual_rate_pct":"1","term_months":1},"input":{}}`,
			"/input unknown_field"},
		"unknown option": {loanStart + `"1000"},"options":{"trace":true}}`, "/options/trace unknown_field"},
		"option type": {loanStart + `"1000"},"options":{"include_trace":"yes"}}`,
			"/options/include_trace type"},
		"page too long": {loanStart + `"1000"},"options":{"schedule_limit":1201}}`,
			"/options/schedule_limit max"},
		"unknown contract": {loanStart + `"1000"},"contract_values":{"paiment":"1"}}`,
			"/contract_values/paiment unknown_field"},
		"contract exponent": {loanStart + `"1000"},"contract_values":{"payment":1e2}}`,
			"/contract_values/payment pattern"},
		"tolerance": {loanStart + `"1000"},"tolerance":{"absolute":"-1","relative":"2","days":36601}}`,
			"/tolerance/absolute pattern, /tolerance/relative max, /tolerance/days max"},
		"balloon too large": {loanStart + `"1000","balloon_amount":"1000"}}`, "/inputs/balloon_amount inconsistent"},
		"balloon and parts": {loanStart + `"1000","balloon_amount":"1","payment_type":"differentiated"}}`,
			"/inputs/balloon_amount inconsistent"},
		"twice":             {loanStart + `"1000","principal":"2000"}}`, "/inputs/principal duplicate_key"},
		"twice in disguise": {loanStart + `"1000","princip\u0061l":"2000"}}`, "/inputs/principal duplicate_key"},
		"deep":              {strings.Repeat(`[`, 30000) + strings.Repeat(`]`, 30000), " too_deep"},
		"rather deep": {strings.Repeat(`[`, 3000) + strings.Repeat(`]`, 3000),
			strings.Repeat("/0", 16) + " too_deep"},
		"deep objects": {`{"inputs":` + strings.Repeat(`{"a":`, 8000) + `1` + strings.Repeat(`}`, 8001),
			"/inputs" + strings.Repeat("/a", 15) + " too_deep"},
		"several": {`{"inputs":{"principal":"x","annual_rate_pct":[],"x":1}}`,
			"/inputs/principal pattern, /inputs/annual_rate_pct type, /inputs/x unknown_field, /inputs/term_months " +
				"required"},
		"compare: too few": {`{"inputs":{"variants":[` + variant("a") + `]}}`, "/inputs/variants min"},
		"compare: too many": {`{"inputs":{"variants":[` + many(11, variant("a")) + `]}}`,
			"/inputs/variants too_many_items"},
		"compare: same id": {`{"inputs":{"variants":[` + many(2, variant("a")) + `]}}`,
			"/inputs/variants/1/id duplicate_id"},
		"compare: odd id": {`{"inputs":{"variants":[` + variant("a") + `,` + variant("б.1") + `]}}`,
			"/inputs/variants/1/id pattern"},
		"compare: no base": {`{"inputs":{"baseline_id":"c","variants":[` + variant("a") + `,` + variant("b") + `]}}`,
			"/inputs/baseline_id inconsistent"},
		"compare: no objects": {`{"inputs":{"variants":[1,null]}}`, "/inputs/variants/0 type, /inputs/variants/1 type"},
		"compare: item": {`{"inputs":{"variants":[` + variant("a") +
			`,{"id":"b","principal":"1","annual_rate_pct":"12","term_months":12,"balloon_amount":"1"}]}}`,
			"/inputs/variants/1/balloon_amount inconsistent"},
	} {
		t.Run(name, func(t *testing.T) {
			tool, _ := registry.Tool("loan_payment")
			if strings.HasPrefix(name, "compare") {
				tool = registry.byID[CompareLoansID]
			}
			checkError(t, tool, tt.body, tt.want)
		})
	}
}

// checkError expects a code, or pointers and codes in order.
func checkError(t *testing.T, tool *Tool, body, want string) {
	t.Helper()
	before := effort()
	_, err := tool.Calculate([]byte(body), Facts{})
	if took := effort() - before; took > slow {
		t.Errorf("took %v", took)
	}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("no *Error but %v", err)
	}
	got := e.Code
	if e.Code == CodeValidationFailed {
		var faults []string
		for _, f := range e.Faults {
			faults = append(faults, f.Pointer+" "+f.Code)
			if !strings.ContainsFunc(f.Detail, cyrillic) || !strings.ContainsFunc(f.Hint, cyrillic) {
				t.Errorf("%s: detail %q or hint %q is not in Russian", f.Pointer, f.Detail, f.Hint)
			}
		}
		got = strings.Join(faults, ", ")
	}
	if got != want {
		t.Errorf("got  %s\nwant %s\n%v", got, want, err)
	}
	if len(e.Error()) > 10_000 {
		t.Errorf("the message has %d bytes", len(e.Error()))
	}
}

func cyrillic(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }

func TestUnknownTool(t *testing.T) {
	_, err := registry.Calculate("no_such_tool", []byte(`{}`), Facts{})
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeUnknownTool {
		t.Errorf("got %v", err)
	}
}

func TestManyFaults(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		b.WriteString(`,"x` + Count(i).String() + `":0`)
	}
	_, err := registry.Calculate("loan_payment", []byte(loanStart+`"1000"`+b.String()+`}}`), Facts{})
	if e, ok := errors.AsType[*Error](err); !ok || len(e.Faults) != maxFaults {
		t.Errorf("got %v", err)
	}
}

// everyKind declares a field of every kind that loans do not have.
var everyKind = func() *Tool {
	t := &Tool{
		ID: "test_every_kind",
		Inputs: []Field{
			date("start_date", "Начало"), date("end_date", "Конец"),
			boolean("confirmed", "Подтверждено").Default("false"),
			text("code", "Код", `^[a-z]{1,8}$`).Optional(),
			coef("factor", "Коэффициент").Default("1"),
			smoney("movement", "Движение").Optional(),
			listOf(money("costs", "Расходы"), 0, 3).Optional(),
			money("up_to", "Предел").Nullable().Optional(),
			object("extension", "Продление", integer("working_days", "Дней", "days", 1, 100),
				boolean("notified", "Уведомлён")).Optional(),
			enum("rule", "Правило", "fixed", "statement"),
			days("grace_days", "Дней"), days("payment_days", "Дней").Default("20"),
			integer("statement_day", "День", "days", 1, 31),
			moneyPlus("payment", "Платёж"), moneyPlus("income", "Доход"), pct100("share_pct", "Доля"),
			money("existing", "Уже платится").Default("0"),
		},
		Choices: []Choice{
			{{By: "rule", Is: "fixed", Needs: names("grace_days")},
				{By: "rule", Is: "statement", Needs: names("statement_day"), May: names("payment_days")}},
			{{Needs: names("payment")}, {Needs: names("income", "share_pct"), May: names("existing")}},
		},
		Outputs: []Field{money("result", "Результат"), date("end", "Конец")},
		Check:   func(in In) { in.Order("start_date", "end_date") },
		Compute: func(in In, out *Out) error {
			out.Set("end", in.Date("end_date"))
			if in.Object("extension").Bool("notified") {
				return CalendarYearMissing
			}
			return nil
		},
	}
	t.compile(t)
	return t
}()

const everyStart = `{"inputs":{"start_date":"2024-02-28","end_date":"2024-02-29",`

func TestFieldErrors(t *testing.T) {
	for name, tt := range map[string]struct{ body, want string }{
		"no such day":    {`{"inputs":{"start_date":"2023-02-29","end_date":"2024-13-01","rule":"fixed","grace_days":1,"payment":"1"}}`, "/inputs/start_date date_invalid, /inputs/end_date date_invalid"},
		"out of range":   {`{"inputs":{"start_date":"1999-12-31","end_date":"2100-01-01","rule":"fixed","grace_days":1,"payment":"1"}}`, "/inputs/start_date date_invalid, /inputs/end_date date_invalid"},
		"form of date":   {`{"inputs":{"start_date":"28.02.2024","end_date":"2024-2-9","rule":"fixed","grace_days":1,"payment":"1"}}`, "/inputs/start_date pattern, /inputs/end_date pattern"},
		"date as number": {`{"inputs":{"start_date":20240228,"end_date":"2024-02-29T00:00:00Z","rule":"fixed","grace_days":1,"payment":"1"}}`, "/inputs/start_date type, /inputs/end_date pattern"},
		"same dates":     {`{"inputs":{"start_date":"2024-02-29","end_date":"2024-02-29","rule":"fixed","grace_days":1,"payment":"1"}}`, "/inputs/end_date date_order"},
		"reversed dates": {`{"inputs":{"start_date":"2024-03-01","end_date":"2024-02-29","rule":"fixed","grace_days":1,"payment":"1"}}`, "/inputs/end_date date_order"},
		"no group":       {everyStart + `"rule":"fixed","grace_days":1}}`, "/inputs required"},
		"both groups": {everyStart + `"rule":"fixed","grace_days":1,"payment":"1","income":"1","share_pct":"50"}}`,
			"/inputs/payment inconsistent"},
		"half a group": {everyStart + `"rule":"fixed","grace_days":1,"income":"1"}}`, "/inputs/share_pct required"},
		"stranger": {everyStart + `"rule":"fixed","grace_days":1,"payment":"1","existing":"1"}}`,
			"/inputs/existing inconsistent"},
		"other variant": {everyStart + `"rule":"fixed","grace_days":1,"statement_day":5,"payment":"1"}}`,
			"/inputs/statement_day inconsistent"},
		"variant lacks": {everyStart + `"rule":"statement","payment":"1"}}`, "/inputs/statement_day required"},
		"text": {everyStart + `"rule":"fixed","grace_days":1,"payment":"1","code":"A b"}}`,
			"/inputs/code pattern"},
		"boolean": {everyStart + `"rule":"fixed","grace_days":1,"payment":"1","confirmed":1}}`,
			"/inputs/confirmed type"},
		"coefficient": {everyStart + `"rule":"fixed","grace_days":1,"payment":"1","factor":"0.00001"}}`,
			"/inputs/factor min"},
		"signed": {everyStart + `"rule":"fixed","grace_days":1,"payment":"1","movement":"--1"}}`,
			"/inputs/movement pattern"},
		"list item": {everyStart + `"rule":"fixed","grace_days":1,"payment":"1","costs":["1",null]}}`,
			"/inputs/costs/1 type"},
		"list too long": {everyStart + `"rule":"fixed","grace_days":1,"payment":"1","costs":[1,1,1,1]}}`,
			"/inputs/costs too_many_items"},
		"parameter for a list": {everyStart + `"rule":"fixed","grace_days":1,"payment":"1",` +
			`"costs":{"parameter_id":"a","on":"2026-05-01"}}}`, "/inputs/costs type"},
		"object lacks": {everyStart + `"rule":"fixed","grace_days":1,"payment":"1","extension":{"notified":true}}}`,
			"/inputs/extension/working_days required"},
		"object as string": {everyStart + `"rule":"fixed","grace_days":1,"payment":"1","extension":"x"}}`,
			"/inputs/extension type"},
		"zero": {everyStart + `"rule":"fixed","grace_days":1,"payment":"0.00"}}`, "/inputs/payment min"},
	} {
		t.Run(name, func(t *testing.T) { checkError(t, everyKind, tt.body, tt.want) })
	}
}

// TestFields: what is well formed is echoed in its normal form, and the schema
// agrees.
func TestFields(t *testing.T) {
	input := compiled(t, everyKind.InputSchema())
	for body, want := range map[string]string{
		everyStart + `"rule":"fixed","grace_days":"1","payment":1}}`: `{"start_date":"2024-02-28","end_date":"2024-02-29","confirmed":false,"factor":"1","rule":"fixed","grace_days":1,"payment":"1.00"}`,
		everyStart + `"rule":"statement","statement_day":5,"income":"10","share_pct":"50.0",` +
			`"up_to":null,"movement":"-0.5","costs":["1",2.5],"extension":{"working_days":3,"notified":false}}}`: `{"start_date":"2024-02-28","end_date":"2024-02-29","confirmed":false,"factor":"1","movement":"-0.50","costs":["1.00","2.50"],"up_to":null,"extension":{"working_days":3,"notified":false},"rule":"statement","payment_days":20,"statement_day":5,"income":"10.00","share_pct":"50","existing":"0.00"}`,
	} {
		if err := input.Validate(any(decoded(t, []byte(body)))); err != nil {
			t.Errorf("%s does not fit the schema: %v", body, err)
		}
		a, err := everyKind.Calculate([]byte(body), Facts{})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(a.in.appendJSON(nil, nil)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	for _, body := range []string{
		everyStart + `"rule":"fixed","grace_days":1}}`,
		everyStart + `"rule":"fixed","grace_days":1,"payment":"1","existing":"1"}}`,
		everyStart + `"rule":"fixed","grace_days":1,"statement_day":5,"payment":"1"}}`,
		everyStart + `"rule":"statement","payment":"1"}}`,
	} {
		if input.Validate(any(decoded(t, []byte(body)))) == nil {
			t.Errorf("the schema accepts %s", body)
		}
	}
}

// TestNotAvailable: what is well formed and impossible is an answer.
func TestNotAvailable(t *testing.T) {
	body := everyStart + `"rule":"fixed","grace_days":1,"payment":"1","extension":{"working_days":3,"notified":true}},
		"contract_values":{"result":"5","end":"2024-03-02"},"options":{"include_schedule":true,"include_trace":false}}`
	a := answer(t, everyKind, body)
	if a["status"] != CalculationNotAvailable || a["reason"] != "calendar_year_missing" ||
		output(a, "end") != "2024-02-29" {
		t.Errorf("got %v", a)
	}
	if a["trace"] != nil || a["schedule"] != nil {
		t.Errorf("got a trace or a schedule: %v", a)
	}
	first, second := a["comparison"].([]any)[0].(map[string]any), a["comparison"].([]any)[1].(map[string]any)
	if first["status"] != ContractValueOnly || second["status"] != DeviationDetected ||
		printed(second["deviation"].(map[string]any)["absolute"]) != "2" {
		t.Errorf("got %v", a["comparison"])
	}
}
