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
	const (
		code, secrecy, apk = "CODE_REQUESTED", "SECRECY_REQUESTED", "APK_REQUESTED"
		active, noLoss     = "CONTACT_ACTIVE", "NO_LOSS"
		stop, block        = "stop-contact.001", "bank-block.001"
	)
	for i, test := range []struct {
		path string
		want []string
	}{
		// Of an enumeration.
		{"fraud/signals?category=credentials", []string{code}},
		{"fraud/signals?category=money", nil},
		{"fraud/signals?severity=critical", []string{code, apk}},
		{"fraud/states?urgency=prompt", []string{noLoss}},
		{"fraud/routes?urgency=immediate", []string{stop, block}},
		{"fraud/routes?target_type=bank", []string{block}},
		{"authority-resources?status=recheck_required", []string{"user_bank"}},
		{"authority-resources?status=verified", []string{"bank_of_russia"}},

		// True or false.
		{"fraud/signals?sufficient_for_stop=true", []string{code, apk}},
		{"fraud/signals?sufficient_for_stop=false", []string{secrecy}},
		{"fraud/states?irreversible_harm_possible=true", []string{active}},
		{"fraud/states?irreversible_harm_possible=false", []string{noLoss}},

		// What a list holds: any code that there is may be asked for.
		{"fraud/states?route=stop-contact.001", []string{active, noLoss}},
		{"fraud/states?route=bank-block.001", []string{active}},
		{"fraud/states?route=police.001", nil},
		{"fraud/scenarios?signal=SECRECY_REQUESTED", []string{"safe_account"}},
		{"fraud/scenarios?state=CONTACT_ACTIVE", []string{"safe_account", "apk"}},
		{"fraud/scenarios?state=NO_LOSS", []string{"apk"}},
		{"fraud/routes?resource=police", []string{"police.001"}},
		{"fraud/routes?resource=bank_of_russia", nil},

		// Combined, all must hold.
		{"fraud/signals?severity=critical&category=device", []string{apk}},
		{"fraud/signals?category=device&severity=critical&sufficient_for_stop=true", []string{apk}},
		{"fraud/signals?category=device&sufficient_for_stop=false", nil},
		{"fraud/states?urgency=immediate&route=stop-contact.001&irreversible_harm_possible=true", []string{active}},
		{"fraud/scenarios?signal=CODE_REQUESTED&state=NO_LOSS", nil},

		// As of a day.
		{"fraud/signals?severity=critical&as_of=2026-11-20", []string{code, apk}},
		{"fraud/signals?as_of=2026-05-01&severity=critical", []string{code}},
		{"fraud/signals?as_of=2026-05-01&category=device", nil},
		{"fraud/states?as_of=2026-05-01&route=bank-block.001", []string{active}},
		{"fraud/states?as_of=2026-05-01&route=gone.001", nil},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got, rest := view(t, c, "/api/v1/"+test.path)
			if !slices.Equal(got, test.want) {
				t.Errorf("%s: got %q, want %q", test.path, got, test.want)
			}
			fields := strings.Join(fieldsOf(rest), " ")
			if fields != "registry_id registry_version source_checksum source_url total fetched_at" {
				t.Errorf("%s: %s", test.path, fields)
			}
		})
	}
}

