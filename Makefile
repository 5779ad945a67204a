# What developers run. Everything needs Go and git; what needs more says so.

TOOL  = go tool -modfile=scripts/tools/go.mod
FUZZ ?= 30s

.PHONY: run build test check bench fuzz faults

run: ## serve the starter content
	go run ./cmd/rulestore serve

build: ## make ./rulestore
	go build -o rulestore ./cmd/rulestore

test: ## what the README says
	go test ./...

check: ## gofmt, vet, staticcheck, govulncheck where its database can be had, race tests
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "gofmt would change: $$unformatted"; exit 1; }
	go vet ./...
	$(TOOL) staticcheck ./...
	@if curl -fsS -m 10 -o /dev/null https://vuln.go.dev/index/modules.json 2>/dev/null; then $(TOOL) govulncheck ./...; \
	else echo "govulncheck: skipped, its database is out of reach"; fi
	go test -race -timeout 30m ./...

bench: ## the ratios of what speed means here; quote them, not the times
	go test -run '^$$' -bench . -benchtime 5x ./loader
	go test -run '^$$' -bench . ./server/... ./content/...

fuzz: ## each fuzz target for FUZZ (30s)
	@for p in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
	    echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZ) $$p || exit 1; \
	  done; \
	done

faults: ## what happens in years: kills, full disks, crowds, hostile clients; prints what it saw
	scripts/faults/run
