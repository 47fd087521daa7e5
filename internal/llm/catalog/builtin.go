package catalog

import (
	"strings"

	"github.com/shopspring/decimal"
)

// BuiltinCatalog is the catalogue that nfa brings, in the order in which a provider is
// chosen when none was named: who makes models before who passes on those of
// others, and last those whose variable is often set for something else.
//
// A new provider is a row here.
func BuiltinCatalog() *Catalog {
	return NewCatalog(
		openAI(), anthropic(), gemini(), deepSeek(), xAI(), mistral(), moonshot(), qwen(), zAI(), miniMax(),
		groq(), cerebras(), together(), openRouter(), huggingFace(),
		Provider{Name: "ollama", Title: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", Local: true},
		Provider{Name: "lmstudio", Title: "LM Studio", BaseURL: "http://127.0.0.1:1234/v1", Local: true},
		Provider{Name: "llamacpp", Title: "llama.cpp", BaseURL: "http://127.0.0.1:8080/v1", Local: true},
		Provider{Name: "vllm", Title: "vLLM", BaseURL: "http://127.0.0.1:8000/v1", Local: true},
	)
}

// capability is what a model can do.
type capability int

const (
	textOnly      capability = 0
	withReasoning capability = 1 << (iota - 1)
	withVision
)

// newModel is a model. Prices are "input cached output" in dollars for a million
// tokens, with - for a cached price that is not known; "" is no price at all.
func newModel(name string, window int, prices string, t capability) Model {
	return Model{Name: name, Window: window, Price: parsePrice(prices), Reasoning: t&withReasoning != 0, Vision: t&withVision != 0}
}

func parsePrice(prices string) *Price {
	if prices == "" {
		return nil
	}
	fields := strings.Fields(prices)
	p := &Price{Input: decimal.RequireFromString(fields[0]), Output: decimal.RequireFromString(fields[2])}
	if fields[1] != "-" {
		p.Cached = decimal.NewNullDecimal(decimal.RequireFromString(fields[1]))
	}
	return p
}
