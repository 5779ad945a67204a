package main

import (
	"bufio"
	"errors"
	"fmt"
	"html"
	"io"
	"os"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
)

// maxSummary is the maximum number of findings, or fields of an item, in a summary: a comment on a
// pull request has at most 65536 characters.
const maxSummary = 30

// printRest writes the Markdown for a comment on a pull request, if that is wanted, and says what
// could not be checked, where the result is for programs.
func (v *validation) printRest(markdown func(io.Writer) error) error {
	if v.format != "text" {
		v.printUnseen(v.stderr)
	}
	switch v.summary {
	case "":
		return nil
	case "-":
		return markdown(v.stdout)
	}
	f, err := os.Create(v.summary)
	if err != nil {
		return i18n.Errorf("--summary: %w", err)
	}
	return errors.Join(markdown(f), f.Close())
}

func (v *validation) markdown(to io.Writer) error {
	w, r := bufio.NewWriter(to), v.result
	fmt.Fprintf(w, "### rulestore: %s\n\n", r.totals())
	shown := 0
	for _, f := range r.Findings {
		if f.Severity == content.Note {
			continue
		}
		if shown++; shown > maxSummary {
			fmt.Fprintln(w, "- … and more")
			break
		}
		fmt.Fprintf(w, "- **%s** %s: %s `%s`\n", f.Severity, codeSpan(location(f)), escapeText(f.Message), f.Rule)
	}
	if shown > 0 {
		fmt.Fprintln(w)
	}
	if r.Change != nil {
		r.Change.markdown(w)
	}
	for _, u := range r.Unseen {
		fmt.Fprintf(w, "> Not seen: %s\n\n", escapeText(u.in(nil)))
	}
	return w.Flush()
}

// markdown writes the comparison as a table, and its details folded below.
func (c *comparison) markdown(w *bufio.Writer) {
	fmt.Fprintf(w, "Changed since %s (%s):\n\n", codeSpan(c.Base), codeSpan(content.ShortCommit(c.Commit)))
	if len(c.Items)+len(c.Marks) == 0 {
		fmt.Fprint(w, "nothing that readers see.\n\n")
		return
	}
	fmt.Fprint(w, "| item | change | published | at least | referred to by |\n|---|---|---|---|---|\n")
	for _, i := range c.Items {
		class := i.Class.String()
		switch {
		case i.Unreadable:
			class = "cannot be said"
		case i.What != change.Changed:
			class = string(i.What)
		}
		fmt.Fprintf(
			w, "| %s | %s | %s | %s | %d |\n", codeSpan(i.Item), class, orDash(i.Published), orDash(i.Next),
			len(i.Referrers)+len(i.Users),
		)
	}
	fmt.Fprintln(w)
	for _, i := range c.Items {
		details(w, i)
	}
	for _, m := range c.Marks {
		fmt.Fprintf(
			w, "- mark %s: %s is %s since %s: %s\n", m.What, codeSpan(markedItem(m.Mark)), escapeText(string(m.Status)),
			escapeText(m.Since), escapeText(m.Reason),
		)
	}
	if len(c.Marks) > 0 {
		fmt.Fprintln(w)
	}
}

func details(w *bufio.Writer, i change.ItemChange) {
	if len(i.Fields)+len(i.Referrers)+len(i.Users) == 0 {
		return
	}
	fmt.Fprintf(
		w, "<details><summary><code>%s</code></summary>\n\n",
		html.EscapeString(content.Printable(i.Item+": "+headline(i).String())),
	)
	for n, f := range i.Fields {
		if n == maxSummary {
			fmt.Fprintf(w, "- … and %d more\n", len(i.Fields)-n)
			break
		}
		fmt.Fprintf(w, "- %s %s: **%s**, %s", codeSpan(f.Path), f.What, f.Class, f.Why)
		if f.Look.Doubt != "" {
			fmt.Fprintf(w, "; look: %s", escapeText(f.Look.String()))
		}
		fmt.Fprintln(w)
	}
	for _, r := range i.Referrers {
		fmt.Fprintf(w, "- %s refers to it\n", codeSpan(fmt.Sprintf("%s.yaml:%d", r.Item, r.Line)))
	}
	for _, u := range i.Users {
		fmt.Fprintf(w, "- %s still uses %s\n", codeSpan(u.Item+".yaml"), codeSpan(u.Code))
	}
	fmt.Fprint(w, "\n</details>\n\n")
}

func orDash(s string) string {
	if s == "" {
		return "—"
	}
	return s
}
