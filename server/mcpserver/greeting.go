package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"

	"rulestore/content"
)

// assistant is the instruction that all work begins with.
const assistant = "assistant"

// instructions are what a client tells its model about this server: what the
// assistant instruction says first, and what the chosen toolsets are for.
func (s *Server) instructions(chosen sets) string {
	current := s.Sites.Current()
	var b strings.Builder
	fmt.Fprintf(&b, "%s. %s\n", current.Snapshot.Settings.Title, line(current.Snapshot.Settings.Description))
	if it := current.Snapshot.Item(content.Instructions, assistant); it != nil && it.Current != nil {
		begin(&b, it.Current, chosen)
	}
	b.WriteString("\nИнструменты:\n")
	for _, t := range Toolsets {
		if chosen.has(in(t.Name)) {
			fmt.Fprintf(&b, "- %s: %s.\n", t.Name, t.About)
		}
	}
	if rest := ^chosen & in(names()...); rest != 0 {
		fmt.Fprintf(&b, "Другие наборы (%s) подключаются параметром toolsets адреса или заголовком X-MCP-Toolsets.\n", rest)
	}
	if chosen.has(in("calc", "math")) {
		b.WriteString(calculating)
	}
	b.WriteString("\nСервис только читает и считает: личные данные, документы и текст пользователя ему не передавать.\n")
	return b.String()
}

// calculating says what the parts of a request are that all calculations share.
const calculating = `
Расчёты: деньги и ставки — строками ("5000000.00", "18.5"), даты — 2026-05-01. contract_values — значения из договора для сверки, по именам из outputs; tolerance — допуски сверки absolute, relative, days; options — include_schedule, schedule_from, schedule_limit, include_trace.
`

// begin says where to start, in the words of the assistant instruction.
func begin(b *strings.Builder, e *content.Entry, chosen sets) {
	read := "ресурс " + scheme + "instructions/%s" + markdownSuffix
	if chosen.has(in("rules")) {
		read = "get_instruction name=%s"
	}
	fmt.Fprintf(b, "\nНачните с "+read+" (версия %s). %s\n", e.Name, e.Version, line(e.Body().Text("summary")))
	var scenarios []struct {
		Instruction string
		UseWhen     string `json:"use_when"`
	}
	if json.Unmarshal(e.Body().Get("scenario_instructions"), &scenarios) != nil {
		return // its format has none
	}
	for _, sc := range scenarios {
		fmt.Fprintf(b, "- %s: %s\n", sc.Instruction, line(sc.UseWhen))
	}
}

// names lists the toolsets.
func names() (all []string) {
	for _, t := range Toolsets {
		all = append(all, t.Name)
	}
	return all
}

// line puts text on one line.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }
