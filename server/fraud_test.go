package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

const fraudBriefPath = "/api/v1/fraud/brief"

type fraudAnswer struct {
	Stop      bool
	Signals   []struct{ Code, Title string }
	Compounds []struct {
		Signals []string
		Result  string
	} `json:"compound_rules"`
	Scenarios []struct {
		ID string `json:"scenario_id"`
	}
	States []struct {
		Code, Urgency string
		Happened      bool
		Routes        []string
	}
	Routes []struct {
		ID      string `json:"route_id"`
		Actions []string
	}
	Resources []struct {
		ID    string `json:"resource_id"`
		Phone string
	}
	Sources map[string]string `json:"source_checksums"`
}

func (c client) fraud(codes ...string) (a fraudAnswer, r response) {
	c.Helper()
	return c.fraudBrief("signal=" + strings.Join(codes, "&signal="))
}

func (c client) fraudBrief(query string) (a fraudAnswer, r response) {
	c.Helper()
	r = c.get(fraudBriefPath + "?" + query)
	if r.status != http.StatusOK {
		c.Fatalf("%d %s", r.status, r.body)
	}
	if err := json.Unmarshal(r.body, &a); err != nil {
		c.Fatal(err)
	}
	return a, r
}

func TestFraudBrief(t *testing.T) {
	c := ask(t, starterSite())
	t.Run("a stop", func(t *testing.T) {
		a, _ := client{TB: t, url: c.url}.fraud("SMS_CODE_REQUESTED", "PRETEXT_INTERCOM_KEY")
		if !a.Stop || len(a.Signals) != 2 || len(a.Scenarios) != 1 || a.Scenarios[0].ID != "government_portal_code" {
			t.Errorf("%+v", a)
		}
		if a.States[0].Urgency != "immediate" || a.Routes[0].ID != "stop-contact.001" || len(a.Routes[0].Actions) == 0 {
			t.Errorf("what is urgent is not first: %+v", a)
		}
	})
	t.Run("a compound rule", func(t *testing.T) {
		a, _ := client{TB: t, url: c.url}.fraud("APK_INSTALLATION_REQUESTED",
			"PRETEXT_MOBILE_OPERATOR_5G", "SECRECY_REQUESTED")
		if len(a.Compounds) != 1 || a.Compounds[0].Result != "critical_stop" {
			t.Errorf("%+v", a.Compounds)
		}
	})
	t.Run("a rule of signals alone", func(t *testing.T) {
		c := client{TB: t, url: c.url}
		alone, _ := c.fraud("BANK_SITE_REQUESTS_RUSSIAN_TLS_SUPPORT", "BANK_SITE_REQUESTS_RUSSIAN_TLS_SUPPORT")
		if len(alone.Compounds) != 1 || alone.Compounds[0].Result != "not_fraud" {
			t.Errorf("%+v", alone.Compounds)
		}
		if more, _ := c.fraud("BANK_SITE_REQUESTS_RUSSIAN_TLS_SUPPORT",
			"SMS_CODE_REQUESTED"); len(more.Compounds) != 0 {
			t.Errorf("with another: %+v", more.Compounds)
		}
	})
	t.Run("telephones", func(t *testing.T) {
		a, _ := client{TB: t, url: c.url}.fraudBrief(
			"signal=SAFE_ACCOUNT_TRANSFER_REQUESTED&state=MONEY_TRANSFERRED_BY_USER")
		if !slices.ContainsFunc(a.Resources, func(r struct {
			ID    string `json:"resource_id"`
			Phone string
		}) bool {
			return r.ID == "mvd" && r.Phone == "102"
		}) {
			t.Errorf("%+v", a.Resources)
		}
	})
}

