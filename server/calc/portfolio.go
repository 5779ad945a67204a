package calc

import (
	"cmp"
	"math/big"
	"slices"
)

const labelPattern = `^[0-9A-Za-zА-Яа-яЁё№][0-9A-Za-zА-Яа-яЁё№ .,()«»&+_-]{0,63}$`

// thresholds are the shares that may have a limit.
var thresholds = []struct{ name, title string }{
	{"largest_share_pct", "Крупнейшая позиция"}, {"top5_share_pct", "Пять крупнейших позиций"},
	{"issuer_share_pct", "Один эмитент"}, {"asset_class_share_pct", "Один класс активов"},
	{"currency_share_pct", "Одна валюта"},
}

// thresholdStep is the beginning of the names of steps that compare a share with its limit.
const thresholdStep = "threshold_"

var thresholdTitles = func() map[string]string {
	titles := map[string]string{}
	for _, t := range thresholds {
		titles[t.name] = t.title
	}
	return titles
}()

func thresholdFields() (all []Field) {
	for _, t := range thresholds {
		all = append(all, pct100(t.name, t.title).Exactly().Optional())
	}
	return all
}

// unknownLabel is the group of positions without a label.
const unknownLabel = "unknown"

var portfolioConcentration = &Tool{
	ID: "portfolio_concentration",
	Inputs: []Field{
		list("positions", "Позиции портфеля", 1, 500,
			ident("id", "Идентификатор позиции"),
			moneyPlus("amount", "Стоимость позиции"),
			text("issuer", "Эмитент", labelPattern).Optional(),
			text("asset_class", "Класс активов", labelPattern).Optional(),
			text("currency", "Валюта, код из трёх букв", `^[A-Z]{3}$`).Optional()).Unique("id"),
		object("thresholds", "Пороги долей", thresholdFields()...).Optional(),
	},
	Outputs: []Field{
		money("total", "Стоимость портфеля"),
		ratio("hhi", "Индекс Херфиндаля — Хиршмана по позициям", 6),
		ratio("effective_positions", "Эффективное число позиций", 4),
		percent("largest_share_pct", "Доля крупнейшей позиции", 2),
		percent("top5_share_pct", "Доля пяти крупнейших позиций", 2),
		list("shares", "Доли позиций", 1, 500,
			word("id", "Позиция"), percent("share_pct", "Доля", 2)),
		percent("rounding_residual_pp", "Сколько не хватает до 100 в сумме округлённых долей", 2).Signed(),
		groupsOutput("by_issuer", "По эмитентам"),
		groupsOutput("by_asset_class", "По классам активов"),
		groupsOutput("by_currency", "По валютам"),
		list("thresholds", "Сравнение с порогами", 0, 5,
			word("name", "Порог").Labels(thresholdTitles),
			percent("share_pct", "Доля", 2),
			percent("threshold_pct", "Значение порога", 6),
			enum("relation", "Отношение доли к порогу", "above", "at_or_below")),
	},
	Compute: computeConcentration,
}

func groupsOutput(name, title string) Field {
	return object(name, title,
		ratio("hhi", "Индекс Херфиндаля — Хиршмана", 6),
		ratio("effective_groups", "Эффективное число групп", 4),
		percent("largest_share_pct", "Доля крупнейшей группы", 2),
		percent("rounding_residual_pp", "Сколько не хватает до 100 в сумме округлённых долей", 2).Signed(),
		list("groups", "Группы от крупной к мелкой", 1, 500,
			word("name", "Группа").Labels(map[string]string{unknownLabel: "не указано"}),
			money("amount", "Стоимость"), percent("share_pct", "Доля", 2)))
}

// A holding is a position or a group of positions.
type holding struct {
	name   string
	amount Money
}

// A holdings is a portfolio in parts.
type holdings struct {
	parts   []holding // in the order of the request
	ordered []holding // largest first
	total   Money
	squares *big.Int // Σa², in kopecks
}

func newSplit(parts []holding) holdings {
	s := holdings{parts: parts, squares: new(big.Int)}
	for _, p := range parts {
		s.total += p.amount
		a := big.NewInt(int64(p.amount))
		s.squares.Add(s.squares, a.Mul(a, a))
	}
	s.ordered = slices.Clone(parts)
	slices.SortStableFunc(s.ordered, func(a, b holding) int { return cmp.Compare(b.amount, a.amount) })
	return s
}

