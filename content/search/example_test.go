package search_test

import (
	"fmt"

	"rulestore/content/search"
)

func Example() {
	entries := []*search.AnalysedDocument{
		search.Analyse(search.Document{
			Kind: "guideline", ID: "product.deposit.analysis.001",
			Title: "Анализ банковского вклада",
			Text:  []search.Passage{{Text: "Страхование вкладов: в одном банке возмещается не более 1,4 млн рублей."}},
			Codes: []string{"product.deposit.analysis.001"},
		}),
		search.Analyse(search.Document{
			Kind: "term", ID: "cashback",
			Title: "Кешбэк",
			Text:  []search.Passage{{Text: "Возврат части суммы покупки на карту."}},
		}),
	}
	index := search.New(entries, [][]string{{"Вклад", "депозит"}})

	result := index.Search(search.Query{Text: "страхование депозита", Limit: 10})
	fmt.Println(result.Total)
	for _, hit := range result.Hits {
		fmt.Println(hit.Entry.Document().ID)
		for _, segment := range hit.Snippet.Segments {
			if segment.Match {
				fmt.Print("**", segment.Text, "**")
			} else {
				fmt.Print(segment.Text)
			}
		}
	}
	// Output:
	// 1
	// product.deposit.analysis.001
	// **Страхование** **вкладов**: в одном банке возмещается не более 1,4 млн рублей.
}
