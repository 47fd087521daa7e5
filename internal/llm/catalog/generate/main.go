// Command generate writes ../catalog.json: the models of the providers in ../providers.json, with
// windows and prices, from the maintained catalog charm.land/catwalk. Run it with
//
//	go get charm.land/catwalk@latest && go run . DATE
//
// in this folder, where DATE is the day of that release. It is a separate module, because catwalk
// needs a newer Go than nfa.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"
)

// names maps catwalk's providers to nfa's. OpenRouter is left out: its own list has windows and
// prices of 295 models.
var names = map[catwalk.InferenceProvider]string{
	catwalk.InferenceProviderOpenAI: "openai", catwalk.InferenceProviderAnthropic: "anthropic", catwalk.InferenceProviderGemini: "gemini",
	catwalk.InferenceProviderDeepSeek: "deepseek", catwalk.InferenceProviderXAI: "xai", catwalk.InferenceProviderMoonshot: "moonshot",
	catwalk.InferenceProviderAlibabaSingapore: "qwen", catwalk.InferenceProviderZAI: "zai", catwalk.InferenceProviderMiniMax: "minimax",
	catwalk.InferenceProviderGROQ: "groq", catwalk.InferenceProviderCerebras: "cerebras", catwalk.InferenceProviderHuggingFace: "huggingface",
}

type model struct {
	Name      string `json:"name"`
	Window    int64  `json:"window,omitempty"`
	Price     *price `json:"price,omitempty"`
	Reasoning bool   `json:"reasoning,omitempty"`
	Vision    bool   `json:"vision,omitempty"`
}

// price is in US dollars per million tokens, as text: the source has binary fractions.
type price struct {
	Input  string `json:"input"`
	Cached string `json:"cached,omitempty"`
	Output string `json:"output"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: generate DATE")
	}
	if _, err := time.Parse(time.DateOnly, args[0]); err != nil {
		return err
	}
	lists := map[string][]model{}
	for _, p := range embedded.GetAll() {
		name, ok := names[p.ID]
		if !ok {
			continue
		}
		for _, m := range p.Models {
			lists[name] = append(lists[name], model{m.ID, m.ContextWindow, priceOf(m), m.CanReason, m.SupportsImages})
		}
		slices.SortFunc(lists[name], func(a, b model) int { return strings.Compare(a.Name, b.Name) })
	}
	if len(lists) != len(names) {
		return fmt.Errorf("%d of %d providers found", len(lists), len(names))
	}
	return os.WriteFile("../catalog.json", format(source(), args[0], lists), 0o644)
}

// priceOf returns the price, or nil if it is unknown, which catwalk writes as 0.
func priceOf(m catwalk.Model) *price {
	if m.CostPer1MIn <= 0 || m.CostPer1MOut <= 0 {
		return nil
	}
	return &price{Input: text(m.CostPer1MIn), Cached: text(cachedPrice(m)), Output: text(m.CostPer1MOut)}
}

// cachedPrice returns the price of reading from the cache, or 0. For some providers, CostPer1MInCached is
// the price of writing to it, which is then higher than that of other input.
func cachedPrice(m catwalk.Model) float64 {
	switch {
	case m.CostPer1MOutCached > 0 && m.CostPer1MOutCached < m.CostPer1MIn:
		return m.CostPer1MOutCached
	case m.CostPer1MInCached > 0 && m.CostPer1MInCached < m.CostPer1MIn:
		return m.CostPer1MInCached
	}
	return 0
}

func text(dollars float64) string {
	if dollars <= 0 {
		return ""
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(dollars, 'g', 6, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

func source() string {
	info, _ := debug.ReadBuildInfo()
	for _, d := range info.Deps {
		if d.Path == "charm.land/catwalk" {
			return d.Path + " " + d.Version
		}
	}
	return "charm.land/catwalk"
}

// format writes a model per line, so that changes can be read.
func format(source, date string, lists map[string][]model) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "{\n  \"source\": %q,\n  \"as_of\": %q,\n  \"models\": {\n", source, date)
	var providers []string
	for name := range lists {
		providers = append(providers, name)
	}
	slices.Sort(providers)
	for i, name := range providers {
		fmt.Fprintf(&b, "    %q: [\n", name)
		for j, m := range lists[name] {
			line, _ := json.Marshal(m)
			b.WriteString("      " + string(line) + comma(j, len(lists[name])) + "\n")
		}
		b.WriteString("    ]" + comma(i, len(providers)) + "\n")
	}
	b.WriteString("  }\n}\n")
	return []byte(b.String())
}

func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}
