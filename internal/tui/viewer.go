package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// viewFocused shows the focused message or card on the whole screen.
func (m *Model) viewFocused() {
	title, draw, ok := m.transcript.FocusedInFull()
	if !ok {
		return
	}
	var hints []widget.ActionHint
	if chosen, _ := m.transcript.Selected(); isChartCommand(chosen.ChartCommand) {
		hints = chartHints()
	}
	m.viewer = widget.NewViewer(m.st, m.chat.Keys, title, draw, hints...)
}

func chartHints() []widget.ActionHint {
	return []widget.ActionHint{
		{Action: "chart-year", Text: "1y"}, {Action: "chart-five-years", Text: "5y"}, {Action: "chart-all", Text: "max"},
		{Action: "chart-line", Text: "line"}, {Action: "chart-candles", Text: "candles"}, {Action: "chart-drawdown", Text: "drawdown"},
	}
}

func (m *Model) pressViewer(k tea.KeyPressMsg) tea.Cmd {
	if cmd, handled := m.pressChart(k); handled {
		m.viewer = nil
		return cmd
	}
	if m.viewer.Press(k) {
		m.viewer = nil
	}
	return nil
}

func isChartCommand(line string) bool {
	name, _, _ := widget.ParseCommand(line)
	return name == "chart"
}

// pressChart handles the keys of the focused chart: they draw it again with another period or kind.
func (m *Model) pressChart(k tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	chosen, _ := m.transcript.Selected()
	action := m.chat.Keys.Action(widget.ScopeChart, k)
	if action == "" || !isChartCommand(chosen.ChartCommand) {
		return nil, false
	}
	m.transcript.Blur()
	return m.submit(changeChart(chosen.ChartCommand, action)), true
}

var rangePattern = lazyregexp.New(`^(?:\d+[dmy]|ytd|max)$`)

// changeChart returns the command of a chart with another period or kind: "/chart AAPL 5y candles".
func changeChart(line, action string) string {
	periods := map[string]string{"chart-year": "1y", "chart-five-years": "5y", "chart-all": "max"}
	kinds := map[string]chart.Kind{"chart-line": chart.KindLine, "chart-candles": chart.KindCandles, "chart-drawdown": chart.KindDrawdown, "chart-histogram": chart.KindHistogram}
	replaces := func(word string) bool {
		if _, ok := periods[action]; ok {
			return rangePattern().MatchString(word)
		}
		return slices.Contains([]chart.Kind{chart.KindLine, chart.KindCandles, chart.KindDrawdown, chart.KindHistogram, chart.KindCompare}, chart.Kind(word))
	}
	words := slices.DeleteFunc(strings.Fields(line), replaces)
	return strings.Join(append(words, periods[action]+string(kinds[action])), " ")
}
