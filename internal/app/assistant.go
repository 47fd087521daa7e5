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
	return offline.New(offline.Options{Now: a.Now, Instruments: instrumentDirectory{reference.NewSymbolTable()}, Commands: a.commands, Catalog: func() offline.Catalog {
		c := offline.Catalog{Skills: a.Skills.SearchDocuments()}
		router := a.turnTools.Load()
		if router == nil {
			router = a.Skills.WithWorkflows(a.Agents.ActiveTools())
		}
		for _, t := range router.ForModel().Tools() {
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

// unavailableTools returns the tools that would exist if every kind of data had a source.
func (a *App) unavailableTools() []tool.Tool {
	d := a.toolDeps(false)
	none := market.NewFallback(market.Sources{})
	d.Profiles, d.Earnings, d.Insiders, d.News, d.Curves, d.Rates, d.Options, d.WebSearch = none, none, none, none, none, none, none, none
	return slices.DeleteFunc(tools.All(d), func(t tool.Tool) bool { _, exists := a.Tools.Lookup(t.Name); return exists || t.UserOnly })
}

// instrumentDirectory is the built-in symbol table for the assistant.
type instrumentDirectory struct{ table *reference.SymbolTable }

func (d instrumentDirectory) Lookup(symbol string) (offline.Instrument, bool) {
	listed, ok := d.table.Lookup(symbol)
	return assistantInstrument(listed), ok
}

func (d instrumentDirectory) Named(word string) []offline.Instrument {
	return assistantInstruments(d.table.Named(word))
}

func (d instrumentDirectory) Mentioning(word string) []offline.Instrument {
	return assistantInstruments(d.table.Mentioning(word))
}

func (d instrumentDirectory) All() []offline.Instrument {
	list, _ := d.table.Instruments(context.Background()) // fails only if the context ended
	return assistantInstruments(list)
}

func assistantInstruments(list []market.Instrument) []offline.Instrument {
	out := make([]offline.Instrument, len(list))
	for i, one := range list {
		out[i] = assistantInstrument(one)
	}
	return out
}

func assistantInstrument(i market.Instrument) offline.Instrument {
	return offline.Instrument{Symbol: string(i.Symbol), Name: i.Name, Kind: i.Kind, Aliases: unambiguousNames(i.Aliases)}
}
