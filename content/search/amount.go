package search

import (
	"strings"
	"sync"
)

// magnitudes are the stems of words for large numbers, with their numbers of zeros.
var magnitudes = []struct {
	word  string
	zeros int
}{{"тысяч", 3}, {"миллион", 6}, {"миллиард", 9}}

// zerosOf is the number of zeros of a word for a large number, 0 for other words.
func zerosOf(word string) int {
	for _, m := range magnitudes {
		if m.word == word {
			return m.zeros
		}
	}
	return 0
}

// isAmount reports whether a word is a number that identifies nothing, or a word for a large
// one.
func (w *word) isAmount() bool { return !hasLetter(w.text) && !w.act || zerosOf(w.text) > 0 }

// currencies are the stems of words for money, which after a number say what is counted, and nothing
// of the subject: «перевёл 15 000 рублей» is not about the digital rouble.
var currencies = sync.OnceValue(func() map[string]bool {
	stems := map[string]bool{}
	for _, word := range []string{"рубль", "копейка", "доллар", "бакс", "евро", "юань"} {
		stems[stem(word)] = true
	}
	return stems
})

// ignoreCurrencies ignores a word for money where it follows a number or a word for a large one, unless
// the query has no other words.
func ignoreCurrencies(words []word, stops []bool) {
	var after []int
	subject := false
	for i := range words {
		if currencies()[words[i].text] && i > 0 && words[i-1].isAmount() {
			after = append(after, i)
		} else {
			subject = subject || !stops[i] && !words[i].isAmount()
		}
	}
	for _, i := range after {
		stops[i] = subject
	}
}

// addAmounts makes «1,4 млн» match 1400000, and 1400000 match «1,4 млн».
func addAmounts(q *question, words []word, bit []uint64) {
	for i, w := range words {
		if strings.Trim(w.text, "0123456789.") != "" || bit[i] == 0 {
			continue
		}
		if i+1 < len(words) && zerosOf(words[i+1].text) > 0 {
			q.names = append(q.names, amount(shift(w.text, zerosOf(words[i+1].text)), bit[i]|bit[i+1]))
			continue
		}
		for _, m := range magnitudes {
			if number := shift(w.text, -m.zeros); number != "" {
				q.names = append(q.names, amount(number+" "+m.word, bit[i]))
			}
		}
	}
}

func amount(text string, words uint64) otherName {
	return otherName{phrase: newPhrase(text), words: words}
}

// shift moves the decimal point of a number to the right. It is "" for texts that are not
// numbers and results below one thousandth.
func shift(number string, places int) string {
	whole, fraction, _ := strings.Cut(number, ".")
	if strings.Contains(fraction, ".") {
		return ""
	}
	digits, point := whole+fraction, len(whole)+places
	switch {
	case point <= 0 || point > 24:
		return ""
	case point >= len(digits):
		digits, fraction = digits+strings.Repeat("0", point-len(digits)), ""
	default:
		digits, fraction = digits[:point], strings.TrimRight(digits[point:], "0")
	}
	if len(fraction) > 3 {
		return ""
	}
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		digits = "0"
	}
	if fraction != "" {
		digits += "." + fraction
	}
	return digits
}
