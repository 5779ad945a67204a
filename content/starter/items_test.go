package starter_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// What others name stays until the next major version: a record of a registry, a rule, an input or a
// guardrail of a guideline.
func TestWhatOthersNameStays(t *testing.T) {
	for _, i := range published(t).Snapshot.Items {
		for _, e := range i.Entries {
			p := e.Predecessor
			if p == nil || i.Kind != content.Registries &&
				(i.Kind != content.Guidelines || e.Version.Major() != p.Version.Major()) {
				continue
			}
			root := tree(e)
			for s := range tree(p).Sections() {
				if s.Level == 2 && s.Within != "applicability" && root.At(s.Address) == nil {
					t.Errorf("%s has no %s any more", e.Tag(), s.Address)
				}
			}
		}
	}
}

// minimum is how long a text is at least, in letters, that says what it is for.
var minimum = map[string]int{"summary": 60, "reason": 20, "how_to_obtain": 25, "condition": 15, "action": 25,
	"explanation": 30, "definition": 60, "change_note": 20}

var secret = regexp.MustCompile(`(?i)cvv|пин-код|парол|номер карты|паспорт|код из смс|снилс`)

// Sources are pages of authorities and of the systems in which laws are published, see hosts.txt.
// Calculations that are named are there.
func TestFields(t *testing.T) {
	hosts := strings.Fields(string(must(os.ReadFile("testdata/hosts.txt"))(t)))
	tools := map[string]bool{}
	for tool := range calc.New().Tools() {
		tools[tool.ID] = true
	}
	for _, e := range currents(t) {
		for _, p := range passages(e) {
			if n := len([]rune(p.text)); n < minimum[p.field()] {
				t.Errorf("%s %s says too little: %q", p.where, p.fields, p.text)
			}
			if p.in("required_inputs/title") && secret.MatchString(p.text) {
				t.Errorf("%s asks for a secret: %s", p.where, p.text)
			}
			switch p.field() {
			case "tool", "tool_id", "tool_ids", "confirming_tool":
				if !tools[p.text] {
					t.Errorf("%s %s: there is no calculation %s", p.where, p.fields, p.text)
				}
			case "url", "official_url", "organization_directory_url":
				u, err := url.Parse(p.text)
				if err != nil || u.Scheme != "https" || e.Kind != content.Calendars && !slices.Contains(hosts, u.Host) ||
					p.in("sources") && strings.Trim(u.Path, "/") == "" && u.RawQuery == "" {
					t.Errorf("%s %s: not an official page: %s", p.where, p.fields, p.text)
				}
			}
		}
	}
}

// A guideline sends fraud to its own rules, says what it prohibits and what it stops, and names the law.
func TestGuidelines(t *testing.T) {
	begins := map[string]string{"must": "Запрещено ", "stop": "Остановить "}
	for _, e := range currents(t, content.Guidelines) {
		g := decode[struct {
			Scenario      string
			Applicability struct{ Exclusions []string }
			Guardrails    []struct{ Type, Text string }
			Sources       []struct{ Article string }
		}](t, e)
		ours := g.Scenario == "fraud_risk" || strings.Contains(strings.Join(g.Applicability.Exclusions, " "), "fraud_risk")
		article, stops := g.Scenario == "fraud_risk", false
		for _, s := range g.Sources {
			article = article || s.Article != ""
		}
		for _, r := range g.Guardrails {
			stops = stops || r.Type == "stop"
			if begins[r.Type] == "" || !strings.HasPrefix(r.Text, begins[r.Type]) {
				t.Errorf("%s: a guardrail is of the type %q and says: %s", e.Name, r.Type, r.Text)
			}
		}
		if !ours || !article || !stops || e.Status != content.Current {
			t.Errorf("%s: fraud handed over %t, an article %t, stops %t, %s", e.Name, ours, article, stops, e.Status)
		}
	}
}

// What leads to a guideline is named by it.
func TestReferencesGoBothWays(t *testing.T) {
	type leading struct {
		Code       string
		RouteID    string `json:"route_id"`
		Guidelines []string
	}
	leads := map[string][]string{}
	for _, e := range currents(t, content.Registries) {
		f := decode[struct{ Signals, States, Routes []leading }](t, e)
		for _, x := range slices.Concat(f.Signals, f.States, f.Routes) {
			for _, g := range x.Guidelines {
				leads[g] = append(leads[g], x.Code+x.RouteID)
			}
		}
	}
	for _, e := range currents(t, content.Guidelines) {
		g := decode[struct{ Signals, States, Routes []string }](t, e)
		got, want := slices.Concat(g.Signals, g.States, g.Routes), leads[e.Name]
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s names %v, and these lead to it: %v", e.Name, got, want)
		}
	}
}

