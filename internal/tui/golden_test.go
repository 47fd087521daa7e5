package tui_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

var update = flag.Bool("update", false, "rewrite the golden frames")

const (
	question = "How has the S&P 500 done since 2008, and how bad did it get?"
	reply    = "From 2008-01-02 to 2020-04-17 the index rose **98.6%** in total, 5.7% per year, with " +
		"a volatility of 21.2%. The maximum drawdown was 53.3%, from 2008-01-02 to 2009-03-09; " +
		"it recovered on 2012-09-13.\n\n" +
		"| | value | dates |\n|---|---:|---|\n| total return | +98.63% | 2008-01-02 to 2020-04-17 |\n| max drawdown | -53.25% | 2008-01-02 to 2009-03-09 |\n"
)

func priceHistory() tool.Outcome {
	return outcome("c1", "price_history", `{"symbol":"^GSPC","from":"2008-01-02","interval":"1d"}`, tool.Result{
		Title: "^GSPC · 2008-01-02 to 2020-04-17 · daily", Summary: "3,095 bars",
		ForUser: "3,095 daily bars of ^GSPC.",
	}, 12*time.Millisecond)
}

func returnsStats() tool.Outcome {
	return outcome("c2", "returns_stats", `{"symbol":"^GSPC"}`, tool.Result{
		Title:   "^GSPC · price index, no dividends",
		ForUser: "| figure | value | note |\n|---|---:|---|\n| total return | +98.63% | 2008-01-02 to 2020-04-17 |\n| max drawdown | -53.25% | 2008-01-02 to 2009-03-09 |",
	}, time.Millisecond)
}

func demoCommands() []tui.Command {
	show := tui.TextCommand(func(string) (string, error) { return "nothing yet", nil })
	skill := func(args string) (agent.Input, error) { return agent.Input{ForModel: args}, nil }
	return []tui.Command{
		{Name: "skills", About: "the skills at hand", Run: show},
		{Name: "model", About: "which model answers", Run: show},
		{Name: "reload", About: "scan the skills again", Run: show},
		{Name: "portfolio", About: "positions, market value and gain", Hint: "[import | add | lots | ...]", Run: show},
		{Name: "performance", About: "return of your portfolio, with a benchmark", Hint: "[benchmark]", Run: show},
		{Name: "ratios", About: "valuation, profitability and growth ratios", Hint: "symbol", Run: show},
		{Name: "portfolio-checkup", About: "review a portfolio you describe", Hint: "[positions]", Kind: tui.KindSkill, Prepare: skill},
		{Name: "rebalance", About: "trade list back to your targets, tax first", Hint: "[target] [band]", Kind: tui.KindSkill, Prepare: skill},
		{Name: "retirement-plan", DisplayName: "Retirement plan", About: "will the money last? simulate and explain", Kind: tui.KindSkill, Prepare: skill},
		{Name: "get-price", DisplayName: "Current price", About: "price of a listed asset, with its date and source", Hint: "<symbol>", Kind: tui.KindSkill, Prepare: skill},
	}
}

// slowCheckup returns a chat whose /checkup waits for a slow source.
func slowCheckup() tui.Config {
	return tui.Config{Commands: []tui.Command{{Name: "checkup", Activity: "Checking your portfolio", Run: func(ctx context.Context, _ string) (tui.CommandOutput, error) {
		<-ctx.Done()
		return tui.CommandOutput{}, ctx.Err()
	}}}}
}

func display(d agent.Display) json.RawMessage {
	b, err := json.Marshal(d)
	if err != nil {
		panic(err)
	}
	return b
}

func recorded() []session.Entry {
	return []session.Entry{
		userEntry("What does AAPL cost?"),
		{Kind: session.KindAssistant, Message: llm.Message{Reasoning: "A quote will do.", ToolCalls: []llm.ToolCall{{ID: "q1", Name: "quote", Arguments: `{"symbol":"AAPL"}`}}}},
		{
			Kind: session.KindTool, Message: llm.Message{ToolCallID: "q1", ToolName: "quote"},
			Display: display(agent.Display{Title: "AAPL", Summary: "70.70 USD", ForUser: "AAPL 70.70 USD", DurationMS: 3}),
		},
		{Kind: session.KindAssistant, Message: llm.Message{Content: "AAPL closed at 70.70 USD on 2020-04-17 (SAMPLE)."}},
		userEntry("And MSFT?"),
		{Kind: session.KindDelta, Message: llm.Message{Content: "MSFT closed"}},
	}
}

