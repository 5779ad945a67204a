package export

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"rulestore/server/site"
)

// Inventory is the file of a tree that lists the others.
const Inventory = "export.json"

// Contents is what an inventory says of its tree before it lists the files.
type Contents struct {
	Snapshot string `json:"snapshot"`
	Build    string `json:"build"` // of the program
	Commit   string `json:"commit"`
	Date     string `json:"date"`
	BaseURL  string `json:"base_url"`
	// Headers of every response, except those that its entry has itself.
	Headers map[string]string `json:"headers"`
}

func contents(s *site.Site) Contents {
	return Contents{
		Snapshot: s.ID, Build: s.Program(), Commit: s.Snapshot.Commit, Date: s.Snapshot.Date, BaseURL: s.URL(""),
		Headers: headersByName(site.CommonHeaders),
	}
}

// A Listed is an entry of the inventory.
type Listed struct {
	Name    string            `json:"name"`
	Type    string            `json:"type"`
	Size    int               `json:"size"`
	SHA256  string            `json:"sha256"`
	Tag     string            `json:"etag"` // of the content and of the time that it states
	Codings []string          `json:"codings,omitempty"`
	Headers map[string]string `json:"headers,omitempty"` // of the response, except those determined by the web server

	entry []byte    // all of it, as it is written
	at    time.Time // of the file and its codings, if this process wrote it or compared it
}

// The form of an inventory: a line for each value, the headers in order. Entries are written one by
// one, at their depth.
var (
	inventoryForm = json.JoinOptions(jsontext.WithIndent(" "), jsontext.EscapeForHTML(true), json.Deterministic(true))
	entryForm     = json.JoinOptions(inventoryForm, jsontext.WithIndentPrefix("  "))
)

// with returns the entry with its headers. Only their text is kept, as there are many.
func (l Listed) with(headers map[string]string) (Listed, error) {
	l.Headers = headers
	var err error
	l.entry, err = json.Marshal(l, entryForm)
	l.Headers = nil
	return l, err
}

// writeInventory creates the file of an inventory.
func writeInventory(path string, c Contents, files []Listed) error {
	head, err := json.Marshal(c, inventoryForm)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<16) // keeps the first error
	out.Write(head[:len(head)-len("\n}")])
	before := ",\n \"files\": [\n  "
	for _, l := range files {
		out.WriteString(before)
		out.Write(l.entry)
		before = ",\n  "
	}
	out.WriteString("\n ]\n}\n")
	return errors.Join(out.Flush(), f.Close())
}

// maxEntry is the maximum size of an entry that is read, and of what comes before the entries.
const maxEntry = 1 << 20

// readInventory reads an inventory, and calls a function for each of its entries; it ends with the
// error that the function returns, which for fs.SkipAll is none. No more than an entry is in memory, so
// the number of entries is limited by the function alone.
func readInventory(r io.Reader, each func(Listed) error) (Contents, error) {
	in := &io.LimitedReader{R: r, N: maxEntry}
	var held struct {
		Contents
		Files entries `json:"files"`
	}
	held.Files = entries{in, each}
	err := json.UnmarshalRead(in, &held)
	if errors.Is(err, fs.SkipAll) {
		err = nil
	}
	return held.Contents, err
}

// entries calls a function for each element of an array while it is read.
type entries struct {
	in   *io.LimitedReader
	each func(Listed) error
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (e *entries) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != jsontext.KindEndArray { // after anything but an array an element is an error
		e.in.N = maxEntry
		var l Listed
		if err := json.UnmarshalDecode(d, &l); err != nil {
			return err
		}
		if err := e.each(l); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}
