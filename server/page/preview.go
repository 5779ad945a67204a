package page

import (
	"bytes"
	"html/template"
)

// stateSlot is replaced by [Fill] in the head of a page of a preview.
const stateSlot = "<!--moment-->"

// Fill completes a page of a preview: it inserts the state of the page, so that the script can
// detect a newer one.
func Fill(html []byte, state string) []byte {
	return bytes.Replace(
		html, []byte(stateSlot), []byte(`<meta name="moment" content="`+template.HTMLEscapeString(state)+`">`), 1,
	)
}
