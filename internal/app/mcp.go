package app

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/mcpserver"
	"github.com/nfa-cli/nfa/internal/tool"
)

const mcpInstructions = `nfa ("not financial advice") looks up and computes figures for individual investors: prices, companies, economy, statistics, calculators, and the user's portfolio.
- Every figure has a date (as_of), a currency or unit, and a source: state them. If a flag marks data as sample, delayed or stale, say so.
- Never compute a figure yourself: use calculate, or find another calculator with find_tools.
- symbol, symbols: tickers as Yahoo writes them (AAPL, ^GSPC, VOD.L, EURUSD=X, BTC-USD). range: 1m, 6m, 1y, 5y, 10y, ytd or max. from, to: YYYY-MM-DD, YYYY-MM or YYYY; not with range. currency: ISO code. account, accounts: account names of the user. Rates and returns are fractions (0.05 is 5%) unless a field ends in _pct.`

// MCPServer returns a server for programs that speak the Model Context Protocol. listed is "core",
// "all" or names of tools, separated by commas.
func (a *App) MCPServer(listed string, write bool) (*mcpserver.Server, error) {
	o := mcpserver.Options{
		Version: a.Version, Router: a.Tools, Finder: tool.Finder{Options: a.toolFinder().Options}, Write: write, Now: a.Now,
		Instructions: mcpInstructions + "\n- " + a.dataNote(), Resources: a.mcpResources(),
	}
	switch listed {
	case "all":
	case "core":
		for _, name := range agent.DefaultCore() {
			if _, ok := a.Tools.Lookup(name); ok {
				o.Listed = append(o.Listed, name)
			}
		}
	default:
		o.Listed = strings.FieldsFunc(listed, func(r rune) bool { return r == ',' || r == ' ' })
	}
	return mcpserver.New(o)
}

func (a *App) mcpResources() []mcpserver.Resource {
	call := func(ctx context.Context, name string, args map[string]string) (string, error) {
		raw, err := json.Marshal(args)
		if err != nil {
			return "", err
		}
		o, err := a.Tools.Call(ctx, llm.ToolCall{ID: "mcp", Name: name, Arguments: string(raw)})
		if err == nil && o.Result.IsError {
			err = errors.New(o.Result.ModelText())
		}
		return o.Result.ModelText(), err
	}
	reading := func(name string) func(context.Context, string) (string, error) {
		return func(ctx context.Context, _ string) (string, error) { return call(ctx, name, nil) }
	}
	return []mcpserver.Resource{
		{URI: "nfa://portfolio", Name: "portfolio", Description: "Positions of the user's portfolio.", Type: "application/json", Read: reading("portfolio_positions")},
		{URI: "nfa://watchlist", Name: "watchlist", Description: "The user's watchlist.", Type: "application/json", Read: reading("watchlist")},
		{URI: "nfa://reports/{name}", Name: "report", Description: "A report in the user's data folder.", Type: "text/markdown", Read: func(ctx context.Context, name string) (string, error) {
			return call(ctx, "read_file", map[string]string{"path": "nfa:reports/" + name})
		}},
		{URI: "nfa://skills/{name}", Name: "skill", Description: "The instructions of a skill.", Type: "text/markdown", Read: func(_ context.Context, name string) (string, error) {
			content, err := a.Skills.Registry.Load(name)
			return content.Body, err
		}},
	}
}
