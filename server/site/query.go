package site

import (
	"net/url"
	"strconv"
)

// FormatParameter is the parameter for links on pages that selects another media type than the
// Accept header.
const FormatParameter = "format"

// Query are the parameters that have a value.
func Query(all map[string]string) url.Values {
	q := url.Values{}
	for name, value := range all {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// Merged is a query with some parameters replaced; empty values remove them.
func Merged(q, otherwise url.Values) url.Values {
	for name, values := range otherwise {
		if q.Del(name); values[0] != "" {
			q.Set(name, values[0])
		}
	}
	return q
}

// Address is a path with a query, if there is one.
func Address(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// NonDefault is a number as a parameter, "" if it is the default.
func NonDefault(n, standard int) string {
	if n == standard {
		return ""
	}
	return strconv.Itoa(n)
}
