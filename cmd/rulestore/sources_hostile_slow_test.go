//go:build slow

package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// What an earlier repository has, nothing in a later one replaces, hides or marks.
func TestHostileSecondRepository(t *testing.T) {
	t.Parallel()
	baseBare, base := newYoung(t)
	houseBare, house := newHouse(t, base, "house")
	alone := start(t, "--repo", baseBare, "--base-url", baseURL)
	for _, item := range []string{"guidelines/" + common, "registries/taxonomy", "registries/fraud-signals"} {
		house.write(item+".yaml", strings.Replace(base.read(item+".yaml"), "\ntitle: ", "\ntitle: Подмена ", 1))
		house.publish(item, "7.0.0")
	}
	house.git("mv", "guidelines/"+common+".yaml", "guidelines/area-"+common+".yaml")
	house.write("guidelines/area/"+common+".yaml", base.read("guidelines/"+common+".yaml"))
	house.git("rm", "-q", "--cached", "guidelines/area-"+common+".yaml")
	if err := os.Remove(filepath.Join(house.dir, "guidelines/area-"+common+".yaml")); err != nil {
		t.Fatal(err)
	}
	house.publish("guidelines/"+common, "7.1.0")
	// the address of an instruction
	house.write("policies/fraud-response.yaml", base.read("policies/fallback-policy.yaml"))
	house.publish("policies/fraud-response", "1.0.0")
	house.write("policies/other.yaml", base.read("policies/fallback-policy.yaml")) // the id of another
	house.publish("policies/other", "1.0.0")
	// what texts call a rule
	house.write("parameters/"+common+".yaml", strings.ReplaceAll(newLimit, "new.limit", common))
	house.publish("parameters/"+common, "1.0.0")
	house.git("tag", "-am", "Выпуск", "v99.0.0")
	house.mark(
		"{item: guidelines/"+common+", status: redacted, reason: Чужое, since: 2026-01-01}",
		"{item: registries/taxonomy, status: archived, reason: Чужое, since: 2026-01-01}",
		overriding("guidelines/nothing", "guidelines/house."+common),
		overriding("guidelines/house."+common, "guidelines/"+common),
		overriding("registries/taxonomy", "guidelines/house."+common),
		overriding("scenarios/product_analysis", "scenarios/nothing"),
	)
	s := start(t, "--repo", baseBare, "--repo", "house="+houseBare, "--base-url", baseURL)
	for _, path := range []string{
		commonPath, "/api/v1/taxonomy", "/api/v1/fraud/signals", "/api/v1/instructions/fraud-response",
		"/api/v1/instructions/fallback-policy",
	} {
		was, is := alone.mustGet(path, "application/json"), s.mustGet(path, "application/json")
		if was.header.Get("X-Content-Checksum") != is.header.Get("X-Content-Checksum") || is.status != http.StatusOK ||
			is.header.Get("X-Source") != "base" {
			t.Errorf("%s: %d, %s of %q, and alone %s", path, is.status, is.header.Get("X-Content-Checksum"),
				is.header.Get("X-Source"), was.header.Get("X-Content-Checksum"))
		}
		if strings.Contains(string(is.body), "overridden_by") {
			t.Errorf("%s is overridden", path)
		}
	}
	for path, status := range map[string]int{commonPath + "/versions/7.0.0": 404, commonPath + "/versions/7.1.0": 404,
		"/api/v1/instructions/other": 404, housePath: 200} {
		t.Run(path, func(t *testing.T) {
			if a := s.mustGet(path, "application/json"); a.status != status {
				t.Errorf("%s: %d", path, a.status)
			}
		})
	}
	refused := map[any]bool{}
	for _, r := range s.document("/api/v1/health")["refused"].([]any) {
		if r := r.(map[string]any); r["source"] == "house" {
			refused[r["tag"]] = true
		}
	}
	for _, tag := range []string{
		"guidelines/" + common + "/v7.0.0", "guidelines/" + common + "/v7.1.0", "registries/taxonomy/v7.0.0",
		"registries/fraud-signals/v7.0.0",
		"policies/fraud-response/v1.0.0", "policies/other/v1.0.0", "parameters/" + common + "/v1.0.0",
	} {
		if !refused[tag] {
			t.Errorf("%s is not among %v", tag, refused)
		}
	}
	if marks := slices.DeleteFunc(s.rules("house"),
		func(rule string) bool { return rule != "override" }); len(marks) != 6 {
		t.Errorf("%d findings about marks: %v", len(marks), s.rules("house"))
	}
	if page := string(s.mustGet(commonPath, "text/html").body); strings.Contains(page, "7.0.0") {
		t.Error("the page of a rule says what another repository tried to publish")
	}
	if log := string(s.mustGet("/api/v1/changelog", "application/json").body); strings.Contains(log, "99.0.0") {
		t.Error("the changelog has a release of the product that another repository made")
	}
	was, is := alone.document("/"), s.document("/")
	if was["product_version"] != is["product_version"] {
		t.Errorf("the product is %v, and alone %v", is["product_version"], was["product_version"])
	}
}

