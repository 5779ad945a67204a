package api

import (
	"encoding/json"
	"strconv"

	"rulestore/content"
)

// object makes a JSON object of names and values in turn, in that order.
func object(pairs ...any) content.Object {
	o := make(content.Object, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		o = append(o, content.Member{Name: pairs[i].(string), Value: value(pairs[i+1])})
	}
	return o
}

// value writes what declarations are made of as JSON.
func value(v any) json.RawMessage {
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
		all := make([]any, len(v))
		for i, s := range v {
			all[i] = s
		}
		return value(all)
	case []any:
		b := []byte{'['}
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, value(e)...)
		}
		return append(b, ']')
	}
	panic("a declaration is made of objects, lists, texts, numbers and truths")
}

// ref refers to a component of the document.
func ref(group, name string) content.Object {
	return object("$ref", "#/components/"+group+"/"+name)
}
