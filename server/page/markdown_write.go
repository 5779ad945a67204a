package page

import (
	"bytes"
	"html/template"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// RegisterFuncs implements renderer.NodeRenderer: what is written differently
// from how goldmark does.
func (r *reader) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindLink, r.link)
	reg.Register(ast.KindAutoLink, r.autoLink)
	reg.Register(ast.KindImage, nothing)
	reg.Register(ast.KindCodeSpan, r.code)
	reg.Register(ast.KindList, r.list)
	reg.Register(ast.KindListItem, r.item)
	reg.Register(extast.KindTable, r.table)
	reg.Register(extast.KindTableCell, r.cell)
	reg.Register(remarkKind, r.remark)
}

// nothing leaves a node out but not what is in it: of an image, its text.
func nothing(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkContinue, nil
}

// href returns the address that a link leads to, "" if it may not be followed.
func (r *reader) href(url string) string {
	if r.Own != "" && (url == r.Own || strings.HasPrefix(url, r.Own+"/")) {
		return below(r.Root, strings.TrimPrefix(url, r.Own))
	}
	scheme, _, ok := strings.Cut(url, ":")
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto":
		return url
	}
	if !ok && url == below("", url) {
		return url
	}
	return ""
}

func openLink(w util.BufWriter, href string) {
	_, _ = w.WriteString(`<a href="`)
	_, _ = w.Write(util.EscapeHTML(util.URLEscape([]byte(href), false)))
	_, _ = w.WriteString(`"`)
	if !strings.HasPrefix(href, "/") {
		_, _ = w.WriteString(` rel="external noopener nofollow"`)
	}
	_, _ = w.WriteString(`>`)
}

func (r *reader) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	href := r.href(string(n.(*ast.Link).Destination))
	switch {
	case href == "":
	case entering:
		openLink(w, href)
	default:
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func (r *reader) autoLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	link := n.(*ast.AutoLink)
	url := string(link.URL(source))
	if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(url, "mailto:") {
		url = "mailto:" + url
	}
	href := r.href(url)
	if href != "" {
		openLink(w, href)
	}
	_, _ = w.Write(util.EscapeHTML(link.Label(source)))
	if href != "" {
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

// code writes a machine's word, with a link to what it names if that is known.
func (r *reader) code(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var word []byte
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			word = append(word, bytes.ReplaceAll(t.Segment.Value(source), []byte("\n"), []byte(" "))...)
		}
	}
	href, known := r.Codes[string(word)]
	if known {
		openLink(w, href)
	}
	_, _ = w.WriteString("<code>")
	_, _ = w.Write(util.EscapeHTML(word))
	_, _ = w.WriteString("</code>")
	if known {
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkSkipChildren, nil
}

// list writes fields as a description list, everything else as it is.
func (r *reader) list(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	open, end := "<ul>", "</ul>"
	_, named := n.FirstChild().AttributeString(label)
	switch {
	case n.(*ast.List).IsOrdered():
		open, end = "<ol>", "</ol>"
	case named:
		open, end = `<dl class="fields">`, "</dl>"
	}
	if !entering {
		open = end
	}
	_, _ = w.WriteString(open + "\n")
	return ast.WalkContinue, nil
}

func (r *reader) item(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	name, named := n.AttributeString(label)
	switch {
	case named && entering:
		_, _ = w.WriteString("<div><dt>" + template.HTMLEscapeString(name.(string)) + "</dt><dd>")
	case named:
		_, _ = w.WriteString("</dd></div>\n")
	case entering:
		_, _ = w.WriteString("<li>")
	default:
		_, _ = w.WriteString("</li>\n")
	}
	return ast.WalkContinue, nil
}

// table lets a wide table scroll, by keyboard too.
func (r *reader) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<div class="wide" role="group" aria-label="Таблица" tabindex="0"><table>` + "\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// cell writes a cell of a table, numbers below each other.
func (r *reader) cell(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	open, end := "<td", "</td>\n"
	if n.Parent().Kind() == extast.KindTableHeader {
		open, end = `<th scope="col"`, "</th>\n"
	}
	text := r.plain(n)
	switch {
	case !entering:
		_, _ = w.WriteString(end)
	case r.Numbers && isNumber(text):
		_, _ = w.WriteString(open + ` class="num">` + grouped(text))
		return ast.WalkSkipChildren, nil
	default:
		_, _ = w.WriteString(open + ">")
	}
	return ast.WalkContinue, nil
}
