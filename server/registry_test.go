package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/schemas"
)

// view is what is served of a registry or of a part of one: the codes of the
// records, and the rest.
func view(t *testing.T, c client, path string) (codes []string, rest content.Object) {
	t.Helper()
	r := c.get(path)
	if r.status != http.StatusOK {
		t.Fatalf("%s: %d\n%s", path, r.status, r.body)
	}
	body := decode[content.Object](t, r.body)
	codes = []string{}
	for _, m := range body {
		if m.Value[0] != '[' {
			rest = append(rest, m)
			continue
		}
		for _, record := range decode[[]content.Object](t, m.Value) {
			codes = append(codes, record.Text(record[0].Name))
		}
	}
	if string(rest.Get("total")) != strconv.Itoa(len(codes)) || strings.Contains(string(r.body), "null") {
		t.Errorf("%s: total is %s of %d records\n%s", path, rest.Get("total"), len(codes), r.body)
	}
	return codes, rest
}

// Every filter that a schema promises is one, and chooses the records that have its value.
func TestEveryFilterIsOne(t *testing.T) {
	c, checked := ask(t, kindsSite()), 0
	for name, path := range registryPaths {
		for _, f := range schemas.Embedded().Schema("registries/"+name, "1.0").Root().Fields {
			for i := 0; f.Records && i < len(f.Items.Fields); i++ {
				if f.Items.Fields[i].Filter != "" {
					checked++
					checkFilter(t, c, path, f.Items.Fields[i])
				}
			}
		}
	}
	if checked != 12 {
		t.Errorf("%d filters", checked)
	}
}

// checkFilter checks each value of a filter against the records themselves.
func checkFilter(t *testing.T, c client, path string, f *content.Field) {
	whole := decode[content.Object](t, c.get(path).body)
	byValue, total := map[string]int{}, 0
	for _, m := range whole {
		var list []map[string]json.RawMessage
		if m.Value[0] == '[' && json.Unmarshal(m.Value, &list) == nil {
			total = len(list)
			for _, record := range list {
				for _, v := range decode[[]any](t, append(append([]byte("["), record[f.Name]...), ']')) {
					many, ok := v.([]any)
					if !ok {
						many = []any{v}
					}
					for _, one := range many {
						byValue[fmt.Sprint(one)]++
					}
				}
			}
		}
	}
	for value, n := range byValue {
		if codes, _ := view(t, c, path+"?"+f.Filter+"="+value); len(codes) != n || n > total {
			t.Errorf("%s?%s=%s: %d records, want %d", path, f.Filter, value, len(codes), n)
		}
	}
	if len(byValue) == 0 {
		t.Errorf("%s: no record has a value for %s", path, f.Filter)
	}
}

// Every record of every registry has an address of its own, and is there what it
// is in the registry.
func TestRecords(t *testing.T) {
	c := ask(t, kindsSite())
	for name, path := range registryPaths {
		for _, m := range kindsSite().Snapshot.Item(content.Registries, name).Current.Body() {
			var list []content.Object
			if name == "taxonomy" || m.Value[0] != '[' || json.Unmarshal(m.Value, &list) != nil {
				continue
			}
			for _, record := range list {
				code := record.Text(record[0].Name)
				r := c.get(path + "/" + code)
				got := slices.DeleteFunc(decode[content.Object](t, r.body), func(m content.Member) bool {
					return strings.HasPrefix(m.Name, "referenced_by")
				})
				if r.status != http.StatusOK || string(got[:len(record)].AppendJSON(nil)) != string(record.AppendJSON(nil)) ||
					strings.Join(fieldsOf(got[len(record):]),
						" ") != "registry_id registry_version source_checksum source_url fetched_at" {
					t.Fatalf("%s/%s: %d\n%s", path, code, r.status, r.body)
				}
			}
		}
	}
}