type turnFunc = func(context.Context, agent.Input, emit) (agent.TurnDone, error)

// talk configures a chat whose conversation has these turns.
func talk(turns ...turnFunc) func() tui.Config {
	return func() tui.Config { return tui.Config{Conversation: &scripted{id: "s1", turns: turns}} }
}

func refused() tui.Config {
	cfg := talk(fails("deepseek: 401 the key was refused"))()
	cfg.ErrorAdvice = func(error) string { return "nfa auth set deepseek, or /model for another." }
	return cfg
}

const hostileReport = `{"path":"reports/aapl-2020-04-17.md","content":"# AAPL\n70.70 USD on 2020-04-17 \u202etxt.exe"}`

func approving() tui.Config {
	a := tui.NewApprovals()
	cfg := talk(asks(a, hostileReport, nil))()
	cfg.Approvals = a
	return cfg
}

// frames returns the states of the chat.
func frames() []frame {
	ask := func(s *screen) { s.ask(question) }
	return []frame{
		{"streaming", talk(hangs("From 2008-01-02 to 2020-04-17 the index rose **98.6%** in total")), func(s *screen) {
			ask(s)
			s.wait(2 * time.Second)
		}},
		{"popup", func() tui.Config { return tui.Config{Commands: demoCommands()} }, func(s *screen) { s.write("/pf") }},
		{"command-running", slowCheckup, func(s *screen) {
			s.ask("/checkup")
			s.wait(2 * time.Second)
		}},
		{"command-stopped", slowCheckup, func(s *screen) {
			s.ask("/checkup")
			s.wait(2 * time.Second)
			s.press("esc")
			s.wait(time.Second)
		}},
		{"command-unknown", func() tui.Config { return tui.Config{Commands: demoCommands()} }, func(s *screen) { s.ask("/ratio AAPL") }},
		{"card-open", talk(calls("Done.", priceHistory(), returnsStats())), func(s *screen) {
			ask(s)
			s.press("tab", "tab", "enter")
		}},
		{"approval", approving, func(s *screen) { s.ask("Save this as a report") }},
		{"error", refused, ask},
		{"queued", talk(hangs("From 2008-01-02")), func(s *screen) {
			ask(s)
			s.ask("And with dividends?")
			s.write("and since")
		}},
		{"form-empty", comparing, func(s *screen) { s.ask("/compare-assets") }},
		{"form-problem", comparing, func(s *screen) {
			s.ask("/compare-assets")
			s.write("AAPL, 中文🏳️‍🌈")
			s.press("enter")
			s.write("7y")
			s.press("ctrl+r")
			s.wait(time.Second)
		}},
		{"form-choices", comparing, func(s *screen) {
			s.send(tea.KeyboardEnhancementsMsg{Flags: 1})
			s.ask("/compare-assets")
			s.write("AAPL, MSFT")
			s.press("enter", "right", "right")
		}},
		{"search-empty", searchConfig, func(s *screen) { s.press("ctrl+p") }},
		{"search", searchConfig, func(s *screen) {
			s.press("ctrl+p")
			s.write("appl")
		}},
		{"setup-model-late", setupConfig, func(s *screen) {
			s.ask("/setup")
			s.press("down", "down")
			s.wait(5 * time.Second)
		}},
		{"resumed", func() tui.Config { return tui.Config{History: recorded()} }, func(*screen) {}},
	}
}

type frame struct {
	name string
	cfg  func() tui.Config
	play func(*screen)
}

// frameSizes are the sizes of every frame; wideFrames have the others too.
var (
	frameSizes  = []size{{100, 30}, {60, 20}}
	otherSizes  = []size{{40, 15}, {160, 45}}
	everySize   = []string{"start-new", "answer-price", "answer-compare", "approval", "form-choices", "list-pane"}
	listScreens = []string{"list", "symbols", "help"} // may be wider than the measure
)

type size struct{ width, height int }

