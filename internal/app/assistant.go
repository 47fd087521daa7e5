package app

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tool/search"
)

// builtInAssistant answers by rules when no model is connected.
func (a *App) builtInAssistant() llm.Model {
	instruments := sync.OnceValue(knownInstruments)
	return offline.New(offline.Options{Now: a.Now, Catalog: func() offline.Catalog {
		c := offline.Catalog{Skills: a.Skills.SearchDocuments(), Instruments: instruments()}
		for _, t := range a.Skills.WithWorkflows(a.Agents.ActiveTools()).ForModel().Tools() {
			c.Tools = append(c.Tools, offline.Tool{
				Document:   search.Document{Name: t.Name, Description: t.Description + " " + t.Details, Keywords: t.Keywords, Phrasings: t.Phrasings},
				Parameters: func() json.RawMessage { return t.Spec().Parameters },
			})
		}
		return c
	}})
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
		out[i] = offline.Instrument{Symbol: string(one.Symbol), Name: one.Name, Kind: one.Kind, Aliases: one.Aliases}
	}
	return out
}
