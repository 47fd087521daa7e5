package app

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tool/search"
	"github.com/nfa-cli/nfa/internal/tools"
)

// builtInAssistant answers by rules when no model is connected.
func (a *App) builtInAssistant() llm.Model {
	unavailable := sync.OnceValue(a.unavailableTools)
	return offline.New(offline.Options{Now: a.Now, Instruments: knownInstruments, Catalog: func() offline.Catalog {
		c := offline.Catalog{Skills: a.Skills.SearchDocuments()}
		for _, t := range a.Skills.WithWorkflows(a.Agents.ActiveTools()).ForModel().Tools() {
			c.Tools = append(c.Tools, assistantTool(t, false))
		}
		for _, t := range unavailable() {
			c.Tools = append(c.Tools, assistantTool(t, true))
		}
		return c
	}})
}

func assistantTool(t tool.Tool, unavailable bool) offline.Tool {
	return offline.Tool{
		Document:    search.Document{Name: t.Name, Description: t.Description + " " + t.Details, Keywords: t.Keywords, Phrasings: t.Phrasings},
		Parameters:  func() json.RawMessage { return t.Spec().Parameters },
		Unavailable: unavailable,
	}
}

// unavailableTools are the tools that would exist if every kind of data had a source.
func (a *App) unavailableTools() []tool.Tool {
	d := a.toolDeps(false)
	none := market.NewFallback(market.Sources{})
	d.Profiles, d.Earnings, d.Insiders, d.News, d.Curves, d.Rates, d.Options, d.WebSearch = none, none, none, none, none, none, none, none
	return slices.DeleteFunc(tools.All(d), func(t tool.Tool) bool { _, exists := a.Tools.Lookup(t.Name); return exists || t.UserOnly })
}

// knownInstruments are those of the built-in table; none if it cannot be read, when only symbols in
// capitals are recognized.
func knownInstruments() []offline.Instrument {
	list, err := reference.NewSymbolTable().Instruments(context.Background())
	if err != nil {
		return nil
	}
	out := make([]offline.Instrument, len(list))
	for i, one := range list {
		aliases := slices.DeleteFunc(one.Aliases, func(alias string) bool { return inOrdinaryWords[alias] })
		out[i] = offline.Instrument{Symbol: string(one.Symbol), Name: one.Name, Kind: one.Kind, Aliases: aliases}
	}
	return out
}
