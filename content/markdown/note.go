package markdown

import "strings"

// passage is a part of a change note: a paragraph, or an item of a list.
type passage struct {
	item bool
	text string
}

// note writes the text of a git message. Lines that begin with "- " are items of a list, and
// indented lines after them continue these, as the changelog reads them; everything else is plain
// text.
func (w *writer) note(s string) {
	inList := false
	for _, p := range passages(s) {
		if !p.item || !inList {
			w.gap()
		}
		if inList = p.item; inList {
			w.item("- ", func() { w.out = appendText(w.out, p.text, atStart, w.indent) })
			continue
		}
		w.line()
		w.out = appendText(w.out, p.text, atStart, w.indent)
	}
}

func passages(s string) (all []passage) {
	blank := true // the line before
	for line := range strings.SplitSeq(toNewlines.Replace(s), "\n") {
		text, item := strings.CutPrefix(line, "- ")
		empty, last := strings.TrimSpace(line) == "", len(all)-1
		switch {
		case item && strings.TrimSpace(text) != "":
			all = append(all, passage{true, text})
		case !blank && all[last].item && !empty && strings.TrimLeft(line, " \t") != line:
			all[last].text += " " + strings.TrimSpace(line)
		case last >= 0 && !all[last].item:
			all[last].text += "\n" + line
		case !empty:
			all = append(all, passage{false, line})
		}
		blank = empty
	}
	return all
}
