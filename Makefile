# nfa: `make run` opens the chat, `make check` is what every change has to pass.

GO          ?= go
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
GORELEASER  ?= github.com/goreleaser/goreleaser/v2@v2.15.0
GOVULNCHECK ?= golang.org/x/vuln/cmd/govulncheck@v1.8.0

.PHONY: build run test lint check race bench bench-all bench-tui golden cover snapshot cross size vuln licences clean-machine tui-test clean kill

build: ## the binary, static, without symbols
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o nfa ./cmd/nfa

run: ## the chat
	$(GO) run ./cmd/nfa

test: ## the tests, as a newcomer runs them
	$(GO) test ./... ./.ci/bench

lint: ## formatting, vet and staticcheck
	@test -z "$$(gofmt -l cmd internal .ci)" || { gofmt -l cmd internal .ci; echo "run gofmt -w on these"; exit 1; }
	$(GO) vet ./... ./.ci/modelserver ./.ci/benchtui ./.ci/bench
	$(GO) run $(STATICCHECK) ./...

check: lint test race ## what every change has to pass

race: ## the packages with concurrency, under the race detector; the sandbox is another process
	CGO_ENABLED=1 $(GO) test -race -short -timeout 20m $$(sh .ci/race-packages.sh)

bench: build ## the main benchmarks, relative to a yardstick; rewrites docs/benchmarks.md (needs a quiet machine)
	$(GO) test ./.ci/bench
	$(GO) run ./.ci/bench -nfa ./nfa

bench-all: ## all benchmarks, without the tests
	$(GO) test -run '^$$' -bench . -benchmem ./...

golden: ## rewrite the golden files; read the diff before you commit it
	$(GO) test ./internal/tui ./internal/markdown ./internal/tools ./internal/llm/openai ./internal/chart -update

kill: ## kill the program 200 times at random moments, and a writer of the portfolio as often
	$(GO) test ./cmd/nfa -run 'TestKill_AtAnyMoment' -kills 200 -killseed $$(date +%s)
	$(GO) test ./internal/sqlite -run 'TestBook_AKillAtAnyMoment' -kills 200

cover: ## test coverage by function
	$(GO) test -coverprofile=cover.out ./... && $(GO) tool cover -func=cover.out | tail -n 1

PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

cross: ## every platform of a release; PLATFORMS="darwin/arm64 windows/amd64" for some
	@for p in $(PLATFORMS); do echo "$$p"; CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build -trimpath -o /dev/null ./cmd/nfa || exit 1; done

bench-tui: build ## the chat in a pseudo-terminal: frames, keys, streams, memory (Linux, a quiet machine)
	$(GO) run ./.ci/benchtui -nfa ./nfa
	$(GO) run ./.ci/benchtui -nfa ./nfa -soak 1000

tui-test: ## the chat in a real terminal (needs tmux and ./nfa)
	sh .ci/terminal-test.sh

size: build ## the binary is under 42 MB
	sh .ci/size.sh nfa

vuln: ## known vulnerabilities in what nfa calls; VULNDB=file:///DIR asks a copy of the database
	GO='$(GO)' GOVULNCHECK='$(GOVULNCHECK)' sh .ci/vuln.sh

licences: ## the licences of linked modules allow redistribution; rewrites docs/licences.md
	$(GO) mod download
	$(GO) test -count=1 ./internal/release -update

clean-machine: ## the two commands of the README where there is nothing but Go
	bash .ci/clean-machine.sh

snapshot: ## release archives and packages without publishing
	$(GO) run $(GORELEASER) release --snapshot --clean

clean:
	rm -rf nfa dist packaging cover.out
