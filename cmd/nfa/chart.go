package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/answer"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/plot"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/pattern"
	"github.com/nfa-cli/nfa/internal/toolbox"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// chartDoor is the tool chart for people.
func chartDoor() door {
	return door{
		name: "chart", tool: "chart", least: 1, most: -1, fill: chartWords, next: nextChartWords, about: "prices as a chart",
		hint: "SYMBOL[,SYMBOL...] [RANGE] [" + strings.Join(toolbox.ChartKinds(), " | ") + "]",
	}
}

// aRange is what question.ParseSpan reads as a range, or was meant as one.
var aRange = pattern.Lazy(`(?i)^(\d+[a-z]*|ytd|max|all)$`)

// chartWords takes symbols with commas between them, and behind them a range and a
// kind in any order. What is neither is left to the tool, which says what there is.
func chartWords(words []string) map[string]any {
	n := 1
	for n < len(words) && (strings.HasSuffix(words[n-1], ",") || strings.HasPrefix(words[n], ",")) {
		n++
	}
	in := map[string]any{"symbol": strings.Join(words[:n], "")}
	var rest []string
	for _, word := range words[n:] {
		if _, given := in["range"]; !given && aRange().MatchString(word) {
			in["range"] = word
			continue
		}
		rest = append(rest, word)
	}
	if len(rest) > 0 {
		in["kind"] = strings.Join(rest, " ")
	}
	return in
}

// chartFlags say how a chart is drawn.
type chartFlags struct {
	width, height int
	ascii, json   bool
}

const (
	leastChartWidth, mostChartWidth   = 10, 400
	leastChartHeight, mostChartHeight = 3, 200
	chartWidth, chartHeight           = 80, 20
)

func (f chartFlags) check() error {
	for _, flag := range []struct {
		name               string
		given, least, most int
	}{{"width", f.width, leastChartWidth, mostChartWidth}, {"height", f.height, leastChartHeight, mostChartHeight}} {
		if flag.given != 0 && (flag.given < flag.least || flag.given > flag.most) {
			return misuse.Errorf("--%s %d; give %d to %d", flag.name, flag.given, flag.least, flag.most)
		}
	}
	return nil
}

func newChart(g *globals) *cobra.Command {
	var f chartFlags
	d := chartDoor()
	cmd := &cobra.Command{
		Use: d.name + " " + d.hint, Short: "Draw " + d.about,
		Long: `chart draws prices: closes as a line, candles with volume, the fall from the highest
close before, or how often returns occur. Several symbols are compared, each 100 at
the start. It is the tool chart, which nfa tools show chart explains.

The setting charts says which characters it is drawn with. Where that is auto, and the
terminal or its locale has none but ASCII, it is drawn with those.`,
		Example: `  nfa chart VTI
  nfa chart AAPL 5y candles
  nfa chart AAPL,MSFT 5y
  nfa chart '^GSPC' max drawdown --width 120 --height 30`,
		ValidArgsFunction: completeChart,
		RunE: func(cmd *cobra.Command, words []string) error {
			arguments, err := d.arguments(words)
			if err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			if f.json {
				return d.open(cmd.Context(), g, arguments, true)
			}
			h, err := wire(cmd.Context(), g, wiring{})
			if err != nil {
				return err
			}
			defer h.close()
			o, err := h.router.Call(cmd.Context(), llm.ToolCall{ID: "call_1", Name: d.tool, Arguments: arguments})
			switch {
			case err != nil:
				return err
			case o.Result.IsError:
				return &exitError{exitOfResult(o.Result), fmt.Errorf("%s: %s", d.name, answer.Failure(o.Result))}
			}
			_, err = fmt.Fprintln(g.out, h.drawn(g, f, o.Result.Chart, answer.Shown(o.Result)))
			return err
		},
	}
	cmd.Flags().IntVar(&f.width, "width", 0, "columns of the chart; those of the terminal when left out, 80 in a pipe")
	cmd.Flags().IntVar(&f.height, "height", 0, "lines of the chart; 20 when left out")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII alone")
	cmd.Flags().BoolVar(&f.json, "json", false, "the whole result as JSON, with the data of the chart")
	return cmd
}

// drawn is a chart with its words below it: in colours on a terminal that has them,
// as plain text elsewhere.
func (h *house) drawn(g *globals, f chartFlags, spec *chart.Spec, words string) string {
	st := draw.NewStyles(g.printTheme(h))
	if st.Charts = g.charset(h.cfg.Charts); f.ascii {
		st.Charts = plot.ASCII
	}
	st.Names = !f.ascii && !draw.OtherEncoding(g.env)
	width, height := chartWidth, chartHeight
	if n := console.Columns(g.out); n > 0 {
		width = min(n, mostChartWidth)
	}
	if f.width > 0 {
		width = f.width
	}
	if f.height > 0 {
		height = f.height
	}
	words = strings.Trim(h.painter(g)(words), "\n")
	if st.Charts == plot.ASCII {
		words = strings.NewReplacer("·", "-", "−", "-", "→", "->", "…", "...", "–", "-").Replace(words)
	}
	var rows []string
	if spec != nil {
		rows = append(st.Chart(*spec, width, height), "")
	}
	return strings.Join(append(rows, words), "\n")
}

// painter lays Markdown out for a terminal; in a pipe it stays as it is.
func (h *house) painter(g *globals) func(text string) string {
	if !console.IsTerminal(g.out) {
		return markdown.Sanitize
	}
	theme := g.printTheme(h)
	return func(text string) string {
		return strings.Join(markdown.Render(text, markdown.Options{Width: console.Columns(g.out), Theme: theme}), "\n")
	}
}

// printTheme is the theme of what a verb writes.
func (g *globals) printTheme(h *house) markdown.Theme {
	if !console.IsTerminal(g.out) || h.cfg.Color == "never" || h.cfg.Color != "always" && (g.env("NO_COLOR") != "" || g.env("TERM") == "dumb") {
		return markdown.Plain()
	}
	return markdown.Dark()
}

// charset is what charts are drawn with: as the setting says, else the finest that the
// terminal is likely to have.
func (g *globals) charset(setting string) plot.Charset {
	switch setting {
	case "braille":
		return plot.Braille
	case "block":
		return plot.Block
	case "ascii":
		return plot.ASCII
	}
	return draw.LikelyCharset(g.env, runtime.GOOS)
}

// completeChart offers words to the shell.
func completeChart(_ *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
	return nextChartWords(words), cobra.ShellCompDirectiveNoFileComp
}

// nextChartWords are ranges and kinds behind the symbol, as long as none was given.
func nextChartWords(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	in := chartWords(words)
	var offered []string
	if _, given := in["range"]; !given {
		offered = append(offered, "1m", "6m", "1y", "5y", "10y", "ytd", "max")
	}
	if _, given := in["kind"]; !given {
		several := strings.Contains(fmt.Sprint(in["symbol"]), ",")
		offered = append(offered, slices.DeleteFunc(toolbox.ChartKinds(), func(kind string) bool { return (kind == "compare") != several })...)
	}
	return offered
}
