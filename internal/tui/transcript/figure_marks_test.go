package transcript

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/trace"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func reportOf(text string, statuses map[string]trace.Status) agent.FiguresReport {
	var r agent.FiguresReport
	for i := range text {
		for figure, status := range statuses {
			if strings.HasPrefix(text[i:], figure) {
				r.Numbers = append(r.Numbers, trace.MatchedNumber{Start: i, End: i + len(figure), Text: figure, Status: status})
			}
		}
	}
	return r
}

func TestAnswer_MarksOnlyFiguresThatAreNotTraced(t *testing.T) {
	for _, row := range []struct {
		name, text string
		statuses   map[string]trace.Status
		plain      string
	}{
		{
			"prose", "It rose **5.1%**, then 12.4% and 31.2x.", map[string]trace.Status{"5.1%": trace.Traced, "12.4%": trace.Untraced, "31.2x": trace.Contradicted},
			"It rose 5.1%, then 12.4%? and 31.2x!.",
		},
		{
			"a list without a source", "Rules:\n\n- 12.4% here\n- 31.2x there", map[string]trace.Status{"12.4%": trace.Untraced, "31.2x": trace.Untraced},
			"Rules:||• 12.4% here?|• 31.2x there",
		},
		{
			"a list with one source", "- 12.4% here\n- 31.2x there", map[string]trace.Status{"12.4%": trace.Untraced, "31.2x": trace.Traced},
			"• 12.4%? here|• 31.2x there",
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newAnswer(row.text)
			b.mark(row.text, reportOf(row.text, row.statuses))
			if got := strings.Join(b.lines(widget.NewStyles(markdown.PlainTheme()), 80), "|"); got != row.plain {
				t.Errorf("without color %q, want %q", got, row.plain)
			}
			if b.source() != row.text {
				t.Errorf("source = %q, want the text of the model", b.source())
			}
			b.invalidate()
			dark := markdown.DarkTheme()
			colored := strings.Join(b.lines(widget.NewStyles(dark), 80), "|")
			if strings.Contains(ansi.Strip(colored), "%?") || row.statuses["31.2x"] == trace.Contradicted && !strings.Contains(colored, "4;"+string(dark.Loss)+"m31.2x") {
				t.Errorf("with color %q, want underlined figures without signs", colored)
			}
		})
	}
}
