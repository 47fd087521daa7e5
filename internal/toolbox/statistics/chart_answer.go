package statistics

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// chartAnswer is what is drawn, without the drawing: prices are for other tools.
type chartAnswer struct {
	Kind     string            `json:"kind"`
	Symbols  []string          `json:"symbols"`
	Interval market.Interval   `json:"interval,omitempty"`
	From     string            `json:"from"`
	To       string            `json:"to"`
	Points   int               `json:"points"`
	Sources  []present.Sourced `json:"sources"`
	Warnings []string          `json:"warnings"` // never null

	end   market.Date
	chart *chart.Spec

	// Of several series what each is in, and where it is from, so that people read
	// once what they share.
	in   []string
	from []present.Sourced
}

func (a chartAnswer) result() tool.Result {
	names := strings.Join(a.Symbols, ", ")
	return tool.Result{
		Value: a, ForUser: a.markdown(), Chart: a.chart, Opened: true,
		Title:   fmt.Sprintf("%s · %s · %s to %s", names, a.Kind, a.From, a.To),
		Summary: strings.TrimSpace(fmt.Sprintf("%s %s closes %s", present.Counted(a.Points), a.Interval, lineup.Loud(a.Sources))),
		Figures: []tool.Figure{{
			ID: "points", Label: names + " closes in the chart", Value: decimal.NewFromInt(int64(a.Points)), Unit: "bars",
			AsOf: a.end, Source: lineup.Sources(a.Sources), Formula: "count",
		}},
	}
}

// markdown says in words what the chart shows, and where it is from.
func (a chartAnswer) markdown() string {
	var b strings.Builder
	b.WriteString(present.Cell(chart.Describe(*a.chart)) + "\n")
	for _, w := range a.Warnings {
		b.WriteString("\n! " + present.Cell(w) + "\n")
	}
	if len(a.from) == 0 {
		b.WriteString("\n" + strings.Join(present.Footers(a.Sources), "\n\n") + "\n")
		return b.String()
	}
	b.WriteString("\n" + strings.Join(a.in, ", ") + "\n\n" + strings.Join(present.Footers(a.from), "\n\n") + "\n")
	return b.String()
}
