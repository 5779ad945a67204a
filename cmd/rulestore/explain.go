package main

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
	"rulestore/schemas"
)

func newExplain(e *env) *cobra.Command {
	return &cobra.Command{
		Use:  "explain",
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return explain(e, args[0]) },
	}
}

func explain(e *env, id string) error {
	r, ok := check.RuleOf(id)
	if !ok {
		var ids []string
		for _, r := range check.Rules() {
			ids = append(ids, r.ID)
		}
		if near := check.Nearest(id, ids); near != "" {
			return usageErrorf(
				"there is no rule %q: did you mean %s? `rulestore rules` lists them", id, near,
			)
		}
		return usageErrorf("there is no rule %q: `rulestore rules` lists them", id)
	}
	c, w := e.colours(), bufio.NewWriter(e.stdout)
	title, advice := r.Told(locale(e.getenv))
	fmt.Fprintf(w, "%s%s%s: %s\n(%s)\n\n%s\n", c.bold, r.ID, c.off, title, severityOf(e, r), advice)
	if r.Example != "" {
		fmt.Fprintf(w, "\n%s\n\n%s\n", legend(e, r.Example), strings.TrimRight(r.Example, "\n"))
		explainFindings(e, w, c, r)
	}
	return w.Flush()
}

// severityOf is the severity of a rule, and its date.
func severityOf(e *env, r check.Rule) string {
	text := check.Word(content.Word(r.Severity), locale(e.getenv))
	if r.Since != "" {
		text += e.printer.Sprintf(", since %s", r.Since)
	}
	if r.Fixable {
		text += e.printer.Sprintf(", `rulestore validate --fix` mends it where that is safe")
	}
	return text
}

// explainFindings shows the findings about the example that violates a rule, with the description
// of the field. For histories they come only from a load.
func explainFindings(e *env, w *bufio.Writer, c colours, r check.Rule) {
	result := checked{raw: badExampleFiles(r)}
	result.Findings = slices.DeleteFunc(checkFiles(result.raw), func(f content.Finding) bool { return f.Rule != r.ID })
	if len(result.Findings) == 0 {
		return
	}
	at, err := git.Locate(e.path("."))
	result.hasSchemas = err == nil && hasSchemas(at.Content())
	fmt.Fprintf(w, "\n%s\n\n", e.printer.Sprintf("What `rulestore validate` says of it:"))
	for _, f := range result.Findings {
		result.textFinding(e, w, c, f)
	}
	if !result.hasSchemas && result.Findings[0].About != (content.About{}) {
		fmt.Fprintf(w, "\n%s\n", e.printer.Sprintf(
			"A repository that `rulestore init` made has every format, with all fields, in %s.",
			editorSchemas,
		))
	}
}

// badExampleFiles returns the files of the example that violates a rule, by path; none of a
// history.
func badExampleFiles(r check.Rule) map[string][]byte {
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(r.Example)).Files {
		path, bad := strings.CutPrefix(f.Name, "bad/")
		path, isQuoted := strings.CutSuffix(path, ".quoted")
		if bad && strings.HasSuffix(path, ".yaml") {
			files[path] = f.Data
		}
		if bad && isQuoted {
			files[path] = unquoteLines(f.Data)
		}
	}
	return files
}

// unquoteLines reads a file that is written line by line in quotes.
func unquoteLines(raw []byte) (file []byte) {
	for line := range strings.Lines(string(raw)) {
		text, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			return raw // no example is such
		}
		file = append(file, text...)
	}
	return file
}

// checkFiles checks files as validate does, those of items and those of the root.
func checkFiles(files map[string][]byte) (found []content.Finding) {
	tree := check.Tree{Root: files, Today: time.Now().UTC().Format(content.Date)}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		folder, name, _ := strings.Cut(strings.TrimSuffix(path, ".yaml"), "/")
		var in []content.Finding
		switch k := content.KindOf(folder); {
		case k != nil:
			f := check.Open(schemas.Embedded(), k, name, files[path])
			tree.Items, in = append(tree.Items, f), append(f.Findings, f.Style...)
		case path == content.SettingsFile:
			tree.Settings, in = check.Settings(schemas.Embedded(), files[path])
		case path == content.LifecycleFile:
			tree.Marks, in = check.Lifecycle(schemas.Embedded(), files[path])
		}
		found = append(found, in...)
	}
	return append(found, check.Review(schemas.Embedded(), tree)...)
}

// legend explains the form of an example.
func legend(e *env, example string) string {
	text := e.printer.Sprintf("The files under bad/ are against the rule, those under good/ keep it.")
	if strings.Contains(example, "-- bad/commit ") {
		text += "\n" + e.printer.Sprintf(
			"They are histories: commits with what they change, and tags with their messages.",
		)
	}
	if strings.Contains(example, ".quoted --") {
		text += "\n" + e.printer.Sprintf(
			"What cannot be seen is escaped: .quoted files are written line by line in quotes.",
		)
	}
	return text
}