// Every filter that a schema promises is one.
func TestEveryFilterIsOne(t *testing.T) {
	c := ask(t, starterSite())
	want := map[string]string{
		"fraud-signals": "category severity sufficient_for_stop",
		"fraud-states":  "urgency irreversible_harm_possible route",
		"fraud-routes":  "urgency target_type resource", "fraud-scenarios": "signal state",
		"authority-resources": "status", "glossary": "",
	}
	for name, filters := range want {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range schemas.Embedded().Schema("registries/"+name, "1.0").Root().Fields {
				if !f.Records {
					continue
				}
				for _, f := range f.Items.Fields {
					if f.Filter != "" {
						got = append(got, f.Filter)
						checkFilter(t, c, registryPaths[name], f)
					}
				}
			}
			if strings.Join(got, " ") != filters {
				t.Errorf("%s: the filters are %q, want %q", name, got, filters)
			}
		})
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
	for i, test := range []struct{ path, pointer, code, hint string }{
		{"fraud/signals?category=theft", "category", "unknown_value",
			"pretext, impersonation, pressure, credentials, device, money"},
		{"fraud/signals?category=", "category", "unknown_value", "certificate, other."},
		{"fraud/signals?severity=Critical", "severity", "unknown_value", "info, warning, high, critical."},
		{"fraud/signals?sufficient_for_stop=1", "sufficient_for_stop", "unknown_value", "true, false."},
		{"fraud/signals?sufficient_for_stop=TRUE", "sufficient_for_stop", "unknown_value", "true, false."},
		{"fraud/signals?sufficient=true", "sufficient", "unknown_parameter",
			"category, severity, sufficient_for_stop, as_of, in_force, section, view."},
		{"fraud/signals?limit=5", "limit", "unknown_parameter",
			"category, severity, sufficient_for_stop, as_of, in_force, section, view."},
		{"fraud/signals?category=money&category=device", "category", "repeated_parameter", "один раз"},
		{"fraud/signals?severity=critical&as_of=yesterday", "as_of", "no_date", "2026-05-01"},
		{"fraud/states?urgency=now", "urgency", "unknown_value", "preventive, prompt, urgent, immediate."},
		{"fraud/states?route=", "route", "empty_value", "Укажите"},
		{"fraud/states?route=%20%09", "route", "empty_value", "Укажите"},
		{"fraud/states?route=bank-blok.001", "route", "unknown_value", "Возможно, bank-block.001."},
		{`fraud/routes?resource=%22police%22`, "resource", "unknown_value", "/api/v1/authority-resources"},
		{"fraud/scenarios?signal=APK_REQUESTD", "signal", "unknown_value", "Возможно, APK_REQUESTED."},
		{"fraud/scenarios?state=" + strings.Repeat("X", 5000), "state", "too_long", "200"},
		{"fraud/routes?target_type=friend", "target_type", "unknown_value", "bank, police"},
		{"fraud/scenarios?signals=APK_REQUESTED", "signals", "unknown_parameter", "signal, state"},
		{"authority-resources?status=current", "status", "unknown_value", "verified, recheck_required."},
		{"glossary?term=vklad", "term", "unknown_parameter", "as_of, in_force, section, view."},
		{"registries/currencies?code=RUB", "code", "unknown_parameter", "as_of, in_force, section, view."},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := c.get("/api/v1/" + test.path)
			r.want(t, http.StatusBadRequest, "invalid_query")
			errs := r.asProblem().Errors
			if len(errs) != 1 || errs[0].Pointer != "/query/"+test.pointer || errs[0].Code != test.code ||
				!strings.Contains(errs[0].Hint, test.hint) {
				t.Errorf("%s: %+v", test.path, errs)
			}
		})
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
	c := ask(t, starterSite())
	count := 0
	for name, path := range registryPaths {
		item := starterSite().Snapshot.Item(content.Registries, name)
		for _, m := range item.Current.Body() {
			var list []content.Object
			if name == "taxonomy" || m.Value[0] != '[' || json.Unmarshal(m.Value, &list) != nil {
				continue
			}
			for _, record := range list {
				count++
				code := record.Text(record[0].Name)
				r := c.get(path + "/" + code)
				got := decode[content.Object](t, r.body)
				got = slices.DeleteFunc(got, func(m content.Member) bool {
					return strings.HasPrefix(m.Name, "referenced_by")
				})
				if r.status != http.StatusOK ||
					string(got[:len(record)].AppendJSON(nil)) != string(record.AppendJSON(nil)) ||
					strings.Join(fieldsOf(got[len(record):]),
						" ") != "registry_id registry_version source_checksum source_url fetched_at" {
					t.Fatalf("%s/%s: %d\n%s", path, code, r.status, r.body)
				}
			}
			total := string(decode[content.Object](t, c.get(path).body).Get("total"))
			if total != strconv.Itoa(len(list)) {
				t.Errorf("%s: total is %s of %d", path, total, len(list))
			}
		}
	}
	if count < 300 {
		t.Errorf("only %d records", count)
	}
	if signals, stops := must2(view(t, c, "/api/v1/fraud/signals")),
		must2(view(t, c, "/api/v1/fraud/signals?sufficient_for_stop=true")); len(signals) != 121 || len(stops) != 31 {
		t.Errorf("%d signals, %d of them STOP signals; the specification has 121 and 31", len(signals), len(stops))
	}
}

