//go:build slow

package main

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tariffs is the row of a kind that there is not, and tariffFormat its format.
const (
	tariffs = `	Tariffs = &Kind{
		Folder: "tariffs", Title: "Тарифы", Name: "tariff",
		About:  "Цены услуг у поставщиков.",
		Weight: 1, Menu: 6,
		ID: "tariff_id", Version: "tariff_version", Format: "schema_version", Header: "X-Tariff",
		Path: "/api/v1/tariffs", List: true, NameIsID: true,
		Summary: []string{"title"},
	}
`
	tariffFormat = `$schema: https://json-schema.org/draft/2020-12/schema
$id: urn:rulestore:tariffs:1.0
title: Тариф
description: Сколько поставщик берёт за услугу.
type: object
additionalProperties: false
required: [schema_version, tariff_id, title, price]
properties:
  schema_version: {title: Версия формата, description: Формат файла., const: "1.0"}
  tariff_id: {title: Идентификатор, description: Имя файла без .yaml., type: string}
  title: {title: Название, description: Как называется тариф., type: string, minLength: 3}
  price: {title: Цена, description: Рубли и копейки., type: string, pattern: '^[0-9]+\.[0-9]{2}$'}
`
)

// programWithTariffs builds this program with one kind more: a row in a table and a file, laid over its sources.
func programWithTariffs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(root, "content", "kind.go")
	text := string(readFile(t, table))
	for _, edit := range [][2]string{
		{"var (\n", "var (\n" + tariffs},
		{"Calendars, Scenarios,\n}", "Calendars, Scenarios, Tariffs,\n}"},
	} {
		if strings.Count(text, edit[0]) != 1 {
			t.Fatalf("content/kind.go does not have %q once", edit[0])
		}
		text = strings.Replace(text, edit[0], edit[1], 1)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		table: filepath.Join(dir, "kind.go"), filepath.Join(root, "schemas", "tariffs", "1.0.yaml"): filepath.Join(dir, "1.0.yaml"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string]string{"kind.go": text, "1.0.yaml": tariffFormat, "overlay.json": string(overlay)} {
		save(t, filepath.Join(dir, file), []byte(data))
	}
	program := filepath.Join(dir, "rulestore")
	cmd := exec.Command(
		"go", "build", "-buildvcs=false", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, ".",
	)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// A new kind is a row and a schema: what authors, readers and assistants do with the others
// they can do with it.
func TestNewKind(t *testing.T) {
	t.Parallel()
	program := programWithTariffs(t)
	bare, a := smallRepository(t)
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir = a.dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("new", "tariffs", "card.001")
	for i, price := range []string{"99.00", "199.00"} {
		a.write("tariffs/card.001.yaml",
			"schema_version: \"1.0\"\ntariff_id: card.001\ntitle: Обслуживание карты\nprice: \""+price+"\"\n")
		a.git("add", "-A")
		a.git("commit", "-q", "-m", "Цена "+price)
		if said := run("validate"); !strings.Contains(said, "0 errors") {
			t.Error(said)
		}
		if said := run("status"); i > 0 && !strings.Contains(said, "price") {
			t.Errorf("what a change means is not said:\n%s", said)
		}
		run("publish", "--push")
	}
	s := spawn(t, func(c *exec.Cmd) { c.Path = program }, "--repo", bare)
	const item = "/api/v1/tariffs/card.001"
	for name, c := range map[string]struct{ path, accept, want string }{
		"list":     {"/api/v1/tariffs", "*/*", `"title":"Обслуживание карты"`},
		"item":     {item, "*/*", `"price":"199.00"`},
		"versions": {item + "/versions", "*/*", `"tariff_version":"1.0.0"`},
		"version":  {item + "/versions/1.0.0", "*/*", `"price":"99.00"`},
		"brief":    {item + "?view=brief", "*/*", `"tariff_id":"card.001"`},
		"Markdown": {item, "text/markdown", "Цена: 199.00"},
		"page":     {item, "text/html", "Обслуживание карты"},
		"menu":     {"/", "text/html", `href="/api/v1/tariffs"`},
		"search": {"/api/v1/search?q=%D0%BE%D0%B1%D1%81%D0%BB%D1%83%D0%B6%D0%B8%D0%B2%D0%B0%D0%BD%D0%B8%D0%B5",
			"*/*", `"kind":"tariff"`},
		"format":   {"/schemas/tariffs/1.0.json", "*/*", "urn:rulestore:tariffs:1.0"},
		"OpenAPI":  {"/openapi.json", "*/*", `"/api/v1/tariffs/{tariff_id}/versions/{version}"`},
		"manifest": {"/", "application/json", "/api/v1/tariffs/{tariff_id}"},
		"change":   {item, "text/html", "Что изменилось"},
	} {
		t.Run(name, func(t *testing.T) {
			res := s.mustGet(c.path, c.accept)
			if res.status != http.StatusOK || !strings.Contains(string(res.body), c.want) {
				t.Errorf("%d, without %s:\n%.2000s", res.status, c.want, res.body)
			}
		})
	}
	t.Run("MCP", func(t *testing.T) {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_tariff",` +
			`"arguments":{"tariff_id":"card.001"}}}`
		req, err := http.NewRequest(http.MethodPost, s.url+"/mcp?toolsets=all", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var said strings.Builder
		if err := res.Write(&said); err != nil || !strings.Contains(said.String(), "199.00") {
			t.Errorf("%v\n%s", err, said.String())
		}
	})
}
