package server_test

import (
	"fmt"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/loader/git"
	"rulestore/server/api"
	"rulestore/server/site"
)

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

// Whatever is asked, the answer is short, and names the registries that it was made of.
func TestFraudBrief(t *testing.T) {
	s := fraudSite()
	query := "?"
	for i := range 20 {
		query += fmt.Sprint("&signal=LONG_", i)
	}
	r := ask(t, s).get(api.FraudBriefPath + query)
	said := decode[struct {
		Signals []struct{ Code string }
		Sources map[string]string `json:"source_checksums"`
	}](t, r.body)
	want := s.Snapshot.Item(content.Registries, "fraud-signals").Current.Checksum
	if len(r.body) > 5120 || said.Sources["registries/fraud-signals/v1.3.0"] != want || len(said.Signals) == 0 {
		t.Errorf("%d bytes: %s", len(r.body), r.body)
	}
}
