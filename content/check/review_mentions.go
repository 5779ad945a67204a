package check

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
)

// identifiers are the names and ids of items, for finding misspelt ones in texts.
type identifiers struct {
	known map[string]bool
	all   []string // with a dot, which distinguishes them from words
}

// identify collects the names and ids of items, including those of files that cannot be
// parsed or were not opened.
func identify(files []File) identifiers {
	ids := identifiers{known: map[string]bool{}}
	for _, f := range files {
		for _, id := range []string{path.Base(f.Name), f.statedID()} {
			if !ids.known[id] {
				ids.known[id] = true
				if strings.Contains(id, ".") {
					ids.all = append(ids.all, id)
				}
			}
		}
	}
	return ids
}

// statedID returns the id in the file of an item, as far as it can be parsed.
func (f File) statedID() string {
	if f.Body != nil {
		return f.Body.Text(f.Kind.ID)
	}
	for line := range bytes.Lines(f.Raw) {
		if value, ok := bytes.CutPrefix(line, []byte(f.Kind.ID+":")); ok {
			return strings.Trim(strings.TrimSpace(string(value)), `"'`)
		}
	}
	return ""
}

// idShape matches texts in the form of an id: parts of letters, digits and hyphens, separated
// by dots.
var idShape = regexp.MustCompile(`(?i)[a-z][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*)+`)

// mentions finds misspelt ids of items in a text, which are not checked as references.
func (r *reviewer) mentions(o *File, at []string, text string, ids identifiers) {
	if !mayMention(text) {
		return
	}
	for _, m := range idShape.FindAllStringIndex(text, -1) {
		if r.isFull(o.doc.Path, content.Warning) || r.unresolved[o.doc.Path] >= maxFindings {
			return
		}
		id := strings.TrimRight(strings.TrimSuffix(text[m[0]:m[1]], ".yaml"), "-_")
		if !strings.Contains(id, ".") || ids.known[id] || r.existsAnywhere(id) ||
			!isWholeWord(text[:m[0]], text[m[1]:]) {
			continue
		}
		near := Nearest(id, ids.all)
		if r.unresolved[o.doc.Path]++; near == "" {
			continue
		}
		r.addWord(o, at, text[:m[0]], id, 1, say("mention", "id", args{"id": id}).Guess(near))
	}
}

// mayMention reports whether a dot in a text is followed by an ASCII letter or digit. Few are, and all texts of a
// repository are checked.
func mayMention(text string) bool {
	for {
		_, after, found := strings.Cut(text, ".")
		if !found || after == "" {
			return false
		}
		if text = after; text[0] > ' ' && text[0] < utf8.RuneSelf {
			return true
		}
	}
}

// existsAnywhere reports whether an item of any kind has the name.
func (r *reviewer) existsAnywhere(name string) bool {
	return slices.ContainsFunc(content.Kinds, func(k *content.Kind) bool { return r.exists(k.Folder + "/" + name) })
}

// isWholeWord reports whether a name is not a part of an address, a word, or a path other
// than that of an item.
func isWholeWord(before, after string) bool {
	c, _ := utf8.DecodeLastRuneInString(before)
	d, _ := utf8.DecodeRuneInString(after)
	if unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("@.-_$", c) && c != utf8.RuneError ||
		unicode.IsLetter(d) || d == '@' && !strings.HasPrefix(after, "@v") {
		return false
	}
	if c != '/' {
		return true
	}
	parts := strings.FieldsFunc(before, func(c rune) bool { return c != '-' && (c < 'a' || c > 'z') })
	if len(parts) == 0 {
		return false
	}
	folder := parts[len(parts)-1]
	return slices.ContainsFunc(content.Kinds, func(k *content.Kind) bool {
		return k.Folder == folder || strings.HasSuffix(k.Path, "/"+folder)
	})
}
