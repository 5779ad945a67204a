package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"rulestore/server/page"
)

// A call is a request by a program.
type call struct {
	method, url string
	headers     [][2]string
	body        string // "" if nothing is posted
	json        bool   // the answer is JSON
}

// snippets are the call in each language.
func (c call) snippets() []page.Snippet {
	return []page.Snippet{
		{ID: "curl", Title: "curl", Language: "sh", Code: c.curl()},
		{ID: "python", Title: "Python", Language: "python", Code: c.python()},
		{ID: "javascript", Title: "JavaScript", Language: "javascript", Code: c.javascript()},
		{ID: "go", Title: "Go", Language: "go", Code: c.golang()},
	}
}

func (c call) curl() string {
	var b strings.Builder
	b.WriteString("curl -fsS " + shellQuoted(c.url))
	for _, h := range c.headers {
		b.WriteString(" \\\n  -H " + shellQuoted(h[0]+": "+h[1]))
	}
	if c.body != "" {
		b.WriteString(" \\\n  -d " + shellQuoted(c.body))
	}
	return b.String()
}

func (c call) python() string {
	var b strings.Builder
	b.WriteString(
		"import json\nimport sys\nimport urllib.request\n\nrequest = urllib.request.Request(\n    " + literal(c.url) +
			",\n",
	)
	if c.body != "" {
		fmt.Fprintf(&b, "    data=%s.encode(),\n", pythonText(c.body))
	}
	if len(c.headers) > 0 {
		b.WriteString("    headers={" + c.headersAs("%s: %s") + "},\n")
	}
	b.WriteString(")\nwith urllib.request.urlopen(request) as response:\n")
	if c.json {
		b.WriteString("    answer = json.load(response)\njson.dump(answer, sys.stdout, ensure_ascii=False, indent=2)")
	} else {
		b.WriteString("    sys.stdout.buffer.write(response.read())")
		return strings.Replace(b.String(), "import json\n", "", 1)
	}
	return b.String()
}

func (c call) javascript() string {
	var options []string
	if c.body != "" {
		options = append(options, `method: "POST"`)
	}
	if len(c.headers) > 0 {
		options = append(options, "headers: { "+c.headersAs("%s: %s")+" }")
	}
	if c.body != "" {
		options = append(options, "body: JSON.stringify("+strings.ReplaceAll(c.body, "\n", "\n  ")+")")
	}
	with := ""
	if len(options) > 0 {
		with = ", {\n  " + strings.Join(options, ",\n  ") + ",\n}"
	}
	answer := "await response.text()"
	if c.json {
		answer = "JSON.stringify(await response.json(), null, 2)"
	}
	return "const response = await fetch(" + literal(c.url) + with + ");\n" +
		"if (!response.ok) throw new Error(await response.text());\nconsole.log(" + answer + ");"
}

func (c call) golang() string {
	body, imports := "nil", "\t\"io\"\n\t\"log\"\n\t\"net/http\"\n\t\"os\"\n"
	if c.body != "" {
		body, imports = "strings.NewReader("+goText(c.body)+")", imports+"\t\"strings\"\n"
	}
	var headers strings.Builder
	for _, h := range c.headers {
		fmt.Fprintf(&headers, "\trequest.Header.Set(%q, %q)\n", h[0], h[1])
	}
	return "package main\n\nimport (\n" + imports + ")\n\nfunc main() {\n" +
		"\trequest, err := http.NewRequest(" + strconv.Quote(c.method) + ", " +
		strconv.Quote(c.url) + ", " + body + ")\n" +
		"\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n" + headers.String() +
		"\tresponse, err := http.DefaultClient.Do(request)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n" +
		"\tdefer response.Body.Close()\n\tif response.StatusCode != http.StatusOK {\n\t\tlog.Fatal(response.Status)\n" +
		"\t}\n" +
		"\tif _, err := io.Copy(os.Stdout, response.Body); err != nil {\n\t\tlog.Fatal(err)\n\t}\n}"
}

// headersAs writes the headers of the call, each name and value quoted.
func (c call) headersAs(format string) string {
	var all []string
	for _, h := range c.headers {
		all = append(all, fmt.Sprintf(format, literal(h[0]), literal(h[1])))
	}
	return strings.Join(all, ", ")
}

// shellQuoted quotes a text as one word of a POSIX shell.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// literal quotes a text for JSON, JavaScript and Python.
func literal(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // strings can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// pythonText quotes a text of several lines for Python.
func pythonText(s string) string {
	if strings.ContainsAny(s, `'\`) {
		return literal(s)
	}
	return "'''" + s + "'''"
}

// goText quotes a text of several lines for Go.
func goText(s string) string {
	if strings.Contains(s, "`") {
		return strconv.Quote(s)
	}
	return "`" + s + "`"
}

// indentedJSON is JSON with line breaks; other text is returned unchanged.
func indentedJSON(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
