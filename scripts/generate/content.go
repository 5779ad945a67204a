package main

import (
	"fmt"
	"strings"
)

const settings = `schema_version: "1.0"
service: generated
title: Учебный набор правил
description: Правила, которые сделаны программой для измерений.
audience: Испытатели
default_language: ru
disclaimer: Только для измерений.
demo: true
`

// guideline is a text of about 6 KB: rules, reasons and sources as authors write
// them, with a few words that differ between any two of them.
func guideline(id string, n, version int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `guideline_id: %s
schema_version: "1.0"
scenario: product_analysis
title: Правило %d, версия %d
summary: Как проверить условие %d, прежде чем советовать.
owner: Испытатели
applicability:
  product_types: [deposit]
  triggers: [Человек спрашивает об условии %d]
  exclusions: []
required_inputs: []
rules:
`, id, n, version, n, n)
	for i := range 8 {
		fmt.Fprintf(&b, `  - rule_id: rule_%d
    title: Условие %d
    condition: Договор содержит пункт %d, который меняет итоговую сумму
    action: Сравнить пункт %d с тарифами и показать разницу в рублях
    explanation: >-
      Пункт %d читают вместе с приложением: в нём названы срок, ставка и удержания,
      а в рекламе остаётся только самая заметная часть условий.
    severity: info
`, i, i, n+i, n+i, n*i)
	}
	b.WriteString(`guardrails:
  - guardrail_id: careful
    type: must
    text: Называть источник каждого числа
    reason: Число без источника нельзя проверить
sources:
  - title: Гражданский кодекс Российской Федерации
    url: https://pravo.gov.ru/
    checked_on: 2026-01-01
valid_from: 2026-01-01
recheck_after: 2099-01-01
`)
	return b.String()
}
