package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/search"
	"rulestore/server/site"
)

// promptfooTest is a test case of promptfoo
// (https://www.promptfoo.dev/docs/configuration/test-cases).
type promptfooTest struct {
	Description string            `json:"description"`
	Vars        map[string]string `json:"vars"`
	Assert      []promptfooAssert `json:"assert"`
	Metadata    promptfooMetadata `json:"metadata"`
}

// promptfooAssert is an assertion about an answer.
type promptfooAssert struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// promptfooMetadata is for selecting tests.
type promptfooMetadata struct {
	Path   string   `json:"path"`
	Line   int      `json:"line"`
	Expect []string `json:"expect"`
}

// export writes the questions for promptfoo. A file of cases that is wrong would leave
// some of them out, so that is an error.
func (t *testRun) export(ctx context.Context) error {
	if err := t.readCases(ctx); err != nil {
		return err
	}
	if len(t.result.Findings) > 0 {
		return foundErrorf("the cases are to be mended first: %s", t.result.Findings[0])
	}
	tests := []promptfooTest{}
	if err := crash.Do(func() { tests = append(tests, promptfooTests(siteOf(t.tree), t.cases)...) }); err != nil {
		return err
	}
	return writeJSON(t.stdout, tests)
}

func promptfooTests(s *site.Site, all []content.Case) (tests []promptfooTest) {
	for _, c := range all {
		if c.Search == nil {
			continue
		}
		tests = append(tests, promptfooTest{
			Description: c.Search.Q,
			Vars:        map[string]string{"question": escaped(c.Search.Q)},
			Assert:      []promptfooAssert{{"llm-rubric", escaped(rubric(s, c.Search))}},
			Metadata:    promptfooMetadata{c.Path, c.Line, c.Search.Expect},
		})
	}
	return tests
}

// rubric states what an answer has to agree with: the expected content.
func rubric(s *site.Site, c *content.SearchCase) string {
	lines := []string{"Ответ отвечает на вопрос и согласуется хотя бы с одним из этого:"}
	for _, d := range s.FindAll(queryOf(c)) {
		if slices.Contains(c.Expect, d.ID) {
			lines = append(lines, fmt.Sprintf("- «%s» (%s): %s", d.Title, d.ID, firstDescription(d)))
		}
	}
	return strings.Join(lines, "\n")
}

// firstDescription is the first description in a document.
func firstDescription(d search.Document) string {
	for _, p := range d.Text {
		if strings.Contains(p.Text, " ") {
			return p.Text
		}
	}
	return ""
}

// escaped escapes a text for promptfoo, which interprets Nunjucks templates, and reads files
// named by file://.
func escaped(text string) string {
	if strings.Contains(text, "{{") || strings.Contains(text, "{%") || strings.Contains(text, "{#") {
		text = "{% raw %}" + strings.ReplaceAll(text, "endraw", "end raw") + "{% endraw %}"
	}
	if strings.HasPrefix(text, "file://") {
		return " " + text
	}
	return text
}
