package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"time"

	"rulestore/content"
	"rulestore/content/log"
)

// Body is a response body with the offsets at which the time of the response is inserted.
type Body struct {
	Bytes  []byte // with Blank at each offset
	Stamps []int  // the offsets of the time

	List *List // nil if it answers with no list

	told []extent // the members of Identity
}

// An extent is where a member of an object is.
type extent struct{ start, end int }

// A List is where a body has a list, or a part of one.
type List struct {
	Total    int   // of all elements
	after    int   // the offset after this number
	elements []int // the offset of each, and that after the bracket behind the last
	others   []int // likewise of a second array, of what does not count: its pages follow those of the list
}

// Len returns the number of elements in the body, those of the second array included.
func (l *List) Len() int { return l.counted() + max(0, len(l.others)-1) }

func (l *List) counted() int { return len(l.elements) - 1 }

// End returns the offset after the last element of the whole list, and of the second array if it has one.
func (l *List) End() int { return l.Total + l.Len() - l.counted() }

// TimeFormat is the format of fetched_at: UTC, whole seconds, constant width.
const TimeFormat = "2006-01-02T15:04:05Z"

// Blank is the placeholder of the time.
const Blank = "0000-00-00T00:00:00Z"

// Append appends the body to dst with a time in TimeFormat.
func (b Body) Append(dst []byte, now string) []byte {
	start := len(dst)
	dst = append(dst, b.Bytes...)
	for _, at := range b.Stamps {
		copy(dst[start+at:], now)
	}
	return dst
}

// Identity returns the members of a JSON body that tell version and origin, without the content, with
// a time in TimeFormat. Bodies that also have a text keep which these are.
func (b Body) Identity(now string) []byte {
	id := Body{Bytes: []byte{'{'}}
	for i, at := range b.told {
		if i > 0 {
			id.Bytes = append(id.Bytes, ',')
		}
		id.addPart(b, at.start, at.end)
	}
	return append(id.Append(nil, now), '}')
}

// readObjects reads a list of JSON objects; what is none has no elements.
func readObjects(raw json.RawMessage) (all []content.Object) {
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	return all
}

var identifying = regexp.MustCompile(
	`^(.*_id|(.*_)?version|status|view|.*_checksum|checksum_algorithm|canonical_url|published_at|fetched_at|item)$`,
)

// Page returns the body with some of the elements of its list, with the offset of the next page unless
// that is 0, and with a time in TimeFormat.
func (b Body) Page(from, to, next int, now string) []byte {
	var more []byte
	if next > 0 {
		more = strconv.AppendInt([]byte(`,"next_offset":`), int64(next), 10)
	}
	return b.part(from, to, more).Append(nil, now)
}

// part returns the body with some of the elements of its list, and with more members after their number.
func (b Body) part(from, to int, more []byte) Body {
	var p Body
	l := b.List
	n := l.counted()
	p.addPart(b, 0, l.after)
	p.Bytes = append(p.Bytes, more...)
	end := p.addElements(b, l.after, l.elements, min(from, n), min(to, n))
	if len(l.others) > 0 {
		end = p.addElements(b, end, l.others, max(0, from-n), max(0, to-n))
	}
	p.addPart(b, end, len(b.Bytes))
	return p
}

// addElements appends what another body has from an offset on until the end of an array that follows, with
// some of its elements, and returns where that is: the offset of the closing bracket.
func (b *Body) addElements(other Body, start int, at []int, from, to int) int {
	b.addPart(other, start, at[0])
	if from < to {
		b.addPart(other, at[from], at[to]-1)
	}
	return max(at[0], at[len(at)-1]-1)
}

// addPart appends the bytes of another body between two offsets.
func (b *Body) addPart(other Body, from, to int) {
	start := len(b.Bytes) - from
	b.Bytes = append(b.Bytes, other.Bytes[from:to]...)
	for _, at := range other.Stamps {
		if from <= at && at < to {
			b.Stamps = append(b.Stamps, start+at)
		}
	}
}