func must2[T, U any](v T, _ U) T { return v }

func TestRecordNotFound(t *testing.T) {
	c := ask(t, kindsSite())
	for _, test := range []struct{ path, code, hint string }{
		{"/api/v1/fraud/signals/NO_SUCH", "record_not_found", "/api/v1/fraud/signals"},
		{"/api/v1/fraud/signals/code_requested", "record_not_found", "/api/v1/fraud/signals"},
		{"/api/v1/fraud/routes/stop-contact", "record_not_found", "/api/v1/fraud/routes"},
		{"/api/v1/glossary/%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4", "record_not_found", "/api/v1/glossary"},
		{"/api/v1/registries/currencies/USD", "record_not_found", "/api/v1/registries/currencies"},
		{"/api/v1/fraud/signals/", "path_not_found", "/"},
		{"/api/v1/fraud/signals/CODE_REQUESTED/versions", "path_not_found", "/"},
		{"/api/v1/fraud/signals/CODE_REQUESTED/versions/1.0.0", "path_not_found", "/"},
		{"/api/v1/fraud/signals/CODE_REQUESTED/x", "path_not_found", "/"},
		{"/api/v1/fraud/signals/versions/9.9.9", "version_not_found", "/api/v1/fraud/signals/versions"},
		{"/api/v1/taxonomy/fraud_risk", "path_not_found", "/"}, // not a list of records
		{"/api/v1/registries/fraud-signals", "registry_not_found", "/api/v1/registries"},
		{"/api/v1/registries/nothing", "registry_not_found", "/api/v1/registries"},
		{"/api/v1/instructions/nothing", "instruction_not_found", "/api/v1/instructions"},
		{"/instructions/nothing.md", "instruction_not_found", "/api/v1/instructions"},
		{"/instructions/assistant", "path_not_found", "/"},
		{"/instructions/assistant.html", "path_not_found", "/"},
		{"/api/v1/policies/fallback-policy", "path_not_found", "/"},
		{"/api/v1/parameters", "path_not_found", "/"},
		{"/api/v1/external-parameters/bank", "parameter_not_found", "/api/v1/external-parameters"},
		{"/api/v1/schemas/math", "schema_not_found", "/api/v1/schemas"},
		{"/api/v1/schemas/math/nothing", "schema_not_found", "/api/v1/schemas"},
		{"/api/v1/calendars/ru-1999", "calendar_not_found", "/api/v1/calendars"},
		{"/schemas/guidelines/99.0.json", "path_not_found", "/"},

		// What is said of an item is missing with the item.
		{"/compare/guidelines/nothing", "guideline_not_found", "/api/v1/guidelines"},
		{"/feeds/guidelines/nothing.atom", "guideline_not_found", "/api/v1/guidelines"},
		{"/api/v1/external-parameters/nothing/periods", "parameter_not_found", "/api/v1/external-parameters"},
		{"/api/v1/guidelines/fraud.code.001/periods", "path_not_found", "/"},
		{"/api/v1/registries/currencies/RUB/x", "path_not_found", "/"},
		{"/api/v1/registries/nothing/RUB", "registry_not_found", "/api/v1/registries"},
		{"/schemas/output/nothing.json", "schema_not_found", "/api/v1/schemas"},
		{"/schemas/output/nothing/1.0.0.json", "schema_not_found", "/api/v1/schemas"},
		{"/schemas/output/math/claim/9.9.9.json", "version_not_found", "/api/v1/schemas/math/claim/versions"},
	} {
		t.Run(test.path, func(t *testing.T) {
			r := c.get(test.path)
			r.want(t, http.StatusNotFound, test.code)
			if p := r.asProblem(); !strings.HasSuffix(p.Detail, baseURL+test.hint) {
				t.Errorf("%s: %+v", test.path, p)
			}
			if status := c.do(http.MethodPost,
				test.path).status; (status == http.StatusNotFound) != (test.code == "path_not_found") {
				t.Errorf("POST %s: %d", test.path, status)
			}
		})
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
		"":                            {"bank.days@1.0.0", "bank.limit@1.1.0"}, // archived ones only on request
		"?prefix=bank.":               {"bank.days@1.0.0", "bank.limit@1.1.0"},
		"?prefix=bank.l":              {"bank.limit@1.1.0"},
		"?prefix=bank.limit":          {"bank.limit@1.1.0"},
		"?prefix=bank.limits":         {},
		"?prefix=Bank":                {},
		"?prefix=ank":                 {},
		"?prefix=credit":              {},
		"?status=archived":            {"credit.kinds@1.0.0"},
		"?status=review_required":     {"bank.days@1.0.0"},
		"?status=superseded&prefix=b": {"bank.limit@1.0.0"},
		"?as_of=2026-03-01&prefix=b":  {"bank.days@1.0.0", "bank.limit@1.0.0"},
		"?as_of=2026-07-01":           {"bank.days@1.0.0", "bank.limit@1.1.0", "credit.kinds@1.0.0"},
	} {
		t.Run(query, func(t *testing.T) {
			if got := ids(t, c, list+query); !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", query, got, want)
			}
		})
	}
	c.get(list+"?prefix=").want(t, http.StatusBadRequest, "invalid_query")
	c.get(list+"?status=verified").want(t, http.StatusBadRequest, "invalid_query")

	// Each has what a user of it has to write down, and the same as in the list.
	for _, id := range []string{"bank.days", "bank.limit"} {
		r := c.get(list + "/" + id)
		var p struct {
			ID       string `json:"parameter_id"`
			Version  string `json:"parameter_version"`
			Status   string
			Verified string `json:"verified_at"`
			Checksum string `json:"content_checksum"`
			Value    float64
		}
		if err := json.Unmarshal(r.body, &p); err != nil || p.ID != id || p.Version == "" || p.Status == "" ||
			p.Verified == "" || p.Value == 0 || p.Checksum != r.header.Get("X-Content-Checksum") {
			t.Errorf("%s: %+v (%v)", id, p, err)
		}
	}
	if got := c.get(list + "/bank.days").header; got.Get("X-Parameter-Status") != "review_required" ||
		got.Get("Last-Modified") != "Wed, 01 Jul 2026 00:00:00 GMT" {
		t.Errorf("overdue: %v", got)
	}
}

// What the starter content promises has the five ids of the specification.
func TestSpecifiedParameters(t *testing.T) {
	c := ask(t, starterSite())
	for _, id := range []string{
		"fo-response-standard-working-days", "fo-response-extension-working-days",
		"ombudsman-amount-limit", "ombudsman-limitation-period", "ombudsman-product-exceptions",
	} {
		if r := c.get("/api/v1/external-parameters/consumer-rights." + id); r.status != http.StatusOK ||
			r.header.Get("X-Parameter-Id") != "consumer-rights."+id {
			t.Errorf("%s: %d", id, r.status)
		}
	}
	if got := ids(t, c, "/api/v1/external-parameters?prefix=consumer-rights.fo-response-"); len(got) != 2 {
		t.Errorf("%q", got)
	}
}
