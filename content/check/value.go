package check

import (
	"encoding/json"
	"errors"
	"strings"
)

// errValue is the error of readValue for a text that this program did not write.
var errValue = errors.New("this is no JSON as it is written here")

// readValue parses JSON without spaces, as in [content.Object], to maps, slices, strings,
// json.Number, bool and nil. It takes a quarter of the time of encoding/json, which needs two
// passes for json.Number, and a cache has thousands of texts.
func readValue(text string) (any, error) {
	r := valueReader{text}
	v, ok := r.value(0)
	if !ok || r.rest != "" {
		return nil, errValue
	}
	return v, nil
}

type valueReader struct{ rest string }

// skip reports whether the rest begins with a part, and skips it.
func (r *valueReader) skip(part string) (ok bool) {
	r.rest, ok = strings.CutPrefix(r.rest, part)
	return ok
}

func (r *valueReader) value(depth int) (v any, ok bool) {
	if r.rest == "" || depth > maxDepth+1 {
		return nil, false
	}
	switch r.rest[0] {
	case '{':
		return r.object(depth)
	case '[':
		return r.array(depth)
	case '"':
		return r.text()
	case 't':
		return true, r.skip("true")
	case 'f':
		return false, r.skip("false")
	case 'n':
		return nil, r.skip("null")
	}
	return r.number()
}

func (r *valueReader) object(depth int) (any, bool) {
	fields := map[string]any{}
	if r.rest = r.rest[1:]; r.skip("}") {
		return fields, true
	}
	for {
		name, ok := r.text()
		if !ok || !r.skip(":") {
			return nil, false
		}
		if fields[name], ok = r.value(depth + 1); !ok {
			return nil, false
		}
		if !r.skip(",") {
			return fields, r.skip("}")
		}
	}
}

func (r *valueReader) array(depth int) (any, bool) {
	values := []any{}
	if r.rest = r.rest[1:]; r.skip("]") {
		return values, true
	}
	for {
		v, ok := r.value(depth + 1)
		if values = append(values, v); !ok {
			return nil, false
		}
		if !r.skip(",") {
			return values, r.skip("]")
		}
	}
}

// text reads a string; few have escapes.
func (r *valueReader) text() (s string, ok bool) {
	if r.rest == "" || r.rest[0] != '"' {
		return "", false
	}
	end, escaped := 1, false
	for {
		i := strings.IndexAny(r.rest[end:], `"\`)
		if i < 0 {
			return "", false
		}
		if end += i; r.rest[end] == '"' {
			break
		}
		if end, escaped = end+2, true; end > len(r.rest) {
			return "", false
		}
	}
	s, r.rest = r.rest[1:end], r.rest[end+1:]
	if escaped {
		return s, json.Unmarshal([]byte(`"`+s+`"`), &s) == nil
	}
	return s, true
}

func (r *valueReader) number() (any, bool) {
	end := strings.IndexAny(r.rest, ",]}")
	if end < 0 {
		end = len(r.rest)
	}
	number := r.rest[:end]
	r.rest = r.rest[end:]
	return json.Number(number), jsonNumber.MatchString(number)
}