// tag returns the weak entity tag of the body.
func (b Body) tag() string {
	sum := sha256.Sum256(b.Bytes)
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}

// add appends another body.
func (b *Body) add(other Body) {
	b.addPart(other, 0, len(other.Bytes))
}

// object writes a JSON object to a body, field by field.
type object struct {
	Body
	open  bool
	tells bool // see Body.Identity
}

// name writes the name of a member, and returns where it begins.
func (o *object) name(name string) (start int) {
	if !o.open {
		o.Bytes = append(o.Bytes, '{')
		o.open = true
	} else {
		o.Bytes = append(o.Bytes, ',')
	}
	start = len(o.Bytes)
	o.Bytes = append(content.AppendString(o.Bytes, name), ':')
	return start
}

// tell keeps where a member was written that is one of Identity.
func (o *object) tell(name string, start int) {
	if o.tells && identifying.MatchString(name) {
		o.told = append(o.told, extent{start, len(o.Bytes)})
	}
}

func (o *object) raw(name string, value json.RawMessage) {
	start := o.name(name)
	o.Bytes = append(o.Bytes, value...)
	if value[0] != '{' && value[0] != '[' {
		o.tell(name, start)
	}
}

func (o *object) text(name, value string) {
	start := o.name(name)
	o.Bytes = content.AppendString(o.Bytes, value)
	o.tell(name, start)
}

// members writes the members of another object.
func (o *object) members(all content.Object) {
	for _, m := range all {
		o.raw(m.Name, m.Value)
	}
}

// optional writes a text unless it is empty.
func (o *object) optional(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

// value writes a value encoded by json.Marshal.
func (o *object) value(name string, v any) {
	buf := new(bytes.Buffer)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // types of this package can always be encoded
	}
	o.raw(name, bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
}

// texts writes some texts unless there are none.
func (o *object) texts(name string, all []string) {
	if len(all) > 0 {
		o.value(name, all)
	}
}

// count writes a number unless it is 0.
func (o *object) count(name string, n int) {
	if n != 0 {
		o.value(name, n)
	}
}

// logIndex writes the index of a publication in its log, if it has one.
func (o *object) logIndex(l *log.Served, p *content.Publication) {
	if index, ok := logged(l, p); ok {
		o.value("log_index", index)
	}
}

func (o *object) time(name string, t time.Time) {
	if !t.IsZero() {
		o.text(name, t.Format(time.RFC3339))
	}
}

func (o *object) fetchedAt() {
	start := o.name("fetched_at")
	o.Stamps = append(o.Stamps, len(o.Bytes)+1)
	o.Bytes = content.AppendString(o.Bytes, Blank)
	o.tell("fetched_at", start)
}

// total writes the number of elements of the list that follows.
func (o *object) total(n int) {
	o.value("total", n)
	o.List = &List{Total: n, after: len(o.Bytes)}
}

// elements writes those of the list.
func (o *object) elements(name string, all []Body) { o.List.elements = o.array(name, all) }

// others writes the second array of the list.
func (o *object) others(name string, all []Body) { o.List.others = o.array(name, all) }

// array writes an array, and returns the offset of each element, and that after the bracket behind the last.
func (o *object) array(name string, elements []Body) []int {
	o.name(name)
	o.Bytes = append(o.Bytes, '[')
	for i, e := range elements {
		if i > 0 {
			o.Bytes = append(o.Bytes, ',')
		}
		o.add(e)
	}
	o.Bytes = append(o.Bytes, ']')
	at := make([]int, len(elements)+1)
	at[len(elements)] = len(o.Bytes)
	for i, e := range slices.Backward(elements) {
		at[i] = at[i+1] - len(",") - len(e.Bytes)
	}
	return at
}

// bodies are the bodies of some elements.
func bodies[T any](all []T, body func(T) Body) []Body {
	out := make([]Body, len(all))
	for i, one := range all {
		out[i] = body(one)
	}
	return out
}

func (o *object) end() Body {
	if !o.open {
		o.Bytes = append(o.Bytes, '{')
	}
	o.Bytes = append(o.Bytes, '}')
	return o.Body
}
