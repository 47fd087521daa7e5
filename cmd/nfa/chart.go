package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/widget"
	"github.com/nfa-cli/nfa/internal/usage"
)

// chartFlags are the flags for the size and the characters of a chart.
type chartFlags struct {
	width, height int
	ascii         bool
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
			return usage.Errorf("--%s %d is out of range; use %d to %d", flag.name, flag.given, flag.least, flag.most)
		}
	}
	return nil
}

func newChart(g *globals) *cobra.Command {
	var f chartFlags
	row, _ := app.LookupCommand("chart")
	cmd := &cobra.Command{
		ValidArgsFunction: func(_ *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
			return row.Complete(words), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := checkWords(cmd, row, words); err != nil {
				return err
			}
			arguments, err := row.Arguments(words, cmd.Flags(), g.in)
			if err == nil {
				err = f.check()
			}
			if err != nil {
				return err
			}
			a, err := g.open(cmd.Context(), app.Options{UserInvoked: true})
			if err != nil {
				return err
			}
			defer a.Close()
			call := toolCall{row.Tool, arguments, g.json}
			if g.json {
				return g.callTool(cmd.Context(), a, a.Tools, call)
			}
			o, err := call.run(cmd.Context(), a, a.Tools)
			switch {
			case err != nil:
				return err
			case o.Result.IsError:
				return &exitError{exitOfResult(o.Result), errors.New(cli.FailureText(o.Result))}
			}
			_, err = fmt.Fprintln(g.out, g.renderChart(a.Settings, f, o.Result))
			return err
		},
	}
	cmd.Flags().IntVar(&f.width, "width", 0, "`N` columns (default the terminal width, 80 in a pipe)")
	cmd.Flags().IntVar(&f.height, "height", 0, "`N` lines (default 20)")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters")
	return cmd
}

// renderChart returns the chart of a result with its text below it: in color on a terminal that
// supports it, else as plain text.
func (g *globals) renderChart(s app.Settings, f chartFlags, r tool.Result) string {
	text := g.painter(s).Result(r, nil)
	if r.Chart == nil {
		return text
	}
	drawn := g.drawChart(s, f, r.Chart)
	if f.ascii || screens.Charset(s) == chart.CharsetASCII {
		text = strings.NewReplacer("·", "-", "→", "->", "…", "...", "–", "-").Replace(text)
	}
	return drawn + "\n\n" + text
}

// drawChart draws a chart in the size that the flags set, or else in the width of the terminal.
func (g *globals) drawChart(s app.Settings, f chartFlags, spec *chart.Spec) string {
	st := widget.NewStyles(g.outputTheme(s))
	if st.Charts = screens.Charset(s); f.ascii {
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
	return strings.Join(st.RenderChart(*spec, width, height), "\n")
}

// painter returns a painter that draws results as the chat does on a terminal, and as Markdown in a pipe.
func (g *globals) painter(s app.Settings) cli.Painter {
	p := cli.Painter{Chart: func(spec *chart.Spec) string { return g.drawChart(s, chartFlags{}, spec) }}
	if cli.IsTerminal(g.out) {
		p.Styles, p.Columns = widget.NewStyles(g.outputTheme(s)), cmp.Or(cli.TerminalWidth(g.out), defaultChartWidth) // some report no width
	}
	return p
}

// outputTheme returns the theme for the output of commands.
func (g *globals) outputTheme(s app.Settings) markdown.Theme {
	if !cli.IsTerminal(g.out) || s.Color == "never" || s.Color != "always" && (g.env("NO_COLOR") != "" || g.env("TERM") == "dumb") {
		return markdown.PlainTheme()
	}
	return markdown.DarkTheme()
}