// hhi is Σa²/(Σa)², which is Σw² without rounding a share.
func (s holdings) hhi() Exact {
	total := big.NewInt(int64(s.total))
	return Exact{s.squares, total.Mul(total, total)}
}

func (s holdings) effective() Exact { return Whole(1).Quo(s.hhi()) }

func (s holdings) sharePct(amount Money) Exact { return newExact(100*int64(amount), int64(s.total)) }

// top is the amount of the n largest parts.
func (s holdings) top(n int) Money {
	var sum Money
	for _, p := range s.ordered[:min(n, len(s.ordered))] {
		sum += p.amount
	}
	return sum
}

// residual is 100 minus the sum of the shares as printed.
func (s holdings) residual() Exact {
	printed := int64(0)
	for _, p := range s.parts {
		printed += parseScaled(s.sharePct(p.amount).Fixed(2), 2)
	}
	return newExact(10000-printed, 100)
}

func computeConcentration(in In, out *Out) error {
	positions := in.List("positions")
	parts := make([]holding, len(positions))
	for i, p := range positions {
		parts[i] = holding{p.Text("id"), p.Money("amount")}
	}
	s := newSplit(parts)
	out.Set("total", s.total)
	shares := make(List, len(parts))
	for i, p := range parts {
		shares[i] = Row{Text(p.name), s.sharePct(p.amount)}
	}
	out.Set("shares", shares)
	out.Set("rounding_residual_pp", s.residual())
	squares := Exact{s.squares, big.NewInt(10000)} // of roubles
	out.Derive("hhi", s.hhi(), "Σw² = Σa²/(Σa)²", "%s/%s²", squares.Fixed(4), s.total)
	out.Derive("effective_positions", s.effective(), "1/HHI", "1/%s", s.hhi())
	out.Derive("largest_share_pct", s.sharePct(s.top(1)), "max a/Σa·100", "%s/%s·100", s.top(1), s.total)
	out.Derive("top5_share_pct", s.sharePct(s.top(5)), "Σ₅a/Σa·100", "%s/%s·100", s.top(5), s.total)
	shareOf := map[string]Exact{"largest_share_pct": s.sharePct(s.top(1)), "top5_share_pct": s.sharePct(s.top(5))}
	for _, label := range names("issuer", "asset_class", "currency") {
		if g, ok := groupBy(positions, label, out); ok {
			out.Set("by_"+label, g.row())
			shareOf[label+"_share_pct"] = g.sharePct(g.top(1))
		}
	}
	if in.Has("thresholds") {
		out.Set("thresholds", relations(in.Object("thresholds"), shareOf, out))
	}
	return nil
}

// groupBy adds up the positions of each label; false if no position has one.
func groupBy(positions []In, label string, out *Out) (holdings, bool) {
	var groups []holding
	at := map[string]int{}
	labelled := 0
	for _, p := range positions {
		name := unknownLabel
		if p.Has(label) {
			name = p.Text(label)
			labelled++
		}
		i, ok := at[name]
		if !ok {
			i = len(groups)
			at[name] = i
			groups = append(groups, holding{name: name})
		}
		groups[i].amount += p.Money("amount")
	}
	if missing := len(positions) - labelled; labelled > 0 && missing > 0 {
		out.Warn("label_missing", "/inputs/positions", positions[0].title(label), missing)
	}
	return newSplit(groups), labelled > 0
}

func (s holdings) row() Row {
	groups := make(List, len(s.ordered))
	for i, g := range s.ordered {
		groups[i] = Row{Text(g.name), g.amount, s.sharePct(g.amount)}
	}
	return Row{s.hhi(), s.effective(), s.sharePct(s.top(1)), s.residual(), groups}
}

// relations compares the unrounded shares with the thresholds of the request.
func relations(given In, shareOf map[string]Exact, out *Out) List {
	list := List{}
	for _, t := range thresholds {
		name := t.name
		if !given.Has(name) {
			continue
		}
		share, ok := shareOf[name]
		if !ok {
			out.Warn("threshold_not_evaluated", "/inputs/thresholds/"+name)
			continue
		}
		threshold, relation := given.Pct(name), "at_or_below"
		if share.Cmp(threshold.Exact()) > 0 {
			relation = "above"
		}
		out.Step(thresholdStep+name, "доля > порог", relation, "%s > %s", share, threshold)
		list = append(list, Row{Text(name), share, threshold, Text(relation)})
	}
	return list
}
