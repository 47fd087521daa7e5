package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// toolGroups are the headings that tools are listed under, in their order. One that
// stands under none is listed last, as those that skills bring are.
func toolGroups() []toolGroup {
	return []toolGroup{
		{"Prices and instruments", "quote price_history chart crypto_price dividends_splits option_chain search_symbol market_status"},
		{"Companies", "company_profile financial_statements key_ratios insider_trades filings filing_section news"},
		{"The economy", "macro_series yield_curve fx_rate"},
		{"Return and risk", "returns_stats compare_assets correlation risk_metrics technical_indicators"},
		{"Your book", "portfolio_positions portfolio_allocation portfolio_performance portfolio_checkup rebalance_plan tax_lots portfolio_transactions import_transactions add_transaction remove_transaction portfolio_settings"},
		{"You and your decisions", "investor_profile watchlist decision_journal"},
		{"Portfolios and plans", "optimize_portfolio efficient_frontier position_size retirement_simulation goal_plan backtest"},
		{"Valuation and calculation", "dcf_valuation comps_valuation bond_price option_price loan_payment time_value xirr calculate"},
		{"Files, web and this computer", "read_file list_files write_report web_search web_fetch check_api storage_usage system_info current_time"},
		{"Skills", "Skill read_skill_file"},
	}
}

// toolGroup is a heading with the names of its tools, most used first.
type toolGroup struct{ title, names string }

// placeOf is where a tool is listed: its group, and its place among all.
func placeOf(name string) (group string, at int) {
	for _, g := range toolGroups() {
		for _, n := range strings.Fields(g.names) {
			if at++; n == name {
				return g.title, at
			}
		}
	}
	return "Brought by skills", at + 1
}

// toolShelf is /tools: what can be called, to read about.
type toolShelf struct{ *house }

func (h *house) toolShelf() *tui.Shelf {
	s := toolShelf{h}
	return &tui.Shelf{Title: "Tools", Items: s.items, Read: s.read, Empty: "There are no tools."}
}

func (s toolShelf) items() []tui.Item {
	all := s.withWorkflows(s.router).Tools()
	slices.SortStableFunc(all, func(a, b tool.Tool) int {
		_, first := placeOf(a.Name)
		_, second := placeOf(b.Name)
		return cmp.Or(cmp.Compare(first, second), cmp.Compare(a.Name, b.Name))
	})
	items := make([]tui.Item, len(all))
	for i, t := range all {
		group, _ := placeOf(t.Name)
		items[i] = tui.Item{Name: t.Name, Group: group, About: firstSentence(t.Description), Marks: s.marks(t)}
	}
	return items
}

func (s toolShelf) marks(t tool.Tool) []string {
	var marks []string
	if t.Effect != tool.Reads {
		marks = append(marks, t.Effect.String())
	}
	if !s.speaking.Load().profile.May(t.Name) {
		marks = append(marks, "not this agent's")
	}
	return marks
}

// read is what the pane holds of a tool.
func (s toolShelf) read(name string) (string, error) {
	t, ok := s.withWorkflows(s.router).Lookup(name)
	if !ok {
		return "", fmt.Errorf("there is no tool %s; /tools lists them", name)
	}
	return toolPage(t), nil
}

// effects say what a tool does to the world and whether it asks.
func effects(t tool.Tool) string {
	switch {
	case t.Effect == tool.Executes:
		return "runs programs; asks first"
	case t.Effect == tool.Writes:
		return "writes; asks first"
	case t.Preview != nil:
		return "reads; asks where a call would write"
	}
	return "reads"
}

// toolPage describes a tool: what it gives, does and takes.
func toolPage(t tool.Tool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s\n\n%s\n\n## Parameters\n\n", t.Name, effects(t), t.Description)
	var takes schemaJSON
	if err := json.Unmarshal(t.Spec().Parameters, &takes); err != nil || len(takes.Properties) == 0 {
		b.WriteString("none\n")
		return b.String()
	}
	takes.write(&b, "")
	return b.String()
}

// schemaJSON is what is told of a JSON schema.
type schemaJSON struct {
	Type        any                   `json:"type"`
	Description string                `json:"description"`
	Properties  map[string]schemaJSON `json:"properties"`
	Required    []string              `json:"required"`
	Items       *schemaJSON           `json:"items"`
	Enum        []any                 `json:"enum"`
}

// write lists the properties, the required ones first, with those of the objects in
// them set in.
func (s schemaJSON) write(b *strings.Builder, indent string) {
	names := slices.SortedFunc(maps.Keys(s.Properties), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.place(a), s.place(b)), cmp.Compare(a, b))
	})
	for _, name := range names {
		p := s.Properties[name]
		kind := p.kind()
		if slices.Contains(s.Required, name) {
			kind += ", required"
		}
		fmt.Fprintf(b, "%s- %s (%s)", indent, code(name), kind)
		if p.Description != "" {
			b.WriteString(": " + p.Description)
		}
		b.WriteString("\n")
		if p.Items != nil {
			p = *p.Items
		}
		if len(indent) < 8 {
			p.write(b, indent+"  ")
		}
	}
}

// place puts what is required first, in the order of the schema.
func (s schemaJSON) place(name string) int {
	if at := slices.Index(s.Required, name); at >= 0 {
		return at
	}
	return len(s.Required)
}

// kind is the type as people say it.
func (s schemaJSON) kind() string {
	if len(s.Enum) > 0 {
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i] = fmt.Sprint(e)
		}
		return strings.Join(words, " | ")
	}
	name, _ := s.Type.(string)
	if several, ok := s.Type.([]any); ok {
		for _, t := range several {
			if text, ok := t.(string); ok && text != "null" {
				name = text
			}
		}
	}
	switch {
	case name == "array" && s.Items != nil:
		return "list of " + s.Items.kind()
	case name == "":
		return "anything"
	}
	words := map[string]string{"string": "text", "boolean": "true or false", "integer": "whole number", "array": "list"}
	return cmp.Or(words[name], name)
}
