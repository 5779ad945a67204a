package mcpserver

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// proofTools are the tools for later verification of answers.
func proofTools() []*tool {
	return []*tool{
		reads("service", "get_proof", "Доказательство версии",
			"Доказывает, что версия есть в журнале прозрачности (c2sp.org/tlog-proof).",
			object("tag", "proof"), (*call).proof, required(text("tag",
				"Например guidelines/product.common.001/v1.0.0"))),
		{
			Tool: &mcp.Tool{
				Name: "check_citations", Title: "Проверка цитат", Annotations: readOnly,
				OutputSchema: object("total", "citations"),
				Description: "Что стало с версиями из прежнего ответа: та ли сумма, действовали ли они тогда (at — " +
					"день, его конец) и сейчас. До " + strconv.Itoa(site.MaxCitations) + " цитат.",
				InputSchema: json.RawMessage(`{"type":"object","properties":{"citations":{"type":"array",` +
					`"items":{"type":"object","properties":{` +
					`"id":{"type":"string"},"version":{"type":"string"},"content_checksum":{"type":"string"},` +
					`"at":{"type":"string","format":"date"}},"required":["id","version","content_checksum"]}}},` +
					`"required":["citations"],"additionalProperties":false}`),
			},
			sets: setsOf("service"),
			run:  (*call).citations,
		},
	}
}

// proof returns the proof of a version, given by its tag.
func (c *call) proof() (result, error) {
	tag := strings.TrimPrefix(strings.TrimSpace(c.Text("tag")), scheme)
	it, e := entryOf(c.site, tag)
	switch {
	case it == nil:
		return result{}, &toolError{
			Code: "version_not_found", Detail: "Такого тега нет: это папка, имя и версия, как в list_checksums.",
		}
	case e == nil:
		return result{}, versionMissing()
	}
	res, why := c.site.Proof(e)
	if res == nil {
		return result{}, &toolError{Code: "no_proof", Detail: why}
	}
	body := c.body(res, api.TextType)
	o := content.Object{{Name: "tag", Value: content.String(tag)}}.With("proof", content.String(string(body)))
	return result{json: o.AppendJSON(nil), text: body, of: e}, nil
}

// citations checks the versions that an earlier answer relied on.
func (c *call) citations() (result, error) {
	all, faults := site.ReadCitations(c.raw)
	if len(faults) > 0 {
		return result{}, &calc.Error{Code: invalidArguments, Detail: seeErrors, Faults: faults}
	}
	return c.resource(c.site.CheckCitations(all), false)
}
