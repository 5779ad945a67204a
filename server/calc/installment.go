package calc

import (
	"fmt"
	"slices"
)

const (
	maxInstallments = 60
	maxFees         = 20
)

// installmentTrueCost is what an instalment plan that is called free costs (283-ФЗ от 31.07.2025): the goods are
// received at their price for cash, and everything that is paid later is paid for them.
var installmentTrueCost = &Tool{
	ID: "installment_true_cost",
	Inputs: []Field{
		moneyPlus("price_cash", "Цена при оплате сразу"),
		date("purchase_date", "День покупки"),
		list("payments", "Платежи", 1, maxInstallments, date("date", "Дата"), moneyPlus("amount", "Сумма")),
		list("fees", "Отдельные платы: подписка, страховка, комиссия", 0, maxFees,
			date("date", "Дата"), moneyPlus("amount", "Сумма")).Optional(),
	},
	Outputs: []Field{
		percent("annual_cost_pct", "Во что обходится, процентов годовых", 2),
		smoney("overpayment", "Переплата против цены при оплате сразу"),
		percent("overpayment_pct", "Переплата, процентов от цены", 2).Signed(),
		date("last_date", "Последний платёж"),
	},
	PSK: true,
	Check: func(in In) {
		bought := in.Date("purchase_date")
		for _, paid := range paidFor(in) {
			if day := paid.Date("date"); day < bought {
				paid.Fail("date", FaultDateOrder, fmt.Sprintf("Платёж %s раньше дня покупки, %s", day, bought),
					"Проверьте даты; заплаченное до покупки вычтите из цены")
			}
		}
	},
	Compute: computeInstallment,
}

// paidFor are the payments and the fees.
func paidFor(in In) []In { return slices.Concat(in.List("payments"), in.List("fees")) }

func computeInstallment(in In, out *Out) error {
	out.Assume("xirr_act_365")
	price, bought := in.Money("price_cash"), in.Date("purchase_date")
	flows, paid, last := []cashFlow{{bought, price}}, Money(0), bought
	for _, p := range paidFor(in) {
		flow := cashFlow{p.Date("date"), -p.Money("amount")}
		flows, paid, last = append(flows, flow), paid-flow.amount, max(last, flow.date)
	}
	over := paid - price
	share := perCent(over.Exact().Quo(price.Exact()))
	out.Set("last_date", last)
	out.Derive("overpayment", over, "Σ платежей + Σ плат − цена", "%s − %s", paid, price)
	out.Derive("overpayment_pct", share, "100·переплата/цена", "100·%s/%s", over, price)
	if over <= 0 {
		out.Set("annual_cost_pct", Pct(0))
		return nil
	}
	flows = netted(flows)
	rate, err := xirr(flows)
	if err != nil {
		return err
	}
	out.Set("annual_cost_pct", perCent(rate))
	if out.tracing {
		out.Step("annual_cost_pct", "r: Σ CFⱼ·(1 + r)^(−(dⱼ − d₀)/365) = 0", perCent(rate).Fixed(2), "%s = 0",
			flowTerms(flows))
	}
	return nil
}
