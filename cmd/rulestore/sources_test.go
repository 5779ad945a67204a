package main

import (
	"encoding/json"
	"strings"
)

// borrow writes an item as another clone has it, under a name of its own.
func (a *clone) borrow(from *clone, item, as string) {
	a.Helper()
	_, name, _ := strings.Cut(item, "/")
	_, own, _ := strings.Cut(as, "/")
	a.write(as+".yaml", strings.ReplaceAll(from.read(item+".yaml"), "_id: "+name, "_id: "+own))
}

// publish commits what there is and tags an item.
func (a *clone) publish(item, version string) {
	a.Helper()
	a.git("add", "-A")
	a.git("commit", "-q", "--allow-empty", "-m", item+" "+version)
	a.git("tag", "-am", "Версия "+version, item+"/v"+version)
}

// mark writes lifecycle.yaml, commits and pushes it.
func (a *clone) mark(marks ...string) {
	a.Helper()
	a.write("lifecycle.yaml", "schema_version: \"1.2\"\nmarks: ["+strings.Join(marks, ", ")+"]\n")
	a.git("add", "-A")
	a.git("commit", "-q", "-m", "Пометки")
	a.push()
}

// document reads JSON that is served.
func (s *running) document(path string) (doc map[string]any) {
	s.Helper()
	a := s.mustGet(path, "application/json")
	if err := json.Unmarshal(a.body, &doc); err != nil {
		s.Fatalf("%s: %v\n%s", path, err, a.body)
	}
	return doc
}

// rules lists what health says of a repository: the rules of findings that have the source.
func (s *running) rules(source string) (rules []string) {
	s.Helper()
	for _, f := range s.document("/api/v1/health")["findings"].([]any) {
		if f := f.(map[string]any); f["source"] == source {
			rules = append(rules, f["rule"].(string))
		}
	}
	return rules
}

func (s *running) snapshot() string {
	s.Helper()
	return s.mustGet("/", "*/*").header.Get("X-Snapshot")
}
