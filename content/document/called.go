package document

import (
	"strings"
	"unicode/utf8"
)

// maxCalled is the maximum number of characters of a text in place of a title.
const maxCalled = 60

// Called returns what people call an element of a list: its title or, without one, the beginning of
// its text, or its code if it has neither.
func Called(list, k *Node) string {
	if i := k.Label(list.Unique()); i >= 0 {
		if label := k.Kids[i].EnumLabel(); label != "" {
			return label
		}
		if Heads(k.Kids[i].Name) {
			return short(k.Kids[i].Text)
		}
		if text := prose(k); text != nil {
			return short(text.Text)
		}
		return short(k.Kids[i].Text)
	}
	for i := range k.Kids {
		if k.Kids[i].Says() {
			return short(k.Kids[i].Text)
		}
	}
	if k.IsList() || k.Blank() {
		return k.Title("Элемент")
	}
	if label := k.EnumLabel(); label != "" {
		return label
	}
	return short(k.Text)
}

// prose is the first text for people of an element or, without one, of its lists; nil if it has none.
func prose(k *Node) *Node {
	for i := range k.Kids {
		if text := &k.Kids[i]; text.Kind == Text && text.Type() == Prose && !text.Blank() {
			return text
		}
	}
	for i := range k.Kids {
		if list := &k.Kids[i]; list.Kind == Array {
			if text := prose(list); text != nil {
				return text
			}
		}
	}
	return nil
}

// short is a text on one line, shortened if it is long.
func short(s string) string {
	if len(s) > maxCalled*utf8.UTFMax*2 {
		s = strings.ToValidUTF8(s[:maxCalled*utf8.UTFMax*2], "")
	}
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= maxCalled {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:maxCalled])) + "…"
}
