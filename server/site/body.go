package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"rulestore/content"
)

// Body is a response body with the offsets at which the time of the response is inserted.
type Body struct {
	Bytes  []byte // with Blank at each offset
	Stamps []int  // the offsets of the time
}

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

// tag returns the weak entity tag of the body.
func (b Body) tag() string {
	sum := sha256.Sum256(b.Bytes)
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}

// add appends another body.
func (b *Body) add(other Body) {
	start := len(b.Bytes)
	b.Bytes = append(b.Bytes, other.Bytes...)
	for _, at := range other.Stamps {
		b.Stamps = append(b.Stamps, start+at)
	}
}

// object writes a JSON object to a body, field by field.
type object struct {
	Body
	open bool
}

// objectLike begins an object with capacity for the fields of another one and the time.
func objectLike(item content.Object) (o object) {
	size := len(`{"fetched_at":""}`) + len(Blank)
	for _, m := range item {
		size += len(`"":,`) + len(m.Name) + len(m.Value)
	}
	o.Bytes = make([]byte, 0, size)
	return o
}

func (o *object) name(name string) {
	if !o.open {
		o.Bytes = append(o.Bytes, '{')
		o.open = true
	} else {
		o.Bytes = append(o.Bytes, ',')
	}
	o.Bytes = append(content.AppendString(o.Bytes, name), ':')
}

func (o *object) raw(name string, value json.RawMessage) {
	o.name(name)
	o.Bytes = append(o.Bytes, value...)
}

func (o *object) text(name, value string) {
	o.name(name)
	o.Bytes = content.AppendString(o.Bytes, value)
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

func (o *object) time(name string, t time.Time) {
	if !t.IsZero() {
		o.text(name, t.Format(time.RFC3339))
	}
}

func (o *object) fetchedAt() {
	o.name("fetched_at")
	o.Stamps = append(o.Stamps, len(o.Bytes)+1)
	o.Bytes = content.AppendString(o.Bytes, Blank)
}

func (o *object) array(name string, elements []Body) {
	o.name(name)
	o.Bytes = append(o.Bytes, '[')
	for i, e := range elements {
		if i > 0 {
			o.Bytes = append(o.Bytes, ',')
		}
		o.add(e)
	}
	o.Bytes = append(o.Bytes, ']')
}

func (o *object) end() Body {
	if !o.open {
		o.Bytes = append(o.Bytes, '{')
	}
	o.Bytes = append(o.Bytes, '}')
	return o.Body
}
