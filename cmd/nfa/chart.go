package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tui/widget"
	"github.com/nfa-cli/nfa/internal/usage"
)

// chartCommand returns the command for the tool chart.
func chartCommand() command {
	return command{
		name: "chart", tool: "chart", minArgs: 1, maxArgs: -1, parseArgs: parseChartArgs, complete: chartCompletions, about: "prices as a chart",
		hint: "SYMBOL[,SYMBOL...] [RANGE] [" + strings.Join(tools.ChartKinds(), " | ") + "]",
	}
}

// rangePattern matches what toolkit.ParsePeriod reads as a range, or what was probably meant as
// one.
var rangePattern = lazyregexp.New(`(?i)^(\d+[a-z]*|ytd|max|all)$`)

// parseChartArgs parses symbols separated by commas, then a range and a kind in any order. Other
// words are passed on; the tool refuses them and lists what it accepts.
func parseChartArgs(args []string) map[string]any {
	n := 1
	for n < len(args) && (strings.HasSuffix(args[n-1], ",") || strings.HasPrefix(args[n], ",")) {
		n++
	}
	in := map[string]any{"symbol": strings.Join(args[:n], "")}
	var rest []string
	for _, word := range args[n:] {
		if _, hasRange := in["range"]; !hasRange && rangePattern().MatchString(word) {
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
	minChartWidth, maxChartWidth          = 10, 400
	minChartHeight, maxChartHeight        = 3, 200
	defaultChartWidth, defaultChartHeight = 80, 20
)

func (f chartFlags) check() error {
	for _, flag := range []struct {
		name               string
		given, least, most int
	}{{"width", f.width, minChartWidth, maxChartWidth}, {"height", f.height, minChartHeight, maxChartHeight}} {
		if flag.given != 0 && (flag.given < flag.least || flag.given > flag.most) {
			return usage.Errorf("--%s %d; give %d to %d", flag.name, flag.given, flag.least, flag.most)
		}
	}
	return nil
}

func newChart(g *globals) *cobra.Command {
	var f chartFlags
	d := chartCommand()
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
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments, err := d.toolArguments(args)
			if err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			if f.json {
				return d.run(cmd.Context(), g, arguments, true)
			}
			p, err := openProgram(cmd.Context(), g, programOptions{})
			if err != nil {
				return err
			}
			defer p.close()
			o, err := p.router.Call(cmd.Context(), llm.ToolCall{ID: "call_1", Name: d.tool, Arguments: arguments})
			switch {
			case err != nil:
				return err
			case o.Result.IsError:
				return &exitError{exitOfResult(o.Result), fmt.Errorf("%s: %s", d.name, cli.FailureText(o.Result))}
			}
			_, err = fmt.Fprintln(g.out, p.renderChart(g, f, o.Result.Chart, cli.ResultText(o.Result)))
			return err
		},
	}
	cmd.Flags().IntVar(&f.width, "width", 0, "columns of the chart; those of the terminal when left out, 80 in a pipe")
	cmd.Flags().IntVar(&f.height, "height", 0, "lines of the chart; 20 when left out")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII alone")
	cmd.Flags().BoolVar(&f.json, "json", false, "the whole result as JSON, with the data of the chart")
	return cmd
}

// renderChart is a chart with its words below it: in colours on a terminal that has them,
// as plain text elsewhere.
func (p *program) renderChart(g *globals, f chartFlags, spec *chart.Spec, text string) string {
	st := widget.NewStyles(g.outputTheme(p))
	if st.Charts = g.charset(p.cfg.Charts); f.ascii {
		st.Charts = chart.CharsetASCII
	}
	st.Names = !f.ascii && !widget.HasNonUTF8Locale(g.env)
	width, height := defaultChartWidth, defaultChartHeight
	if n := cli.TerminalWidth(g.out); n > 0 {
		width = min(n, maxChartWidth)
	}
	if f.width > 0 {
		width = f.width
	}
	if f.height > 0 {
		height = f.height
	}
	text = strings.Trim(p.markdownRenderer(g)(text), "\n")
	if st.Charts == chart.CharsetASCII {
		text = strings.NewReplacer("·", "-", "−", "-", "→", "->", "…", "...", "–", "-").Replace(text)
	}
	var rows []string
	if spec != nil {
		rows = append(st.RenderChart(*spec, width, height), "")
	}
	return strings.Join(append(rows, text), "\n")
}

// markdownRenderer lays Markdown out for a terminal; in a pipe it stays as it is.
func (p *program) markdownRenderer(g *globals) func(text string) string {
	if !cli.IsTerminal(g.out) {
		return markdown.Sanitize
	}
	theme := g.outputTheme(p)
	return func(text string) string {
		return strings.Join(markdown.Render(text, markdown.Options{Width: cli.TerminalWidth(g.out), Theme: theme}), "\n")
	}
}

// outputTheme is the theme of what a verb writes.
func (g *globals) outputTheme(p *program) markdown.Theme {
	if !cli.IsTerminal(g.out) || p.cfg.Color == "never" || p.cfg.Color != "always" && (g.env("NO_COLOR") != "" || g.env("TERM") == "dumb") {
		return markdown.PlainTheme()
	}
	return markdown.DarkTheme()
}

// charset returns the characters to draw charts with: the one in the settings, or else the finest
// that the terminal probably has.
func (g *globals) charset(setting string) chart.Charset {
	switch setting {
	case "braille":
		return chart.CharsetBraille
	case "block":
		return chart.CharsetBlock
	case "ascii":
		return chart.CharsetASCII
	}
	return widget.DetectCharset(g.env, runtime.GOOS)
}

// completeChart offers words to the shell.
func completeChart(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return chartCompletions(args), cobra.ShellCompDirectiveNoFileComp
}

// chartCompletions are ranges and kinds behind the symbol, as long as none was given.
func chartCompletions(args []string) []string {
	if len(args) == 0 {
		return nil
	}
	in := parseChartArgs(args)
	var offered []string
	if _, present := in["range"]; !present {
		offered = append(offered, "1m", "6m", "1y", "5y", "10y", "ytd", "max")
	}
	if _, present := in["kind"]; !present {
		several := strings.Contains(fmt.Sprint(in["symbol"]), ",")
		offered = append(offered, slices.DeleteFunc(tools.ChartKinds(), func(kind string) bool { return (kind == "compare") != several })...)
	}
	return offered
}
