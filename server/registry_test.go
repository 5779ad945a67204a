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

func TestRegistryFilters(t *testing.T) {
	c := ask(t, kindsSite())
	const code, apk, active = "CODE_REQUESTED", "APK_REQUESTED", "CONTACT_ACTIVE"
	for path, want := range map[string][]string{
		"fraud/signals?category=money":         nil,
		"fraud/states?route=police.001":        nil, // any code that there is may be asked for
		"fraud/routes?resource=bank_of_russia": nil,
		"fraud/scenarios?signal=APK_REQUESTED": {"apk"},

		// Combined, all must hold.
		"fraud/signals?category=device&severity=critical&sufficient_for_stop=true": {apk},
		"fraud/signals?category=device&sufficient_for_stop=false":                  nil,
		"fraud/states?urgency=immediate&route=stop-contact.001":                    {active},

		// As of a day.
		"fraud/signals?severity=critical&as_of=2026-11-20":   {code, apk},
		"fraud/signals?as_of=2026-05-01&severity=critical":   {code},
		"fraud/states?as_of=2026-05-01&route=bank-block.001": {active},
		"fraud/states?as_of=2026-05-01&route=gone.001":       nil,
	} {
		got, rest := view(t, c, "/api/v1/"+path)
		if fields := strings.Join(fieldsOf(rest), " "); !slices.Equal(got, want) ||
			fields != "registry_id registry_version source_checksum source_url total fetched_at" {
			t.Errorf("%s: got %q with %s, want %q", path, got, fields, want)
		}
	}
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

func TestInvalidFilters(t *testing.T) {
	c := ask(t, kindsSite())
	const parameters = "category, severity, sufficient_for_stop, as_of, in_force, section, view, limit, offset."
	for _, test := range []struct{ path, pointer, code, hint string }{
		{"fraud/signals?category=", "category", "unknown_value", "certificate, other."},
		{"fraud/signals?severity=Critical", "severity", "unknown_value", "info, warning, high, critical."},
		{"fraud/signals?sufficient_for_stop=1", "sufficient_for_stop", "unknown_value", "true, false."},
		{"fraud/signals?first=5", "first", "unknown_parameter", parameters},
		{"fraud/signals?category=money&category=device", "category", "repeated_parameter", "один раз"},
		{"fraud/signals?severity=critical&as_of=yesterday", "as_of", "no_date", "2026-05-01"},
		{"fraud/states?route=%20%09", "route", "empty_value", "Укажите"},
		{"fraud/states?route=bank-blok.001", "route", "unknown_value", "Возможно, bank-block.001."},
		{`fraud/routes?resource=%22police%22`, "resource", "unknown_value", "/api/v1/authority-resources"},
		{"fraud/scenarios?state=" + strings.Repeat("X", 5000), "state", "too_long", "200"},
		{"glossary?term=vklad", "term", "unknown_parameter", "as_of, in_force, section, view, limit, offset."},
	} {
		r := c.get("/api/v1/" + test.path)
		r.want(t, http.StatusBadRequest, "invalid_query")
		errs := r.asProblem().Errors
		if len(errs) != 1 || errs[0].Pointer != "/query/"+test.pointer || errs[0].Code != test.code ||
			!strings.Contains(errs[0].Hint, test.hint) {
			t.Errorf("%s: %+v", test.path, errs)
		}
	}
}

// A part of a registry says what it is a part of, and does not pass for it.
func TestPartsNameTheirSource(t *testing.T) {
	c := ask(t, kindsSite())
	const registry = "/api/v1/fraud/signals"
	whole := c.get(registry)
	for _, path := range []string{registry + "/CODE_REQUESTED", registry + "?severity=high",
		registry + "?category=money"} {
		r := c.get(path)
		body := decode[content.Object](t, r.body)
		if r.status != http.StatusOK || body.Text("source_checksum") != whole.header.Get("X-Content-Checksum") ||
			body.Text("source_url") != baseURL+registry+"/versions/1.2.0" {
			t.Errorf("%s: %d\n%s", path, r.status, r.body)
		}
		if body.Text("registry_id") != "service.fraud-signals.001" || body.Text("registry_version") != "1.2.0" ||
			body.Get("content_checksum") != nil || body.Get("status") != nil {
			t.Errorf("%s: %s", path, r.body)
		}
		for name := range r.header {
			if name == "X-Content-Checksum" || strings.HasPrefix(name, "X-Registry") ||
				name == "Last-Modified" || name == "Link" {
				t.Errorf("%s: %s is that of the whole registry", path, name)
			}
		}
		if r.header.Get("Etag") == whole.header.Get("Etag") ||
			c.get(path, "If-None-Match", r.header.Get("Etag")).status != http.StatusNotModified {
			t.Errorf("%s: ETag %s", path, r.header.Get("Etag"))
		}
		md := c.get(path, "Accept", markdownType)
		if filtered := strings.Contains(path, "?"); filtered && md.status != http.StatusNotAcceptable {
			t.Errorf("%s is JSON alone", path)
		} else if checksum := body.Text("source_checksum"); !filtered &&
			(md.status != http.StatusOK || !strings.HasPrefix(string(md.body), "# ") ||
				!strings.Contains(string(md.body), checksum)) {
			t.Errorf("%s as Markdown: %d\n%s", path, md.status, md.body)
		}
	}
	old := decode[content.Object](t, c.get(registry+"?severity=high&as_of=2026-05-01").body)
	if old.Text("registry_version") != "1.1.0" || old.Text("source_url") != baseURL+registry+"/versions/1.1.0" {
		t.Errorf("as of a day: %v", old)
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

// A record whose code is a word of the address hides nothing.
func TestRecordNamedVersions(t *testing.T) {
	c := ask(t, kindsSite())
	list := decode[content.Object](t, c.get("/api/v1/registries/currencies/versions").body)
	if list.Text("registry_id") != "service.currencies.001" || list.Get("versions") == nil {
		t.Errorf("%v", list)
	}
	if got, _ := view(t, c, "/api/v1/registries/currencies"); !slices.Equal(got, []string{"RUB", "versions"}) {
		t.Errorf("%q", got)
	}
}

func TestParameters(t *testing.T) {
	c := ask(t, kindsSite())
	const list = "/api/v1/external-parameters"
	for query, want := range map[string][]string{
		"":                           {"bank.days@1.0.0", "bank.limit@1.1.0"}, // archived ones only on request
		"?prefix=bank.l":             {"bank.limit@1.1.0"},
		"?prefix=Bank":               {},
		"?prefix=ank":                {},
		"?status=archived":           {"credit.kinds@1.0.0"},
		"?status=review_required":    {"bank.days@1.0.0"},
		"?as_of=2026-03-01&prefix=b": {"bank.days@1.0.0", "bank.limit@1.0.0"},
		"?as_of=2026-07-01":          {"bank.days@1.0.0", "bank.limit@1.1.0", "credit.kinds@1.0.0"},
	} {
		if got := ids(t, c, list+query); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
	c.get(list+"?prefix=").want(t, http.StatusBadRequest, "invalid_query")
	if got := c.get(list + "/bank.days").header; got.Get("X-Parameter-Status") != "review_required" ||
		got.Get("Last-Modified") != "Wed, 01 Jul 2026 00:00:00 GMT" {
		t.Errorf("overdue: %v", got)
	}
}
