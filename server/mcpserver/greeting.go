package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/server/api"
)

// assistant is the name of the main instruction.
const assistant = "assistant"

// maxGreeting is the maximum length of the instructions, in characters: some clients cut them
// there.
const maxGreeting = 1800

// instructions is the text about this server that clients give to their models: what data not
// to send, where to start, and how to read selectively.
func (s *Server) instructions(chosen sets) string {
	current := s.Sites.Current()
	var b strings.Builder
	b.WriteString(
		"Личные данные и документы пользователя сюда не передавать, в вопросах — только суть: сервис только читает и " +
			"считает.\n",
	)
	fmt.Fprintf(&b, "%s.\n", current.Snapshot.Settings.Title)
	if chosen == setsOf(connector) {
		b.WriteString("search находит документы по вопросу, fetch читает их по id.\n")
		return b.String()
	}
	if chosen.has(setsOf("fraud")) {
		b.WriteString(urgent(chosen))
	}
	if it := current.Snapshot.Item(content.Instructions, assistant); it != nil && it.Current != nil {
		writeStart(&b, it.Current, chosen)
	}
	if chosen.has(setsOf("rules")) {
		b.WriteString(reading)
	}
	if chosen.has(setsOf("calc", "math")) {
		b.WriteString(calculating)
	}
	fmt.Fprintf(&b, "Наборы инструментов: %s.", chosen)
	if rest := ^chosen & setsOf(names()...) &^ setsOf(connector); rest != 0 {
		fmt.Fprintf(&b, " Другие (%s) — параметром toolsets адреса или X-MCP-Toolsets.", rest)
	}
	b.WriteString("\n")
	return shortened(b.String())
}

// shortened cuts a text to maxGreeting, at a line.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= maxGreeting {
		return text
	}
	text = string([]rune(text)[:maxGreeting])
	return text[:strings.LastIndexByte(text, '\n')+1]
}

// urgent is the beginning of the text, for emergencies.
func urgent(chosen sets) string {
	codes := "list_fraud_signals"
	if chosen.has(setsOf("rules")) {
		codes = "search kind=signal с сутью случая"
	}
	return "Уходят деньги, просят код, доступ, перевод или тайну — не читая инструкций: " + codes +
		", затем fraud_brief со всеми подходящими кодами; первый совет — прекратить контакт.\n"
}

const (
	reading = `Читайте мало: search, потом get_… с view=brief, потом section= с адресами нужных разделов; целиком — редко; format=markdown короче. Адреса из ответов (GET /api/v1/…, url) читает read_url. version и as_of (день или RFC 3339) — другая версия, in_force — что действовало в день, offset — next_offset прошлого ответа. В ответе версия, статус и контрольная сумма (у части — source_checksum), в _meta — snapshot: ими и ссылайтесь.
`
	// calculating describes the parts of a request that all calculations share.
	calculating = `Расчёты: деньги и ставки — строками ("5000000.00", "18.5"), даты — 2026-05-01; вместо числа можно назвать параметр, который его устанавливает: {"parameter_id":"…","on":"2026-05-01"}. contract_values — значения из договора для сверки, по именам из outputs; tolerance — допуски absolute, relative, days; options — include_schedule, schedule_from, schedule_limit, include_trace.
`
)

// writeStart writes where to start, and which instruction applies to which scenario.
func writeStart(b *strings.Builder, e *content.Entry, chosen sets) {
	read, steps := "ресурс "+scheme+"instructions/%s"+markdownSuffix, ""
	if chosen.has(setsOf("rules")) {
		read, steps = "get_instruction name=%s view=brief format=markdown", ", section=steps"
	}
	fmt.Fprintf(b, "Начните с "+read+".", e.Name)
	var scenarios []struct{ Scenario, Instruction string }
	if json.Unmarshal(e.Body().Get("scenario_instructions"), &scenarios) != nil || len(scenarios) == 0 {
		b.WriteString("\n")
		return // formats without scenarios
	}
	var all []string
	for _, sc := range scenarios {
		all = append(all, sc.Scenario+" — "+sc.Instruction)
	}
	fmt.Fprintf(b, " Инструкции сценариев%s: %s.\n", steps, strings.Join(all, ", "))
}

// names lists the toolsets.
func names() (all []string) {
	for _, t := range api.Toolsets {
		all = append(all, t.Name)
	}
	return all
}

// line joins the lines of a text.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }
