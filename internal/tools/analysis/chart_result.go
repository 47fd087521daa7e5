package analysis

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// chartResult is what is drawn, without the drawing: prices are for other tools.
type chartResult struct {
	Kind     string                `json:"kind"`
	Symbols  []string              `json:"symbols"`
	Interval market.Interval       `json:"interval,omitempty"`
	From     string                `json:"from"`
	To       string                `json:"to"`
	Points   int                   `json:"points"`
	Sources  []toolkit.NamedOrigin `json:"sources"`
	Warnings []string              `json:"warnings"` // never null

	end   market.Date
	chart *chart.Spec

	// Of several series what each is in, and where it is from, so that people read
	// once what they share.
	quotedIn []string
	origins  []toolkit.NamedOrigin
}

func (a chartResult) result() tool.Result {
	names := strings.Join(a.Symbols, ", ")
	return tool.Result{
		Value: a, ForUser: a.markdown(), Chart: a.chart, Opened: true,
		Title:   fmt.Sprintf("%s · %s · %s to %s", names, a.Kind, a.From, a.To),
		Summary: strings.TrimSpace(fmt.Sprintf("%s %s closes %s", toolkit.FormatCount(a.Points), a.Interval, toolkit.CombinedFlagText(a.Sources))),
		Figures: []tool.Figure{{
			ID: "points", Label: names + " closes in the chart", Value: decimal.NewFromInt(int64(a.Points)), Unit: "bars",
			AsOf: a.end, Source: toolkit.JoinSources(a.Sources), Formula: "count",
		}},
	}
}

// markdown says in words what the chart shows, and where it is from.
func (a chartResult) markdown() string {
	var b strings.Builder
	b.WriteString(toolkit.TableCell(chart.Describe(*a.chart)) + "\n")
	for _, w := range a.Warnings {
		b.WriteString("\n! " + toolkit.TableCell(w) + "\n")
	}
	if len(a.origins) == 0 {
		b.WriteString("\n" + strings.Join(toolkit.OriginFooters(a.Sources), "\n\n") + "\n")
		return b.String()
	}
	b.WriteString("\n" + strings.Join(a.quotedIn, ", ") + "\n\n" + strings.Join(toolkit.OriginFooters(a.origins), "\n\n") + "\n")
	return b.String()
}
