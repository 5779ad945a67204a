package check

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"sync"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// Kept has the results of [Open] for a file that cannot be derived from its bytes without a
// check. It is for caches: the next run of the same program need not check a file with the same
// name and bytes again.
type Kept struct {
	result Result
	style  []content.Finding
}

// Keep returns the results to cache for a file, not ok if there are none: a file that does not
// parse is checked quickly.
func (f File) Keep() (k Kept, ok bool) { return Kept{f.Result, f.Style}, f.doc != nil }

// Result returns the result of [Item] for the file.
func (k Kept) Result() Result { return k.result }

// Open returns the result of [Open] for the file, which has to be the one that was kept.
func (k Kept) Open(kind *content.Kind, name string, raw []byte) (File, error) {
	d := &Document{Path: kind.File(name), Body: k.result.Body, raw: raw}
	d.reparse = sync.OnceValue(func() *yaml.Node {
		again, _ := parse(d.Path, raw, reserved(kind))
		return again.root
	})
	var err error
	d.value, err = readValue(string(d.Body.AppendJSON(nil)))
	return File{kind, name, raw, k.result, k.style, d, ""}, err
}

// AppendBinary appends the binary form for a cache. It is specific to one build of the program.
func (k Kept) AppendBinary(dst []byte) ([]byte, error) {
	r := k.result
	dst = binary.AppendUvarint(dst, uint64(len(r.Body)))
	for _, m := range r.Body {
		dst = appendPart(appendPart(dst, m.Name), string(m.Value))
	}
	dst = binary.AppendUvarint(dst, uint64(len(r.References)))
	for _, ref := range r.References {
		dst = appendPart(dst, ref.Item)
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(ref.Line)), uint64(ref.Column))
	}
	if len(r.Findings)+len(k.style) == 0 {
		return appendPart(dst, checkedOnly[r.checked]), nil
	}
	var rest bytes.Buffer
	err := gob.NewEncoder(&rest).Encode(keptFindings{r.checked, r.broken, r.Findings, k.style})
	return appendPart(dst, rest.String()), err
}

// keptFindings is the rarely needed rest of Kept.
type keptFindings struct {
	Held            bool
	Broken          []string
	Findings, Style []content.Finding
}

// checkedOnly encodes the rest if there are no findings.
var checkedOnly = map[bool]string{false: "", true: "held"}

func appendPart(dst []byte, part string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(part))), part...)
}

var errKept = errors.New("this is nothing that was kept")

// UnmarshalBinary parses the result of AppendBinary, and keeps references to it. It returns an
// error for anything else.
func (k *Kept) UnmarshalBinary(raw []byte) error {
	p := parts{raw: raw}
	r := Result{Body: content.Object{}}
	for range p.count() {
		r.Body = append(r.Body, content.Member{Name: string(p.next()), Value: p.next()})
	}
	for range p.count() {
		r.References = append(
			r.References, content.Reference{Item: string(p.next()), Line: p.number(), Column: p.number()},
		)
	}
	rest := p.next()
	if p.broken || len(p.raw) > 0 {
		return errKept
	}
	if r.checked = string(rest) == checkedOnly[true]; r.checked || len(rest) == 0 {
		*k = Kept{result: r}
		return nil
	}
	var v keptFindings
	if err := gob.NewDecoder(bytes.NewReader(rest)).Decode(&v); err != nil {
		return errKept
	}
	r.checked, r.broken, r.Findings = v.Held, v.Broken, v.Findings
	*k = Kept{r, v.Style}
	return nil
}

// parts decodes the result of appendPart. broken is set if it is invalid.
type parts struct {
	raw    []byte
	broken bool
}

func (p *parts) number() int {
	n, size := binary.Uvarint(p.raw)
	if size <= 0 || n > MaxSize*8 {
		p.broken, p.raw = true, nil
		return 0
	}
	p.raw = p.raw[size:]
	return int(n)
}

// count reads a number of parts, each of which takes at least one byte.
func (p *parts) count() int {
	n := p.number()
	if n > len(p.raw) {
		p.broken = true
		return 0
	}
	return n
}

func (p *parts) next() []byte {
	n := p.count()
	part := p.raw[:n:n]
	p.raw = p.raw[n:]
	return part
}
