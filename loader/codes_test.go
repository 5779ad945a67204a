package loader_test

import (
	"testing"

	"rulestore/content"
)

// A code that no registry has is a finding of the load too: somebody may tag what
// validate does not let through.
func TestUnknownCodeServed(t *testing.T) {
	r := newRepo(t)
	r.write(content.SettingsFile, settings)
	r.write("registries/taxonomy.yaml", `registry_id: service.taxonomy.001
schema_version: "1.0"
title: Таксономия
description: Коды видов продуктов.
scenarios: []
product_types:
  - {code: deposit, title: Вклад}
  - {code: account, title: Счёт}
`)
	scenario := func(codes string) {
		r.write("scenarios/deposits.yaml", `scenario_id: deposits
schema_version: "1.0"
title: Вклады
description: Как выбрать вклад.
product_types: [`+codes+`]
`)
		r.commit(codes)
	}
	scenario("deposit, acount")
	r.git("tag", "registries/taxonomy/v1.0.0")
	r.git("tag", "scenarios/deposits/v1.0.0")
	kept := r.loader()
	const want = `scenarios/deposits/v1.0.0: scenarios/deposits.yaml: warning: the code "acount" is not in ` +
		`taxonomy/product_types`
	r.expect(describe(kept.Load(t.Context())), want)
	r.expect(describe(kept.Load(t.Context())), want)
	scenario("deposit, account")
	r.git("tag", "scenarios/deposits/v1.0.1")
	r.refuse(describe(kept.Load(t.Context())), "is not in taxonomy")
	r.refuse(r.load(), "is not in taxonomy")
}
