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

// Kept is what [Open] found out about a file: all of it that its bytes do not say again
// without a check. It is for caches: the next run of the same program need not check a
// file with the same name and the same bytes.
type Kept struct {
	result Result
	style  []content.Finding
}

// Keep returns what is to be kept of a file, not ok if that is nothing: a file that
// cannot be read is soon read again.
func (f File) Keep() (k Kept, ok bool) { return Kept{f.Result, f.Style}, f.doc != nil }

// Result returns what [Item] makes of the file.
func (k Kept) Result() Result { return k.result }

// Open returns what [Open] makes of the file, which has to be the one that was kept.
func (k Kept) Open(kind *content.Kind, name string, raw []byte) (File, error) {
	d := &Document{Path: kind.File(name), Body: k.result.Body, raw: raw}
	d.again = sync.OnceValue(func() *yaml.Node {
		again, _ := parse(d.Path, raw, reserved(kind))
		return again.root
	})
	var err error
	d.value, err = readValue(string(d.Body.AppendJSON(nil)))
	return File{kind, name, raw, k.result, k.style, d, ""}, err
}

// AppendBinary appends the form in which a cache stores it. It is that of one build of
// the program: nothing else reads it.
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
		return appendPart(dst, heldAlone[r.held]), nil
	}
	var rest bytes.Buffer
	err := gob.NewEncoder(&rest).Encode(keptRest{r.held, r.broken, r.Findings, k.style})
	return appendPart(dst, rest.String()), err
}

// keptRest is what few files have.
type keptRest struct {
	Held            bool
	Broken          []string
	Findings, Style []content.Finding
}

// heldAlone stands for the rest where there are no findings.
var heldAlone = map[bool]string{false: "", true: "held"}

func appendPart(dst []byte, part string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(part))), part...)
}

var errKept = errors.New("this is nothing that was kept")

// UnmarshalBinary reads what AppendBinary wrote, and keeps parts of it. The error says
// that it is something else.
func (k *Kept) UnmarshalBinary(raw []byte) error {
	p := parts{raw: raw}
	r := Result{Body: content.Object{}}
	for range p.count() {
		r.Body = append(r.Body, content.Member{Name: string(p.next()), Value: p.next()})
	}
	for range p.count() {
		r.References = append(r.References, content.Reference{Item: string(p.next()), Line: p.number(), Column: p.number()})
	}
	rest := p.next()
	if p.broken || len(p.raw) > 0 {
		return errKept
	}
	if r.held = string(rest) == heldAlone[true]; r.held || len(rest) == 0 {
		*k = Kept{result: r}
		return nil
	}
	var v keptRest
	if err := gob.NewDecoder(bytes.NewReader(rest)).Decode(&v); err != nil {
		return errKept
	}
	r.held, r.broken, r.Findings = v.Held, v.Broken, v.Findings
	*k = Kept{r, v.Style}
	return nil
}

// parts reads what appendPart wrote, as far as it is that.
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

// count reads how many follow, each of which takes a byte at least.
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
