package server_test

import (
	"fmt"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/loader/git"
	"rulestore/server/site"
)

const fraudBriefPath = "/api/v1/fraud/brief?"

// fraudSite is the repository of all kinds in which signals mean states, with many long ones.
func fraudSite() *site.Site {
	var file strings.Builder
	file.WriteString(`registry_id: service.fraud-signals.001
schema_version: "1.2"
title: Признаки мошенничества
description: По каким признакам узнают обман.
signals:
  - {code: CODE_REQUESTED, title: Просят код, description: Просят код., category: credentials, severity: critical, sufficient_for_stop: true, states: [NO_LOSS]}
  - {code: SECRECY_REQUESTED, title: Просят молчать, description: Молчать., category: pressure, severity: high, sufficient_for_stop: false}
`)
	for i := range 20 {
		fmt.Fprintf(&file, "  - {code: LONG_%d, title: Признак %d, description: %s, category: device, severity: high, "+
			"sufficient_for_stop: false}\n", i, i, strings.Repeat("Длинно. ", 60))
	}
	return build(nil, load(append(readScript("testdata/kinds.txtar"), git.ScriptCommit{
		Date: today.AddDate(0, 0, -1), Message: "Признаки", Files: map[string][]byte{
			"registries/fraud-signals.yaml": []byte(file.String())},
		Tags: []git.NewTag{{Name: "registries/fraud-signals/v1.3.0", Message: "Признаки"}},
	})).Snapshot)
}

// What signals and states lead to, joined: routes are for what has happened, as the caller says or the
// signals mean by themselves, and not for what was only asked for. Whatever is asked, the answer is short.
func TestFraudBrief(t *testing.T) {
	s := fraudSite()
	c := ask(t, s)
	var long []string
	for i := range 20 {
		long = append(long, fmt.Sprint("signal=LONG_", i))
	}
	const stop, bank = "stop-contact.001", "bank-block.001"
	for query, want := range map[string]string{
		"signal=CODE_REQUESTED":                          "true CODE_REQUESTED | | safe_account | NO_LOSS! CONTACT_ACTIVE | " + stop,
		"signal=CODE_REQUESTED&signal=CODE_REQUESTED":    "true CODE_REQUESTED | | safe_account | NO_LOSS! CONTACT_ACTIVE | " + stop,
		"signal=SECRECY_REQUESTED":                       "false SECRECY_REQUESTED | | safe_account | CONTACT_ACTIVE | ",
		"signal=SECRECY_REQUESTED&signal=CODE_REQUESTED": "true CODE_REQUESTED SECRECY_REQUESTED | critical_stop | safe_account | NO_LOSS! CONTACT_ACTIVE | " + stop,
		"signal=SECRECY_REQUESTED&state=CONTACT_ACTIVE": "false SECRECY_REQUESTED | | safe_account | CONTACT_ACTIVE! | " +
			stop + " " + bank,
		"state=CONTACT_ACTIVE&state=NO_LOSS": "false | | | CONTACT_ACTIVE! NO_LOSS! | " + stop + " " + bank,
		strings.Join(long, "&"):              "",
	} {
		r := c.get(fraudBriefPath + query)
		a := decode[struct {
			Stop      bool
			Signals   []struct{ Code string }
			Compounds []struct{ Result string } `json:"compound_rules"`
			Scenarios []struct {
				ID string `json:"scenario_id"`
			}
			States []struct {
				Code     string
				Happened bool
			}
			Routes []struct {
				ID string `json:"route_id"`
			}
			Sources map[string]string `json:"source_checksums"`
		}](t, r.body)
		said := fmt.Sprint(a.Stop)
		for _, signal := range a.Signals {
			said += " " + signal.Code
		}
		said += " |"
		for _, rule := range a.Compounds {
			said += " " + rule.Result
		}
		said += " |"
		for _, scheme := range a.Scenarios {
			said += " " + scheme.ID
		}
		said += " |"
		for _, state := range a.States {
			if said += " " + state.Code; state.Happened {
				said += "!"
			}
		}
		said += " |"
		for _, route := range a.Routes {
			said += " " + route.ID
		}
		if want != "" && said != strings.TrimSuffix(want, " ") {
			t.Errorf("%s: %s, want %s", query, said, want)
		}
		registry := s.Snapshot.Item(content.Registries, "fraud-signals").Current
		if len(r.body) > 5120 || a.Sources["registries/fraud-signals/v1.3.0"] != registry.Checksum || len(a.Signals) == 0 &&
			strings.Contains(query, "signal") {
			t.Errorf("%.60s: %d bytes, %v", query, len(r.body), a.Sources)
		}
	}
}