func TestScreen_LooksAsDrawn(t *testing.T) {
	for _, f := range slices.Concat(frames(), startFrames(), answerFrames(), listScreenFrames(), workflowFrames(), composingFrames(), askingFrames(), failureFrames()) {
		sizes := frameSizes
		if slices.Contains(everySize, f.name) {
			sizes = slices.Concat(sizes, otherSizes)
		}
		for _, at := range sizes {
			name := fmt.Sprintf("%s.%dx%d", f.name, at.width, at.height)
			t.Run(name, func(t *testing.T) {
				var got string
				onScreen(t, f.cfg, at.width, at.height, func(s *screen) {
					f.play(s)
					got = s.view() + "\n"
					if c := s.model.View().Cursor; c != nil {
						got += fmt.Sprintf("cursor at column %d, line %d\n", c.X+1, c.Y+1)
					}
				})
				checkMeasure(t, f.name, got, at.width)
				checkFooter(t, f.name, got)
				golden.CheckFile(t, filepath.Join("testdata", "frames", name+".txt"), got, *update)
			})
		}
	}
}

// The frames in color, with ␛ for the escape character, and without color in a terminal.
func TestScreen_LooksAsDrawnInEachTheme(t *testing.T) {
	themes := map[string]tui.Theme{"dark": tui.ThemeDark, "light": tui.ThemeLight, "no-color": tui.ThemeNoColor}
	for _, f := range slices.Concat(frames(), startFrames(), answerFrames()) {
		if !slices.Contains(everySize, f.name) {
			continue
		}
		for name, theme := range themes {
			t.Run(f.name+"."+name, func(t *testing.T) {
				cfg := func() tui.Config {
					cfg := f.cfg()
					cfg.Theme = theme
					return cfg
				}
				onScreen(t, cfg, 100, 30, func(s *screen) {
					f.play(s)
					got := strings.ReplaceAll(s.view(), "\x1b", "␛") + "\n"
					if colors := themeColor.FindString(got); name == "no-color" && colors != "" {
						t.Errorf("a color without colors: %s", colors)
					}
					golden.CheckFile(t, filepath.Join("testdata", "frames", fmt.Sprintf("%s.100x30.%s.txt", f.name, name)), got, *update)
				})
			})
		}
	}
}

// themeColor matches a color in a frame.
var themeColor = regexp.MustCompile(`␛\[[0-9;]*[34]8;`)

// checkMeasure checks that no line exceeds the measure, and that numbers have one format.
func checkMeasure(t *testing.T, name, frame string, columns int) {
	t.Helper()
	isList := slices.ContainsFunc(listScreens, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	for line := range strings.Lines(frame) {
		line = strings.TrimRight(line, " \n")
		if last := min(columns-2, 100) + 1; !isList && ansi.StringWidth(line) > last {
			t.Errorf("ends in column %d, want at most %d: %q", ansi.StringWidth(line), last, line)
		}
		if strings.Contains(line, "−") || spacedPercent.MatchString(line) || longMoney.MatchString(line) {
			t.Errorf("number in another format than 5.7%%, -1.2 or 1,234.50 USD: %q", line)
		}
	}
}

// composing matches the frames whose last line is the status below the composer, where Esc only stops an
// answer.
var composing = regexp.MustCompile(`^(answer|approval-refusal|attached|card|chart-|chosen|command|error|figures|paste|queued|resumed|start|streaming|workflow-failed)`)

// checkFooter checks that a screen, a question or a list names Esc in one of its last lines.
func checkFooter(t *testing.T, name, frame string) {
	t.Helper()
	lines := strings.Split(strings.TrimRight(frame, "\n"), "\n")
	if foot := strings.Join(lines[max(len(lines)-8, 0):], "\n"); (!composing.MatchString(name) || name == "chart-full") && !strings.Contains(foot, "Esc") {
		t.Errorf("the last lines do not name Esc:\n%s", foot)
	}
}

var (
	spacedPercent = regexp.MustCompile(`\d %`)
	longMoney     = regexp.MustCompile(`\d\.\d{5,} (USD|EUR|GBP|JPY|CHF|CNY)`)
)

// asks returns a turn that asks for approval of a write and passes the answer to answered.
func asks(a *tui.Approvals, args string, answered func(tool.Answer)) func(context.Context, agent.Input, emit) (agent.TurnDone, error) {
	return func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		call := llm.ToolCall{ID: "w1", Name: "write_report", Arguments: args}
		say(agent.ToolStarted{Call: call})
		answer, err := a.Approve(ctx, tool.Approval{Call: call, Effect: tool.Writes})
		if err != nil {
			return agent.TurnDone{Reason: agent.StopCancelled}, nil
		}
		if answered != nil {
			answered(answer)
		}
		say(agent.ToolFinished{Outcome: tool.Outcome{Call: call, Result: tool.Result{Title: "reports/aapl.md"}}})
		return agent.TurnDone{Reason: agent.StopAnswered}, nil
	}
}
