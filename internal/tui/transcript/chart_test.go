package transcript_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// drawdownSpec returns a year of closing prices with a missing week.
func drawdownSpec() *chart.Spec {
	line := chart.Series{}
	for i := range 365 {
		line.Times = append(line.Times, time.Date(2019, time.April, 17+i, 0, 0, 0, 0, time.UTC))
		line.Values = append(line.Values, 100+10*math.Sin(float64(i)/40))
		if i >= 100 && i < 107 {
			line.Values[i] = math.NaN()
		}
	}
	return &chart.Spec{Kind: chart.KindLine, Title: "VTI daily closes", Unit: "USD", Series: []chart.Series{line}}
}

func drawnResult() tool.Result {
	return tool.Result{Title: "VTI · daily", ForUser: "365 closes of VTI.", Chart: drawdownSpec()}
}

// liveResult returns what a chat shows of a call that has just ended.
func liveResult(t *testing.T, r tool.Result) *page {
	p := newPage(t)
	turn := p.Begin("draw it")
	turn.Handle(agent.ToolStarted{Call: llm.ToolCall{ID: "a", Name: "price_history", Arguments: `{}`}})
	turn.Handle(agent.ToolFinished{Outcome: tool.Outcome{Call: llm.ToolCall{ID: "a", Name: "price_history"}, Result: r}})
	return p
}

// resumedResult returns what the chat shows of the same call after it was recorded and resumed.
func resumedResult(t *testing.T, r tool.Result) *page {
	p := newPage(t)
	d := agent.Display{Title: r.Title, ForUser: r.ForUser, Chart: r.Chart, Opened: r.Opened}
	kept, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	p.AddHistory([]session.Entry{
		userEntry("draw it"),
		assistantEntry(llm.Message{ToolCalls: []llm.ToolCall{{ID: "a", Name: "price_history", Arguments: `{}`}}}),
		{Kind: session.KindTool, Message: llm.Message{ToolCallID: "a", ToolName: "price_history"}, Display: kept},
	})
	return p
}

func TestCard_DrawsItsChartOnceOpened(t *testing.T) {
	p := liveResult(t, drawnResult())
	p.showsNot("VTI daily closes", "┤")
	p.ToggleAll()
	p.shows("│ VTI daily closes, USD", "┤", "2019-07", "365 closes of VTI.")
	if strings.Index(p.text(), "┤") > strings.Index(p.text(), "365 closes") {
		t.Errorf("the chart is below the text:\n%s", p.text())
	}
}

func TestCard_OfAResultToBeSeenIsOpenAtOnce(t *testing.T) {
	r := drawnResult()
	r.Opened = true
	liveResult(t, r).shows("┤", "365 closes of VTI.")
	resumedResult(t, r).shows("┤", "365 closes of VTI.")
}

// A resumed conversation looks the same, including its charts.
func TestReplay_DrawsTheChartThatWasDrawn(t *testing.T) {
	for _, width := range []int{38, 78, 198} {
		before, after := liveResult(t, drawnResult()), resumedResult(t, drawnResult())
		for _, p := range []*page{before, after} {
			p.SetSize(width, 40, true)
			p.ToggleAll()
		}
		if diff := cmp.Diff(before.text(), after.text()); diff != "" {
			t.Errorf("at %d columns (-live +resumed):\n%s", width, diff)
		}
	}
}

func TestShowResult_StandsAboveTheWords(t *testing.T) {
	p := newPage(t)
	p.ShowResult(drawdownSpec(), "what it shows", nil)
	p.shows("VTI daily closes, USD", "┤", "what it shows")
}

// A chart is drawn once for each width and theme, not for each frame.
func BenchmarkView_WithAnOpenedChart(b *testing.B) {
	p := newPage(nil)
	p.ShowResult(drawdownSpec(), "what it shows", nil)
	for b.Loop() {
		p.View()
	}
}

// approvedResult returns what a chat shows while an answer arrives below a requested chart.
func approvedResult(t *testing.T, height int, r tool.Result) (*page, *transcript.Turn) {
	p := newPage(t)
	p.SetSize(78, height, true)
	turn := p.Begin("draw it")
	turn.Handle(agent.ToolStarted{Call: llm.ToolCall{ID: "a", Name: "chart", Arguments: `{}`}})
	turn.Handle(agent.ToolFinished{Outcome: tool.Outcome{Call: llm.ToolCall{ID: "a", Name: "chart"}, Result: r}})
	p.SetSize(78, height, true)
	return p, turn
}

func TestChart_RequestedOneStaysInView(t *testing.T) {
	r := drawnResult()
	r.Opened = true
	for _, height := range []int{8, 17, 24, 40} {
		p, turn := approvedResult(t, height, r)
		p.shows("▾ Chart", "VTI daily closes")
		for range 60 {
			turn.Handle(agent.TextDelta{Text: "It rose.\n\n"})
			p.SetSize(78, height, true)
			p.View()
		}
		p.shows("▾ Chart", "VTI daily closes")
		if !p.Scrolled() || !p.HasUnseen() {
			t.Errorf("%d lines: scrolled %t, unseen %t, want the sign that there is more", height, p.Scrolled(), p.HasUnseen())
		}
		p.Follow()
		turn.Handle(agent.TextDelta{Text: "At the end."})
		p.shows("At the end.")
		p.showsNot("▾ Chart")
	}
}

func TestView_MovesNothing(t *testing.T) {
	r := drawnResult()
	r.Opened = true
	p, turn := approvedResult(t, 40, r)
	for range 60 {
		turn.Handle(agent.TextDelta{Text: "It rose.\n\n"})
	}
	before := p.text()
	if p.Scrolled() || p.HasUnseen() {
		t.Errorf("View moves the sight: scrolled %t, unseen %t", p.Scrolled(), p.HasUnseen())
	}
	if diff := cmp.Diff(before, p.text()); diff != "" {
		t.Errorf("the second View is another (-first +second):\n%s", diff)
	}
}

func TestChart_DoesNotScrollAReaderBack(t *testing.T) {
	r := drawnResult()
	p, turn := approvedResult(t, 17, r) // not opened: it is one line, and the end is followed
	for range 60 {
		turn.Handle(agent.TextDelta{Text: "It rose.\n\n"})
		p.SetSize(78, 17, true)
		p.View()
	}
	if p.Scrolled() {
		t.Error("a collapsed chart stops scrolling")
	}
	r.Opened = true
	p.Scroll(-20)
	before := p.text()
	turn.Handle(agent.ToolStarted{Call: llm.ToolCall{ID: "b", Name: "chart", Arguments: `{}`}})
	turn.Handle(agent.ToolFinished{Outcome: tool.Outcome{Call: llm.ToolCall{ID: "b", Name: "chart"}, Result: r}})
	if diff := cmp.Diff(before, p.text()); diff != "" {
		t.Errorf("a chart moved a reader who is elsewhere (-before +after):\n%s", diff)
	}
}