// Whatever way an item is addressed, cited or referred to, no item of a later repository is
// called so.
func TestNamesOfAnEarlierRepository(t *testing.T) {
	t.Parallel()
	baseBare, base := newYoung(t)
	houseBare, house := newHouse(t, base, "house")
	base.write("parameters/new.limit.yaml", newLimit)
	base.publish("parameters/new.limit", "1.0.0")
	base.push()
	output := base.read("schemas/fraud-response-output.yaml")
	items := []string{
		"instructions/assistant.md",                 // the address of its Markdown
		"instructions/assistant.json",               // of its JSON
		"instructions/" + common,                    // what texts call a rule
		"instructions/fallback-policy.md",           // the address of the Markdown of a policy
		"parameters/new.limit.md",                   // of a parameter
		"schemas/fraud-response-output/v1.3.0",      // the address of a version
		"schemas/fraud-response-output/v1.3.0.json", // and of its JSON
		"schemas/fraud-response-output.md",
		"schemas/guidelines/" + common, // folder and name
		"schemas/instructions/assistant",
		"schemas/fraud/signals", // the end of the address of a registry
	}
	for i, item := range items {
		id := fmt.Sprintf("house.number.%03d", i)
		text := strings.Replace(checking("new.limit"), "house.check", id, 1)
		switch folder, name, _ := strings.Cut(item, "/"); folder {
		case "schemas":
			text = strings.Replace(output, "service.fraud-response-output.001", id, 1)
		case "parameters":
			text = strings.ReplaceAll(newLimit, "new.limit", name)
		}
		house.write(item+".yaml", text)
		house.publish(item, "1.3.0")
	}
	house.push()
	s := start(t, "--repo", baseBare, "--repo", "house="+houseBare, "--base-url", baseURL)
	taken := map[string]bool{}
	for _, r := range s.document("/api/v1/health")["refused"].([]any) {
		r := r.(map[string]any)
		taken[r["tag"].(string)] = slices.ContainsFunc(r["causes"].([]any), func(c any) bool {
			return c.(map[string]any)["rule"] == "taken"
		})
	}
	for _, item := range items {
		t.Run(item, func(t *testing.T) {
			if !taken[item+"/v1.3.0"] {
				t.Errorf("the name is not taken: %v", taken)
			}
		})
	}
	alone := start(t, "--repo", baseBare, "--base-url", baseURL)
	for _, path := range []string{"/instructions/assistant.md", "/guidelines/" + common + "/current.md",
		"/api/v1/fraud/signals"} {
		if was, is := alone.mustGet(path, "*/*"), s.mustGet(path, "*/*"); is.status != http.StatusOK ||
			was.header.Get("X-Content-Checksum") != is.header.Get("X-Content-Checksum") {
			t.Errorf("%s: %d, not what is served alone", path, is.status)
		}
	}
}

// A mark of a house that names what it does not have counts for nothing in a third repository
// either, on whatever day.
func TestMarksOfAnotherRepository(t *testing.T) {
	t.Parallel()
	baseBare, base := newYoung(t)
	houseBare, house := newHouse(t, base, "house")
	deptBare, _ := newHouse(t, base, "dept")
	house.mark(
		"{item: guidelines/dept."+common+", status: archived, reason: Чужое, since: 2020-01-01}",
		"{item: guidelines/dept."+common+", version: 1.0.0, status: redacted, reason: Чужое, since: 2020-01-01}",
	)
	s := start(t, "--repo", baseBare, "--repo", "house="+houseBare, "--repo", "dept="+deptBare, "--base-url", baseURL)
	const item = "guidelines/dept." + common
	today := time.Now().UTC().Format(time.DateOnly)
	for _, path := range []string{
		"/api/v1/" + item, "/api/v1/" + item + "/versions", "/api/v1/" + item + "?as_of=" + today,
		"/feeds/" + item + ".atom",
	} {
		if a := s.mustGet(path, "*/*"); a.status != http.StatusOK || strings.Contains(string(a.body), "Чужое") {
			t.Errorf("%s: %d, or with the mark of another", path, a.status)
		}
	}
}

// A house that has published nothing yet does not keep what it builds on from being served.
func TestHouseWithoutRules(t *testing.T) {
	t.Parallel()
	baseBare, base := newYoung(t)
	houseBare, house := newHouse(t, base, "house")
	house.git("push", "-q", "origin", ":refs/tags/guidelines/house."+common+"/v1.0.0")
	s := start(t, "--repo", baseBare, "--repo", "house="+houseBare, "--base-url", baseURL, "--poll", "1s")
	if a := s.mustGet(commonPath, "application/json"); a.status != http.StatusOK {
		t.Fatalf("%d\n%s", a.status, s.log)
	}
	house.push()
	s.await("what the house publishes", func() bool {
		return s.mustGet(housePath, "application/json").status == http.StatusOK
	})
}
