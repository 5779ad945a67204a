package calc

import (
	"math/big"
)

var depositInterestTax = &Tool{
	ID:      "deposit_interest_tax",
	Version: "1.1.0",
	Earlier: []*Tool{depositInterestTax1},
	Inputs: []Field{
		money("interest_total", "Проценты за год по всем вкладам"),
		money("non_taxable_amount", "Необлагаемая сумма"),
		money("base_amount", "Сумма, с которой считается необлагаемый доход"),
		pct100("max_key_rate_pct", "Ключевая ставка для необлагаемого дохода, процентов"),
		object("key_rate", "Ряд ключевой ставки: наибольшая из действовавших на первые числа месяцев года",
			parameterID("parameter_id", "Параметр с рядом ставки", "percent"),
			integer("year", "Календарный год", "", 2000, 2099),
			integer("through_month", "По какой месяц; 12 — год целиком", "", 1, 12).Default("12"),
		),
		list("brackets", "Ступени налога по возрастанию; у последней нет верхней границы", 1, 5,
			moneyPlus("up_to", "Верхняя граница базы; у последней её нет").Nullable().Optional(),
			pct100("rate_pct", "Ставка налога, процентов"),
		),
	},
	Choices: []Choice{{
		{Needs: names("non_taxable_amount")},
		{Needs: names("base_amount", "max_key_rate_pct")},
		{Needs: names("base_amount", "key_rate")},
	}},
	Outputs: append([]Field{
		percent("max_key_rate_pct", "Наибольшая ключевая ставка на первые числа месяцев", 2),
		date("max_key_rate_on", "Первое число, на которое она действовала впервые"),
	}, taxOutputs...),
	Check:   checkBrackets,
	Compute: computeInterestTax,
}

var taxOutputs = []Field{
	money("non_taxable_amount", "Необлагаемая сумма"),
	money("tax_base", "Налоговая база"),
	money("tax", "Налог, целых рублей"),
	smoney("net_interest", "Проценты после налога"),
}

func checkBrackets(in In) {
	brackets := in.List("brackets")
	before := Money(0)
	for i, b := range brackets {
		last := i == len(brackets)-1
		switch {
		case last && b.Has("up_to"):
			b.Fail("up_to", FaultInconsistent,
				"У последней ступени есть верхняя граница: выше неё ставка неизвестна",
				"Передайте в последней ступени null")
		case !last && !b.Has("up_to"):
			b.Fail("up_to", FaultInconsistent,
				"Ступень без верхней границы не последняя", "Укажите границу или переставьте ступень в конец")
		case !last && b.Money("up_to") <= before:
			b.Fail("up_to", FaultInconsistent,
				"Границы ступеней не возрастают", "Перечислите ступени по возрастанию границ")
		}
		before = b.Money("up_to")
	}
}

func computeInterestTax(in In, out *Out) error {
	free := in.Money("non_taxable_amount")
	if in.Has("base_amount") {
		rate, err := keyRateOf(in, out)
		if err != nil {
			return err
		}
		free = freeByRate(in.Money("base_amount"), rate, out)
	}
	taxInterest(in, free, out)
	return nil
}

// keyRateOf is the key rate for the non-taxable amount: the one in the request, or the
// largest of the published series.
func keyRateOf(in In, out *Out) (rate Pct, err error) {
	if !in.Has("key_rate") {
		return in.Pct("max_key_rate_pct"), nil
	}
	rate, on, err := largestOnFirstDays(in.Object("key_rate"), out)
	if err == nil {
		out.Set("max_key_rate_pct", rate)
		out.Set("max_key_rate_on", on)
	}
	return rate, err
}

// largestOnFirstDays is the largest value that a series states for the first days of the
// months of a year, and the first of these days that has it: статья 214.2 НК РФ. A day
// without a value leaves no result, since any value could be larger.
func largestOnFirstDays(series In, out *Out) (rate Pct, on Date, err error) {
	id, through := series.Text("parameter_id"), series.Int("through_month")
	for m := 1; m <= through; m++ {
		day := NewDate(series.Int("year"), m, 1)
		this, err := rateOn(id, day, out)
		if err != nil {
			return 0, 0, err
		}
		out.Step("key_rate", "ставка на первое число", this, "%s", day)
		if on == 0 || this > rate {
			rate, on = this, day
		}
	}
	if through < 12 {
		out.Warn("year_incomplete", "/inputs/key_rate/through_month", through)
	}
	return rate, on, nil
}

func rateOn(id string, day Date, out *Out) (Pct, error) {
	const pointer = "/inputs/key_rate/parameter_id"
	p, err := out.Parameter(id, day, pointer)
	if err != nil {
		return 0, err
	}
	most := pct100("rate", "")
	return p.rate(&most, pointer, out)
}

// freeByRate is the non-taxable amount at a key rate, rounded to the kopeck: a request
// that gives this amount itself has the same tax.
func freeByRate(base Money, rate Pct, out *Out) Money {
	free := percentOf(base, rate)
	out.Step("non_taxable_amount", "round2(B·K/100)", free, "round2(%s·%s/100)", base, rate)
	return free
}

// taxInterest sets the outputs that follow from the non-taxable amount.
func taxInterest(in In, free Money, out *Out) {
	total := in.Money("interest_total")
	base := max(0, total-free)
	out.Derive("tax_base", base, "max(0, ΣI − free)", "max(0, %s − %s)", total, free)
	tax := bracketTax(in.List("brackets"), base, out)
	out.Set("non_taxable_amount", free)
	out.Derive("net_interest", total-tax, "ΣI − tax", "%s − %s", total, tax)
	out.Warn("tax_rules_are_inputs", "/inputs/brackets")
}

// bracketTax adds up the brackets exactly and rounds once, to the rouble.
func bracketTax(brackets []In, base Money, out *Out) Money {
	sum, from, terms := new(big.Int), Money(0), []any(nil)
	for _, b := range brackets {
		upTo := base
		if b.Has("up_to") {
			upTo = min(base, b.Money("up_to"))
		}
		part, rate := upTo-from, b.Pct("rate_pct")
		if part <= 0 {
			break
		}
		sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(part)), big.NewInt(int64(rate))))
		terms = append(terms, phrase{"%s·%s/100", []any{part, rate}})
		from = upTo
	}
	if len(terms) == 0 {
		terms = []any{Money(0)}
	}
	tax := Exact{sum, big.NewInt(100 * 100 * pctUnit)}.RoundRouble()
	out.Derive("tax", tax, "round0(Σ base_j·rate_j/100)", "round0(%s)", sumOf(terms))
	return tax
}
