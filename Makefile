# nfa: `make run` opens the chat, `make check` is what every change has to pass.

GO          ?= go
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
GORELEASER  ?= github.com/goreleaser/goreleaser/v2@v2.15.0

.PHONY: build run test lint check bench golden cover snapshot cross tui-test fuzz clean

build: ## the binary, static, without symbols
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o nfa ./cmd/nfa

run: ## the chat
	$(GO) run ./cmd/nfa

test: ## the tests, as a newcomer runs them
	$(GO) test ./...

lint: ## formatting, vet and staticcheck
	@test -z "$$(gofmt -l cmd internal)" || { gofmt -l cmd internal; echo "run gofmt -w on these"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

check: lint ## what every change has to pass
	$(GO) test -race ./...

bench: ## all benchmarks, without the tests
	$(GO) test -run '^$$' -bench . -benchmem ./...

golden: ## write the golden files anew; read the diff before you commit it
	$(GO) test ./internal/tui ./internal/markdown ./internal/toolbox ./internal/llm/openai ./internal/chart -update

cover: ## test coverage by function
	$(GO) test -coverprofile=cover.out ./... && $(GO) tool cover -func=cover.out | tail -n 1

cross: ## every platform we release for
	@for os in linux darwin windows; do for arch in amd64 arm64; do \
		echo "$$os/$$arch"; CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -o /dev/null ./cmd/nfa || exit 1; \
	done; done

tui-test: ## the chat in a real terminal (needs tmux)
	sh .ci/terminal-test.sh

snapshot: ## release archives without publishing
	$(GO) run $(GORELEASER) release --snapshot --clean

clean:
	rm -rf nfa dist cover.out
