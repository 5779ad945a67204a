package main

import (
	"bufio"
	"fmt"
	"strings"

	"rulestore/content"
)

// githubLevels are the workflow commands that annotate a pull request.
var githubLevels = map[content.Severity]string{
	content.Error: "error", content.Warning: "warning", content.Note: "notice",
}

// printGitHub writes workflow commands, from which GitHub makes annotations:
// ::error file=…,line=…,col=…,title=…::message.
func (v *validation) printGitHub() error {
	w := bufio.NewWriter(underlying(v.stdout))
	for _, f := range v.result.Findings {
		message := content.Printable(f.Message)
		if f.Hint != "" {
			message += "\n" + content.Printable(f.Hint)
		}
		for _, line := range v.result.describeField(nil, f) {
			message += "\n" + content.Printable(line)
		}
		annotate(w, githubLevels[f.Severity], v.result.inRepository(f.Path), f.Line, f.Column, f.Rule, message)
	}
	if v.result.Change != nil {
		for _, i := range v.result.Change.Items {
			annotate(
				w, "notice", v.result.inRepository(i.Path), 1, 1, i.Item+": "+i.Class.String(),
				content.Printable(headline(i).String()),
			)
		}
	}
	return w.Flush()
}

func annotate(w *bufio.Writer, level, path string, line, column int, title, message string) {
	var properties []string
	add := func(name, value string) {
		properties = append(properties, name+"="+githubProperty.Replace(content.Printable(value)))
	}
	if path != "" {
		add("file", path)
	}
	if line > 0 {
		add("line", fmt.Sprint(line))
		add("col", fmt.Sprint(column))
	}
	add("title", title)
	fmt.Fprintf(w, "::%s %s::%s\n", level, strings.Join(properties, ","), githubData.Replace(message))
}

// What a workflow command escapes in its message and in its properties.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
