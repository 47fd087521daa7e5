package provider

import (
	"strings"

	"github.com/shopspring/decimal"
)

// Builtin is the catalogue that nfa brings, in the order in which a provider is
// chosen when none was named: who makes models before who passes on those of
// others, and last those whose variable is often set for something else.
//
// A new provider is a row here.
func Builtin() *Catalogue {
	return New(
		openAI(), anthropic(), gemini(), deepSeek(), xAI(), mistral(), moonshot(), qwen(), zAI(), miniMax(),
		groq(), cerebras(), together(), openRouter(), huggingFace(),
		Provider{Name: "ollama", Title: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", Local: true},
		Provider{Name: "lmstudio", Title: "LM Studio", BaseURL: "http://127.0.0.1:1234/v1", Local: true},
		Provider{Name: "llamacpp", Title: "llama.cpp", BaseURL: "http://127.0.0.1:8080/v1", Local: true},
		Provider{Name: "vllm", Title: "vLLM", BaseURL: "http://127.0.0.1:8000/v1", Local: true},
	)
}

// trait is what a model can do.
type trait int

const (
	plain  trait = 0
	thinks trait = 1 << (iota - 1)
	sees
)

// row is a model. Prices are "input cached output" in dollars for a million
// tokens, with - for a cached price that is not known; "" is no price at all.
func row(name string, window int, prices string, t trait) Model {
	return Model{Name: name, Window: window, Price: dollars(prices), Reasoning: t&thinks != 0, Vision: t&sees != 0}
}

func dollars(prices string) *Price {
	if prices == "" {
		return nil
	}
	words := strings.Fields(prices)
	p := &Price{Input: decimal.RequireFromString(words[0]), Output: decimal.RequireFromString(words[2])}
	if words[1] != "-" {
		p.Cached = decimal.NewNullDecimal(decimal.RequireFromString(words[1]))
	}
	return p
}
