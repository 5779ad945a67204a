package calc_test

import (
	"fmt"

	"rulestore/server/calc"
)

// A tool answers JSON with JSON, and with sections and Markdown for people.
func Example() {
	answer, err := calc.New().Calculate("loan_payment", []byte(
		`{"inputs": {"principal": "1000000", "annual_rate_pct": "12", "term_months": 12}}`), calc.Facts{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Tool.Title, answer.Status)
	for _, f := range answer.Sections()[0].Figures[:3] {
		fmt.Printf("%s: %s\n", f.Title, f.Text)
	}
	// Output:
	// Платёж по кредиту computed
	// Ежемесячный платёж: 88848.79
	// Первый платёж: 88848.79
	// Последний платёж: 88848.76
}