// A value tells the day on which its sources were read, and one that is not certain is marked, and
// named as preliminary: one that is kept back helps nobody.
func TestParameters(t *testing.T) {
	for _, e := range currents(t, content.Parameters) {
		p := decode[struct {
			Certainty  string
			VerifiedAt string `json:"verified_at"`
			Conditions []string
			Sources    []struct {
				Article   string
				CheckedOn string `json:"checked_on"`
			}
		}](t, e)
		article, text := false, strings.ToLower(strings.Join(p.Conditions, " "))
		for _, s := range p.Sources {
			if article = article || s.Article != ""; s.CheckedOn != p.VerifiedAt {
				t.Errorf("%s was verified on %s, and a source on %s", e.Name, p.VerifiedAt, s.CheckedOn)
			}
		}
		doubtful := p.Certainty == "medium" || p.Certainty == "low"
		cautious := strings.Contains(text, "назвать значение предварительным") && strings.Contains(text, "сверить")
		if !article || doubtful != (e.Status == content.ReviewRequired) || doubtful && !cautious {
			t.Errorf("%s: %s certainty, %s, an article %t: %s", e.Name, p.Certainty, e.Status, article, text)
		}
	}
}

// No step of an instruction has more read at once than a model has room for.
func TestSteps(t *testing.T) {
	const most = 24_000 // bytes, whatever the case is
	for _, e := range currents(t, content.Instructions) {
		for s := range tree(e).Sections() {
			size := 0
			for i := range s.Kids {
				for j := range s.Kids[i].Kids {
					p, ok := s.Kids[i].Kids[j].Pointer()
					if !ok || p.When != "" {
						continue
					}
					of := e
					if folder, name, ok := strings.Cut(p.Item, "/"); ok {
						of = published(t).Snapshot.Item(content.KindOf(folder), name).Current
					}
					for _, address := range p.Sections {
						size += len(tree(of).At(address).Raw)
					}
				}
			}
			if size > most {
				t.Errorf("%s %s: %d bytes are to be read", e.Name, s.Address, size)
			}
		}
	}
}

// The main instruction has the recipe of the checksum that the service follows.
func TestRecipeOfTheChecksum(t *testing.T) {
	policy := tree(published(t).Snapshot.Item(content.Instructions, "assistant").Current).Child("integrity_policy")
	without := `del(.` + strings.Join(content.Derived, ", .") + `)`
	fields := `["` + strings.Join(content.Derived, `","`) + `"]`
	if !strings.Contains(policy.At("command").Text, without) || string(policy.At("excluded_fields").Raw) != fields {
		t.Errorf("the recipe of the checksum is %s", policy.Raw)
	}
}

// The calendars say of every day what the reference table says.
func TestCalendars(t *testing.T) {
	var reference struct {
		Years map[string]map[string]json.RawMessage
	}
	must(0, json.Unmarshal(must(os.ReadFile("../../server/calc/testdata/ru-calendar.json"))(t), &reference))(t)
	c := site.FactsOf(published(t).Snapshot).Calendar
	for name, y := range reference.Years {
		var off, on map[string]json.RawMessage
		must(0, errors.Join(json.Unmarshal(y["non_working_weekdays"], &off), json.Unmarshal(y["working_weekend_days"], &on)))(t)
		year := must(strconv.Atoi(name))(t)
		for d := calc.NewDate(year, 1, 1); d < calc.NewDate(year+1, 1, 1); d++ {
			weekend := d.Weekday() == time.Saturday || d.Weekday() == time.Sunday
			want := on[d.String()] != nil || off[d.String()] == nil && !weekend
			if business, why := c.Business(d); business != want || why == "" {
				t.Errorf("%s: %v (%s), expected %v", d, business, why, want)
			}
		}
	}
	if _, ok := c.Source(2028); ok || len(reference.Years) == 0 {
		t.Error("a calendar of 2028 out of nothing, or no reference")
	}
}
