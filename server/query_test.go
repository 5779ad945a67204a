package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"rulestore/content"
)

// ids asks for a list and returns what is in it, as id@version.
func ids(t *testing.T, c client, path string) []string {
	t.Helper()
	r := c.get(path)
	if r.status != http.StatusOK {
		t.Fatalf("%s: %d\n%s", path, r.status, r.body)
	}
	list := decode[content.Object](t, r.body)
	got := []string{}
	for _, o := range decode[[]content.Object](t, list[len(list)-1].Value) { // id and version come first
		got = append(got, o.Text(o[0].Name)+"@"+o.Text(o[1].Name))
	}
	if string(list.Get("total")) != strconv.Itoa(len(got)) {
		t.Errorf("%s: total is not %d\n%s", path, len(got), r.body)
	}
	if strings.Contains(string(r.body), "null") {
		t.Errorf("%s: an empty list is not null\n%s", path, r.body)
	}
	return got
}

// All errors are named at once, in a stable order, but never thousands.
func TestManyQueryErrors(t *testing.T) {
	c := ask(t, storeSite())
	q := url.Values{"status": {"x"}, "scenario": {"y"}, "product_type": {""}}
	for i := range 3000 {
		q.Set(fmt.Sprint("p", i), "")
	}
	first := c.get("/api/v1/guidelines?" + q.Encode())
	first.want(t, http.StatusBadRequest, "invalid_query")
	if n := len(first.asProblem().Errors); n < 3 || n > 100 {
		t.Errorf("%d errors are named", n)
	}
	if again := c.get("/api/v1/guidelines?" + q.Encode()); string(again.body) != string(first.body) {
		t.Errorf("the same request, another answer:\n%s\n%s", first.body, again.body)
	}
}
