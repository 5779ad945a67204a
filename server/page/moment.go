package page

import (
	"bytes"
	"html/template"
)

// momentSlot stands in the head of a page of a preview.
const momentSlot = "<!--moment-->"

// Fill completes a page of a preview: it says of which moment the page is, so that
// the script can tell when there is a newer one.
func Fill(html []byte, moment string) []byte {
	return bytes.Replace(html, []byte(momentSlot), []byte(`<meta name="moment" content="`+template.HTMLEscapeString(moment)+`">`), 1)
}