// Routes are for what has happened: what the caller says has, and what the signals mean by themselves.
// What was only asked for has not.
func TestFraudBriefOfStates(t *testing.T) {
	c := ask(t, starterSite())
	const bank, police, block = "bank-urgent-response.001", "police-statement.001", "bank-access-block.001"
	for _, test := range []struct{ query, first, second, not string }{
		{"signal=SAFE_ACCOUNT_TRANSFER_REQUESTED", "stop-contact.001", "", police},
		{"signal=SAFE_ACCOUNT_TRANSFER_REQUESTED&state=MONEY_TRANSFERRED_BY_USER", bank, police, block},
		{"state=MONEY_TRANSFERRED_BY_USER", bank, police, block},
		{"state=CONTACT_ACTIVE&state=MONEY_TRANSFERRED_BY_USER", "stop-contact.001", bank, block},
		{"signal=CARD_CVV_REQUESTED", "stop-contact.001", "", block},
		{"signal=FULL_CARD_DATA_REQUESTED&signal=CARD_CVV_REQUESTED", "stop-contact.001", "", block},
		{"signal=CARD_CVV_REQUESTED&state=BANK_ACCESS_OR_CARD_DATA_DISCLOSED", block, "stop-contact.001", police},
		{"signal=PHYSICAL_QR_CODE_OVERLAY", "", "", block},
		{"signal=UNAUTHORIZED_DEBIT_NOTICED", bank, police, block},
		{"signal=UNAUTHORIZED_DEBIT_NOTICED&state=DEVICE_COMPROMISED", "device-isolation.001", block, "none"},
	} {
		t.Run(test.query, func(t *testing.T) {
			a, r := client{TB: t, url: c.url}.fraudBrief(test.query)
			routes := []string{}
			for _, route := range a.Routes {
				routes = append(routes, route.ID)
			}
			routes = append(routes, "", "")
			if routes[0] != test.first || routes[1] != test.second || slices.Contains(routes, test.not) {
				t.Errorf("the routes are %q", routes)
			}
			for _, s := range a.States {
				if !s.Happened && strings.Contains(test.query, s.Code) {
					t.Errorf("%s has not happened", s.Code)
				}
			}
			if len(r.body) > 5120 {
				t.Errorf("%d bytes", len(r.body))
			}
		})
	}
}

// Whatever is asked, the answer is at most 5 KB, and says where it is from.
func TestFraudBriefsAreShort(t *testing.T) {
	s := starterSite()
	c := ask(t, s)
	var registry struct{ Signals []struct{ Code string } }
	e := s.Snapshot.Item(content.Registries, "fraud-signals").Current
	if err := json.Unmarshal(e.Body().AppendJSON(nil), &registry); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, signal := range registry.Signals {
		all = append(all, signal.Code)
	}
	for _, n := range []int{1, 2, 5, 20} {
		for codes := range slices.Chunk(all, n) {
			a, r := c.fraud(codes...)
			if len(r.body) > 5120 || a.Sources["registries/fraud-signals/v"+e.Version.String()] != e.Checksum {
				t.Errorf("%v: %d bytes, %v", codes, len(r.body), a.Sources)
			}
			if n < 20 && len(a.Signals) != len(codes) {
				t.Errorf("%v: only %d are told of", codes, len(a.Signals))
			}
		}
	}
}

func TestFraudBriefRefusals(t *testing.T) {
	c := ask(t, starterSite())
	for query, want := range map[string]string{
		"":                               "nothing_asked",
		"signal=":                        "empty_value",
		"signal=SMS_CODE_REQUESTD":       "SMS_CODE_REQUESTED",
		"state=MONEY_TRANSFERED_BY_USER": "MONEY_TRANSFERRED_BY_USER",
		"signal=CONTACT_ACTIVE":          "«Состояния пользователя при мошенничестве»: /api/v1/fraud/states",
		"state=SMS_CODE_REQUESTED":       "«Признаки мошенничества»: /api/v1/fraud/signals",
		"signal=SMS_CODE_REQUESTED&state=STOP_NOW":                    "Коды состояний",
		"signal=sms_code_requested":                                   "SMS_CODE_REQUESTED",
		"signals=SMS_CODE_REQUESTED":                                  "unknown_parameter",
		"signal=" + strings.Repeat("X", 201):                          "too_long",
		strings.Repeat("signal=SMS_CODE_REQUESTED&", 21) + "signal=X": "too_many",
	} {
		t.Run(fmt.Sprintf("%.40s", query), func(t *testing.T) {
			r := client{TB: t, url: c.url}.get(fraudBriefPath + "?" + query)
			if r.status != http.StatusBadRequest || !strings.Contains(string(r.body), want) {
				t.Errorf("%d %s", r.status, r.body)
			}
		})
	}
	t.Run("conditional", func(t *testing.T) {
		path := fraudBriefPath + "?signal=SMS_CODE_REQUESTED"
		tag := c.get(path).header.Get("Etag")
		if r := c.get(path, "If-None-Match", tag); r.status != http.StatusNotModified {
			t.Errorf("%d", r.status)
		}
	})
	t.Run("without registries", func(t *testing.T) {
		if r := ask(t, storeSite()).get(fraudBriefPath + "?signal=X"); r.status != http.StatusNotFound {
			t.Errorf("%d %s", r.status, r.body)
		}
	})
}
