package calc

import "testing"

// Every pattern can be compiled, which no process does before it needs one.
func TestPatterns(t *testing.T) {
	var try func(fields []Field)
	try = func(fields []Field) {
		for _, f := range fields {
			if f.pattern.text != "" {
				f.pattern.matches("")
			}
			if f.item != nil {
				try([]Field{*f.item})
			}
			try(f.fields)
		}
	}
	for tool := range New().Tools() {
		for _, version := range append([]*Tool{tool}, tool.Earlier...) {
			try(version.Inputs)
		}
	}
	for _, f := range []pattern{
		datePattern, identPattern, integerPattern, moneyPattern, signedMoneyPattern, pctPattern, finePctPattern,
		longPattern, signedPattern,
	} {
		f.matches("")
	}
}
