# make run opens the chat; make check runs every required check.

GO          ?= go
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
GORELEASER  ?= github.com/goreleaser/goreleaser/v2@v2.15.0
GOVULNCHECK ?= golang.org/x/vuln/cmd/govulncheck@v1.8.0

.PHONY: build run test lint check race bench bench-all bench-tui golden cover snapshot cross size vuln licenses clean-machine tui-test clean kill

build: ## build a static binary without symbols
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o nfa ./cmd/nfa

run: ## open the chat
	$(GO) run ./cmd/nfa

test: ## run the tests
	$(GO) test ./... ./.ci/bench

lint: ## check formatting, vet and staticcheck
	@test -z "$$(gofmt -l cmd internal .ci)" || { gofmt -l cmd internal .ci; echo "run gofmt -w on these"; exit 1; }
	$(GO) vet ./... ./.ci/modelserver ./.ci/benchtui ./.ci/bench
	$(GO) run $(STATICCHECK) ./...

check: lint test race ## run every required check

race: ## test concurrent packages with the race detector (the Python sandbox is another process)
	CGO_ENABLED=1 $(GO) test -race -short -timeout 20m $$(sh .ci/race-packages.sh)

bench: build ## run the main benchmarks and rewrite docs/benchmarks.md (needs an idle machine)
	$(GO) test ./.ci/bench
	$(GO) run ./.ci/bench -nfa ./nfa

bench-all: ## run all benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

golden: ## rewrite the golden files; read the diff before you commit
	$(GO) test ./internal/tui ./internal/markdown ./internal/tools ./internal/llm/openai ./internal/chart -update

kill: ## kill nfa and a portfolio writer 200 times each at random moments, and replay ten years of alerts
	$(GO) test ./cmd/nfa -run 'TestKill_AtAnyMoment' -kills 200 -killseed $$(date +%s)
	$(GO) test ./internal/sqlite -run 'TestBook_AKillAtAnyMoment' -kills 200
	$(GO) test ./internal/alert -run 'TestReplay_EqualsBruteForce' -ten-years

cover: ## print test coverage
	$(GO) test -coverprofile=cover.out ./... && $(GO) tool cover -func=cover.out | tail -n 1

PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

cross: ## build for all release platforms; PLATFORMS="darwin/arm64 windows/amd64" selects some
	@for p in $(PLATFORMS); do echo "$$p"; CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build -trimpath -o /dev/null ./cmd/nfa || exit 1; done

bench-tui: build ## measure the chat in a pseudo-terminal (Linux, needs an idle machine)
	$(GO) run ./.ci/benchtui -nfa ./nfa
	$(GO) run ./.ci/benchtui -nfa ./nfa -soak 1000

tui-test: ## test the chat in a real terminal (needs tmux and ./nfa)
	sh .ci/terminal-test.sh

size: build ## check that the binary is at most 52.25 MB
	sh .ci/size.sh nfa

vuln: ## check for known vulnerabilities; VULNDB=file:///DIR uses a local database
	GO='$(GO)' GOVULNCHECK='$(GOVULNCHECK)' sh .ci/vuln.sh

licenses: ## check the licenses of linked modules and rewrite docs/licenses.md
	$(GO) mod download
	$(GO) test -count=1 ./internal/release -update

clean-machine: ## run the commands of the README on a machine with only Go
	bash .ci/clean-machine.sh

snapshot: ## build release archives and packages without publishing
	$(GO) run $(GORELEASER) release --snapshot --clean

clean:
	rm -rf nfa dist packaging cover.out
