package search

import "sync"

// acts are the stems of words next to which a number identifies an act or article: «закон
// 230», «353-фз», «статья 333».
var acts = sync.OnceValue(func() map[string]bool {
	stems := map[string]bool{}
	for _, word := range []string{
		"закон", "фз", "кодекс", "гк", "указание", "постановление", "приказ", "положение", "статья", "пункт",
	} {
		stems[stem(word)] = true
	}
	return stems
})

// markActs marks numbers that identify an act, next to a word for acts or after such a word
// and «номер», as opposed to quantities. «номер» is then a stop word.
func markActs(words []word, stops []bool) {
	number, acts := stem("номер"), acts()
	for i := range words {
		if hasLetter(words[i].text) {
			continue
		}
		before := i - 1
		if before > 0 && words[before].text == number && acts[words[before-1].text] {
			stops[before] = true
			before--
		}
		words[i].act = before >= 0 && acts[words[before].text] || i+1 < len(words) && acts[words[i+1].text]
	}
}
