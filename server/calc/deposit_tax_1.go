package calc

// depositInterestTax1 takes the key rate from the request only, not from a parameter.
var depositInterestTax1 = &Tool{
	ID:      "deposit_interest_tax",
	Version: "1.0.0",
	Formula: "deposit_interest_tax/1",
	Inputs: []Field{
		money("interest_total", "Проценты за год по всем вкладам"),
		money("non_taxable_amount", "Необлагаемая сумма"),
		money("base_amount", "Сумма, с которой считается необлагаемый доход"),
		pct100("max_key_rate_pct", "Ключевая ставка для необлагаемого дохода, процентов"),
		list("brackets", "Ступени налога по возрастанию; у последней нет верхней границы", 1, 5,
			moneyPlus("up_to", "Верхняя граница базы; null у последней").Nullable(),
			pct100("rate_pct", "Ставка налога, процентов"),
		),
	},
	Choices: []Choice{{{Needs: names("non_taxable_amount")}, {Needs: names("base_amount", "max_key_rate_pct")}}},
	Outputs: taxOutputs,
	Check:   checkBrackets,
	Compute: computeInterestTax1,
}

func computeInterestTax1(in In, out *Out) error {
	free := in.Money("non_taxable_amount")
	if in.Has("base_amount") {
		free = freeByRate(in.Money("base_amount"), in.Pct("max_key_rate_pct"), out)
	}
	taxInterest(in, free, out)
	return nil
}
