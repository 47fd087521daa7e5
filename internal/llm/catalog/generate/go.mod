module github.com/nfa-cli/nfa/internal/llm/catalog/generate

go 1.26.10

require charm.land/catwalk v0.52.86

require github.com/charmbracelet/x/etag v0.2.0 // indirect
