package api

import (
	"encoding/json"
	"strconv"

	"rulestore/content"
)

// Object makes a JSON object of names and values in turn, in that order.
func Object(pairs ...any) content.Object {
	o := make(content.Object, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		o = append(o, content.Member{Name: pairs[i].(string), Value: JSON(pairs[i+1])})
	}
	return o
}

// JSON writes what declarations are made of as JSON.
func JSON(v any) json.RawMessage {
	switch v := v.(type) {
	case json.RawMessage:
		return v
	case content.Object:
		return v.AppendJSON(nil)
	case string:
		return content.String(v)
	case bool:
		return strconv.AppendBool(nil, v)
	case int:
		return strconv.AppendInt(nil, int64(v), 10)
	case []string:
		return list(v)
	case []json.RawMessage:
		return list(v)
	case []any:
		return list(v)
	}
	panic("a declaration is made of objects, lists, texts, numbers and truths")
}

func list[T any](all []T) json.RawMessage {
	b := []byte{'['}
	for i, e := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, JSON(e)...)
	}
	return append(b, ']')
}

// ref refers to a component of the document.
func ref(group, name string) content.Object {
	return Object("$ref", "#/components/"+group+"/"+name)
}
