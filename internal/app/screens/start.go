package screens

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/tui"
)

// StartPage returns the first page of a new chat: what to try, and the state of the model, the data and the
// portfolio. It reads only local files. notices are warnings from startup.
func StartPage(a *app.App, notices []string) tui.StartPage {
	ctx := context.Background()
	positions := a.Stores.Portfolio.Summary(ctx)
	page := tui.StartPage{
		Intro: "Research markets, companies and your portfolio. Every figure has a source. Not financial advice.",
		Rows:  startRows(ctx, a, positions.Transactions > 0),
		State: []tui.StateLine{modelState(a), dataState(a), portfolioState(a, positions)},
	}
	if e := a.Agents.Active().Endpoint; !e.BuiltIn() && a.Models.KeyRejected(e.Provider) {
		text := fmt.Sprintf("%s rejected the API key from %s:", e.Provider.Title, strings.TrimPrefix(e.KeyFrom, "env "))
		page.State = append(page.State, tui.StateLine{Text: text, Command: "/setup", Warn: true})
	}
	for _, text := range notices {
		page.State = append(page.State, tui.StateLine{Text: text, Warn: true})
	}
	if n := a.Skills.Skipped(); n > 0 {
		page.State = append(page.State, tui.StateLine{Text: cli.CountNoun(n, "skill file") + " skipped:", Command: "/skills", Warn: true})
	}
	return page
}

// The rows of the start page.
var (
	askIndex   = tui.StartRow{Text: "How has the S&P 500 done since 2008, and how bad did it get?", Short: "How has the S&P 500 done since 2008?"}
	askCompare = tui.StartRow{Text: "Compare Apple and Microsoft over the last 5 years", Short: "Compare Apple and Microsoft over 5 years"}
	importFile = tui.StartRow{Text: "Import my portfolio from a broker file", Send: "/portfolio import"}
	connect    = tui.StartRow{Text: "Connect a model", Send: "/setup"}
	askCost    = tui.StartRow{Text: "What do I own, and what did it cost?"}
	askFunds   = tui.StartRow{Text: "Compare VTI and VXUS over 10 years"}
	askRisks   = tui.StartRow{Text: "What changed in the risk factors of Apple's latest 10-K?", Short: "What changed in the risks of Apple's latest 10-K?"}
	askRetire  = tui.StartRow{Text: "Can I retire at 60?"}
	askHowIsIt = tui.StartRow{Text: "How is my portfolio doing?"}
	askHurt    = tui.StartRow{Text: "What could hurt it most?", Send: "What could hurt my portfolio most?"}
	askNews    = tui.StartRow{Text: "What is new at my companies?"}
)

// startRows returns four rows that work in the current state.
func startRows(ctx context.Context, a *app.App, hasPortfolio bool) []tui.StartRow {
	connected := a.ActiveModel() != catalog.Offline
	switch {
	case connected && hasPortfolio:
		rows := []tui.StartRow{askHowIsIt, askHurt, askNews}
		if row, ok := continueRow(ctx, a); ok {
			return append(rows, row)
		}
		return append(rows, askFunds)
	case connected:
		return []tui.StartRow{askRisks, askFunds, askRetire, importFile}
	case hasPortfolio:
		return []tui.StartRow{askIndex, askCost, askCompare, connect}
	}
	return []tui.StartRow{askIndex, askCompare, importFile, connect}
}

// continueRow returns the row that continues the latest session.
func continueRow(ctx context.Context, a *app.App) (tui.StartRow, bool) {
	sessions, err := a.ListSessions(ctx, 1)
	if err != nil || len(sessions) == 0 || sessions[0].Open || a.WritesSession(sessions[0].ID) {
		return tui.StartRow{}, false
	}
	s := sessions[0]
	return tui.StartRow{
		Text: fmt.Sprintf("Continue %q (%s)", s.Title, dayLabel(s.UpdatedAt, a.Now())), Send: "/sessions " + s.ID,
	}, true
}

func modelState(a *app.App) tui.StateLine {
	line := tui.StateLine{Label: "Model", Command: "/setup"}
	e := a.Agents.Active().Endpoint
	switch {
	case !e.BuiltIn():
		line.Text, line.Command = e.Name(), "/model"
		if from := e.KeyFrom; from != "" {
			line.Text += ", key from " + strings.TrimPrefix(from, "env ")
		}
	case a.Offline:
		line.Text, line.Short = "none: started offline; the built-in assistant answers simple questions", "none: started offline"
	default:
		line.Text, line.Short = "none: the built-in assistant answers simple questions", "none, built-in assistant"
	}
	return line
}

func dataState(a *app.App) tui.StateLine {
	line := tui.StateLine{Label: "Data", Command: "/setup"}
	if a.Market.Mode.SampleOnly {
		line.Text, line.Short = "sample data: "+feed.SampleCoverage, "sample, to "+feed.SampleUntil
	} else {
		line.Text = "live"
		if source, at, ok := a.Market.LastResponse(); ok {
			line.Text = fmt.Sprintf("live; last price %s from %s", clockTime(at, a.Now()), source)
		}
		if a.Data.SECContact == "" {
			line.Text += "; company filings need a contact email for the SEC"
			line.Short = "live; filings need an email"
		}
	}
	if day := a.Market.Mode.AsOf; day != "" {
		line.Text, line.Short = line.Text+"; as of "+day, "as of "+day
	}
	return line
}

// clockTime formats a time as the time of day if it is today, else as the date.
func clockTime(t, now time.Time) string {
	if dayLabel(t, now) == "today" {
		return t.Local().Format("15:04")
	}
	return t.Local().Format(time.DateOnly)
}

func portfolioState(a *app.App, p app.PortfolioSummary) tui.StateLine {
	line := tui.StateLine{Label: "Portfolio", Text: "empty", Command: "/portfolio import"}
	switch {
	case p.Err != nil:
		line.Text, line.Command, line.Warn = "cannot be read: "+p.Err.Error(), "nfa doctor", true
	case p.Transactions > 0:
		line.Text, line.Command = cli.CountNoun(p.Positions, "position"), "/portfolio"
		if currency := cmp.Or(a.BaseCurrency, strings.Join(p.Currencies, ", ")); currency != "" {
			line.Text += ", " + currency
		}
	}
	return line
}
