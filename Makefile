# What developers run. Everything needs Go and git; what needs more says so.

TOOL  = go tool -modfile=scripts/tools/go.mod
FUZZ ?= 30s

BENCH    = go test -run '^$$' -bench
RELOADS ?= 100

.PHONY: run build test check race bench fuzz faults release

run: ## serve the starter content
	go run ./cmd/rulestore serve

build: ## make ./rulestore
	go build -o rulestore ./cmd/rulestore

test: ## what the README says
	go test ./...

check: ## gofmt, vet, staticcheck, govulncheck where its database can be had, race
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "gofmt would change: $$unformatted"; exit 1; }
	go vet -tags slow ./...
	$(TOOL) staticcheck -tags slow ./...
	cd scripts/manifests && go vet ./... && go test ./... # a module of its own
	@if curl -fsS -m 10 -o /dev/null https://vuln.go.dev/index/modules.json 2>/dev/null; then $(TOOL) govulncheck ./...; \
	else echo "govulncheck: skipped, its database is out of reach"; fi
	$(MAKE) race

# What happens at once: requests in all forms beside swaps, assistants, and what follows a repository.
RACE = GORACE=atexit_sleep_ms=0 CGO_ENABLED=1 go test -race

race: ## what happens at once, under the race detector
	$(RACE) -run 'AtOnce|Swap' ./server
	$(RACE) -run 'Follow|OneSite|Sessions|Stream|Subscri' ./server/mcpserver
	$(RACE) ./loader/watch ./server/clients ./cmd/rulestore/internal/...

# Each benchmark runs as often as its figure needs; all of it takes twenty minutes
# on two cores that do nothing else.
bench: ## what speed means here, into server/BENCHMARKS.md; quote the ratios, not the times
	@{ \
	  $(BENCH) Overhead -benchtime 30x ./server && \
	  $(BENCH) MadePages -benchtime 500x ./server && \
	  $(BENCH) Flat -benchtime 1000x ./server/site && \
	  $(BENCH) Swap -benchtime 20x ./server/site && \
	  $(BENCH) '^BenchmarkSearch(20000)?$$/(four|names|hostile|misspelt|layout|unknown|far)' -benchtime 1000x ./content/search && \
	  $(BENCH) 360Rows ./server/calc && \
	  $(BENCH) ColdLoad -benchtime 2x ./loader && \
	  $(BENCH) '^BenchmarkSealed' -benchtime 1x -timeout 60m ./loader && \
	  $(BENCH) 'Start|Resident' -benchtime 10x ./cmd/rulestore && \
	  $(BENCH) 'Publication|ReadsDuringReloads' -benchtime 50x ./cmd/rulestore && \
	  $(BENCH) 'ValidateLarge|Commands' -benchtime 10x ./cmd/rulestore && \
	  $(BENCH) Memory -benchtime 1x ./cmd/rulestore && \
	  $(BENCH) '^BenchmarkReloads$$' -benchtime $(RELOADS)x ./cmd/rulestore || echo FAIL; \
	} 2>&1 | go run ./scripts/bench server/BENCHMARKS.md

fuzz: ## each fuzz target for FUZZ (30s)
	@for p in $$(go list ./...); do \
	  for f in $$(go test -tags slow -list '^Fuzz' $$p | grep '^Fuzz'); do \
	    echo "$$p $$f"; go test -tags slow -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZ) $$p || exit 1; \
	  done; \
	done

faults: ## what happens in years: kills, full disks, crowds, hostile clients; prints what it saw
	scripts/faults/run

release: ## the program for each system, with checksums and SBOMs, into DIST (dist)
	go run ./scripts/release -o $(or $(DIST),dist)
