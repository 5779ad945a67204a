package server_test

import (
	"encoding/json"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// leads are places of a store that must be found from its entrances.
var leads = map[string][]string{
	"store": {deposit + "/versions/1.0.0"},
	"kinds": {"/instructions/fallback-policy.md", "/api/v1/fraud/signals/versions/1.2.0", "/openapi.yaml",
		"/api/v1/calendars/ru-2026", "/schemas/registries/fraud-signals/1.0.json"},
}

// filled puts a name and a version into a path that leaves them open, and a
// question where one is needed. It returns "" if there is nothing to fill in.
func filled(s *site.Site, path string) string {
	if path == "/api/v1/search" {
		return path + "?q=%D0%BA%D0%BE%D0%B4"
	}
	if path == api.FraudBriefPath {
		return path + "?signal=" + aSignal(s)
	}
	if strings.Contains(path, "{") {
		return pathFor(s, path)
	}
	return path
}

// aSignal is the code of the first signal of a site.
func aSignal(s *site.Site) string {
	var signals []struct{ Code string }
	raw := s.Snapshot.Item(content.Registries, "fraud-signals").Current.Body().Get("signals")
	if err := json.Unmarshal(raw, &signals); err != nil {
		panic(err)
	}
	return signals[0].Code
}
