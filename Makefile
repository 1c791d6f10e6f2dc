# Everything a developer does with this project. `make` lists it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c

CACHE   := $(CURDIR)/.cache
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo v0.0.0-dev)
DATE    := $(shell git log -1 --format=%cI 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION)
BIN     := bin/kubectl-ctrl
TOOLS   := -modfile=test/tools/go.mod
# The upstream versions that make test asks.
ORACLES := 1.23 1.29 1.31 1.33 1.34.1 1.34 1.36 1.37 kruise-1.8 kruise-1.9 manager-1.36
# Those that make oracle asks as well.
MORE    := 1.24 1.30 1.32 1.35.0 1.35 kruise-1.5 kruise-1.6.0 kruise-1.7 $(patsubst test/oracle/manager/%.mod,manager-%,$(filter-out %/go.mod,$(wildcard test/oracle/manager/*.mod)))
# States for each version that make oracle and make fidelity ask, and for some versions.
STATES  := 200000,1.36=1000000,1.37=1000000,1.9=1000000
# How long make fuzz runs each target, and on how many processors.
FUZZTIME := 1m
FUZZERS  := 2
# Packages of everyday tests: all but those that start a control plane or run
# upstream's controllers.
UNIT    := $(shell go list ./... 2>/dev/null | grep -v -E '/test/(controlplane|browser|e2e|graphs|krew|oracle|playground|rollouts)')

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | column -t -s "$$(printf '\t')"

.PHONY: build
build: ## build bin/kubectl-ctrl
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/kubectl-ctrl

.PHONY: demo
demo: build ## explain and plan a saved ReplicaSet; needs no cluster
	@echo '$$ kubectl ctrl explain rs/web-7b46c4b544 --from docs/examples/shop.yaml'
	@$(BIN) explain rs/web-7b46c4b544 --from docs/examples/shop.yaml
	@echo
	@echo '$$ kubectl ctrl plan rs/web-7b46c4b544 --replicas 2 --from docs/examples/shop.yaml'
	@$(BIN) plan rs/web-7b46c4b544 --replicas 2 --from docs/examples/shop.yaml

.PHONY: check
check: format vet lint workflows unit ## the everyday loop: format, vet, lint, unit and golden tests

.PHONY: format
format:
	@unformatted=$$(gofmt -l cmd krew pkg plugins docs test); \
	if [ -n "$$unformatted" ]; then echo "run gofmt -w on: $$unformatted"; exit 1; fi

.PHONY: vet
vet:
	go vet ./...

.PHONY: lint
lint:
	go tool $(TOOLS) golangci-lint run ./...

.PHONY: workflows
workflows:
	go tool -modfile=test/tools/actionlint/go.mod actionlint -shellcheck= -pyflakes=

.PHONY: unit
unit:
	go test $(UNIT)

.PHONY: determinism
determinism: ## the same answers to the byte, a hundred times, with the race detector, on 1 and 16 processors
	DETERMINISM_RUNS=100 go test -race -timeout 60m -count 1 ./test -run TestSameBytes

.PHONY: race
race: ## the tests of what runs at the same time, with the race detector
	go test -race ./pkg/view/... ./pkg/cli/... ./pkg/trace/...

.PHONY: test
test: check race oracles controlplane ## all tests: everyday ones, oracles, end to end
	ORACLES=$(CACHE)/oracle go test -timeout 20m ./test/oracle/...
	cd test/oracle/kruisedriver && ORACLES=$(CACHE)/oracle go test ./smoke
	go test -timeout 30m -p 1 ./test/controlplane/... ./test/e2e/... ./test/rollouts/... ./test/krew/...

.PHONY: oracles
oracles: ## build the real controllers of every modelled version
	test/oracle/build.sh $(CACHE)/oracle $(ORACLES)

.PHONY: oracle
oracle: oracles ## STATES and a million steps of expectations per version against the real controllers; takes hours
	test/oracle/build.sh $(CACHE)/oracle $(MORE)
	ORACLES=$(CACHE)/oracle ORACLE_MORE=all ORACLE_STATES=$(STATES) ORACLE_EVENTS=200000 ORACLE_MEMORY_STEPS=1000000 go test -timeout 12h -count 1 $(shell go list ./test/oracle/... 2>/dev/null)

.PHONY: oracle-more
oracle-more: ## 50,000 states against the versions whose oracles make test does not build
	test/oracle/build.sh $(CACHE)/oracle $(MORE)
	ORACLES=$(CACHE)/oracle ORACLE_MORE=1 ORACLE_STATES=50000 ORACLE_EVENTS=100000 go test -timeout 60m -count 1 ./test/oracle ./test/oracle/cloneset ./test/oracle/deployment ./test/oracle/statefulset ./test/oracle/handlers ./test/oracle/managers -run 'TestSyncs|TestComparator|TestDeciders|TestClaims|TestHandlers|TestDeploymentHandlers|TestTable|TestControllersFlag|TestFeatureGates'

.PHONY: controlplane
controlplane: ## build a real control plane, with OpenKruise
	test/controlplane/build.sh $(CACHE)/controlplane/bin
	test/controlplane/build.sh $(CACHE)/controlplane/bin kruise-manager

.PHONY: mutants
mutants: oracles ## break decisions in small ways, and say which tests notice
	ORACLES=$(CACHE)/oracle go run ./test/mutants

.PHONY: freeze
freeze: build ## ask BASE, a commit, and this checkout the same questions; print what differs
	git worktree add --detach --force $(CACHE)/freeze/tree $(BASE)
	cd $(CACHE)/freeze/tree && go build -o $(CACHE)/freeze/kubectl-ctrl ./cmd/kubectl-ctrl
	git worktree remove --force $(CACHE)/freeze/tree
	go run ./test/freeze $(CACHE)/freeze/kubectl-ctrl $(BIN)

.PHONY: playground
playground: build controlplane ## a real cluster on this machine, with workloads to look at
	go run ./test/playground

.PHONY: fidelity
fidelity: oracles controlplane ## STATES against every version, and all scenarios, written to docs/fidelity.md
	test/oracle/build.sh $(CACHE)/oracle $(MORE)
	ORACLES=$(CACHE)/oracle ORACLE_MORE=all ORACLE_STATES=$(STATES) ORACLE_REPORT=$(CACHE)/oracle.json go test -timeout 12h -count 1 ./test/oracle
	ORACLES=$(CACHE)/oracle ORACLE_MORE=all ORACLE_STATES=$(STATES) ORACLE_REPORT=$(CACHE)/deployment.json go test -timeout 12h -count 1 ./test/oracle/deployment
	ORACLES=$(CACHE)/oracle ORACLE_MORE=all ORACLE_STATES=$(STATES) ORACLE_REPORT=$(CACHE)/statefulset.json go test -timeout 12h -count 1 ./test/oracle/statefulset
	ORACLES=$(CACHE)/oracle ORACLE_MORE=all ORACLE_STATES=$(STATES) ORACLE_REPORT=$(CACHE)/cloneset.json go test -timeout 12h -count 1 ./test/oracle/cloneset
	ORACLES=$(CACHE)/oracle ORACLE_MEMORY_STEPS=1000000 ORACLE_REPORT=$(CACHE)/memory.json go test -timeout 90m -count 1 ./test/oracle/memory
	ORACLES=$(CACHE)/oracle ORACLE_EVENTS=200000 ORACLE_REPORT=$(CACHE)/handlers.json go test -timeout 90m -count 1 ./test/oracle/handlers
	E2E_REPORT=$(CACHE)/e2e.json go test -timeout 30m -count 1 ./test/e2e
	E2E_REPORT=$(CACHE)/cloneset-e2e.json go test -timeout 30m -count 1 ./test/e2e/cloneset
	TRACE_CHANGES=1000 TRACE_REPORT=$(CACHE)/trace.json TRACE_CLONESET_REPORT=$(CACHE)/cloneset-trace.json go test -timeout 60m -count 1 -run TestRandom ./test/e2e/trace
	go run ./docs/generate/fidelity $(addprefix $(CACHE)/,$(addsuffix .json,oracle deployment statefulset cloneset memory handlers e2e cloneset-e2e trace cloneset-trace)) > docs/fidelity.md

.PHONY: release
release: ## archives, SBOMs, sums and the krew manifest in dist/, installed with a real krew
	rm -rf dist
	go run ./krew -version '$(VERSION)' $(if $(DATE),-date '$(DATE)')
	DIST=$(CURDIR)/dist go test -count 1 -timeout 20m ./test/krew

.PHONY: bench
bench: build controlplane benchmarks ## whole commands on real control planes with up to 150,000 pods, in tables
	test/bench/build.sh $(CACHE)/bench/bin
	{ go run ./test/bench -benchmarks $(CACHE)/bench/benchmarks.txt; go run ./test/bench -growth; } | tee $(CACHE)/bench/performance.md

.PHONY: benchmarks
benchmarks: ## benchmarks of deciding and reading, without a cluster
	mkdir -p $(CACHE)/bench
	go test -run '^$$' -bench . -benchtime 10x ./pkg/... ./plugins/... | tee $(CACHE)/bench/benchmarks.txt

.PHONY: performance
performance: bench ## write docs/performance.md from one run
	cp $(CACHE)/bench/performance.md docs/performance.md

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME each (1m); what fails is kept in testdata/fuzz
	@for package in $$(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n 1 dirname | sort -u); do \
		for target in $$(go test -list '^Fuzz' ./$$package | grep '^Fuzz'); do \
			echo "== $$package $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x -parallel $(FUZZERS) ./$$package; \
		done; \
	done

.PHONY: vuln
vuln: ## known vulnerabilities in what the program calls; needs vuln.go.dev, or VULNDB=file:///a/copy
	go tool $(TOOLS) govulncheck $(if $(VULNDB),-db $(VULNDB)) ./cmd/... ./krew

.PHONY: graphs
graphs: ## draw graphs with Graphviz, and with mermaid in a browser
	test/graphs/run.sh $(CACHE)/graphs

.PHONY: pages
pages: ## open pages of -o html in a browser; PICTURES=folder keeps what it showed
	PAGES=1 go test -count 1 ./test/browser

.PHONY: docs
docs: ## regenerate docs/rules.md, docs/commands, docs/terminal.svg, docs/licences.md, docs/schema.json, docs/json-fields.md and the documents' examples
	go run ./docs/generate
	go run ./docs/generate/licences
	go test ./test -run Documents -update

.PHONY: golden
golden: ## rewrite goldens; read the difference before you commit it
	go test ./plugins/... -rewrite
