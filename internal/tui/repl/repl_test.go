package repl_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/repl"
)

// emit sends an event to the chat.
type emit func(agent.Event)

type turn = func(ctx context.Context, in agent.Input, say emit) (agent.TurnDone, error)

// scripted is a Conversation with scripted turns.
type scripted struct {
	id    string
	turns []turn
	got   []string
	// records are the commands that were recorded.
	records []agent.CommandRecord
}

func (c *scripted) ID() string { return c.id }

func (c *scripted) RecordCommand(_ context.Context, r agent.CommandRecord) (bool, error) {
	c.records = append(c.records, r)
	return true, nil
}

func (c *scripted) Run(ctx context.Context, in agent.Input) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		c.got = append(c.got, in.Text)
		done, err := c.turns[len(c.got)-1](ctx, in, func(e agent.Event) { yield(e, nil) })
		yield(done, err)
	}
}

// turnAnswering returns a turn that says text, in pieces.
func turnAnswering(pieces ...string) turn {
	return func(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		for _, p := range pieces {
			say(agent.TextDelta{Text: p})
		}
		return agent.TurnDone{Reason: agent.StopAnswered, Answer: strings.Join(pieces, "")}, nil
	}
}

// turnWithEvents returns a turn with these events.
func turnWithEvents(done agent.TurnDone, err error, events ...agent.Event) turn {
	return func(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		for _, e := range events {
			say(e)
		}
		return done, err
	}
}

// hangingTurn returns a turn that writes text and runs until it is canceled.
func hangingTurn(text string) turn {
	return func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		say(agent.TextDelta{Text: text})
		<-ctx.Done()
		return agent.TurnDone{Reason: agent.StopCancelled, Answer: text}, nil
	}
}

func chatWith(turns ...turn) repl.Config {
	var cfg repl.Config
	cfg.Conversation = &scripted{id: "s1", turns: turns}
	cfg.Start = func() tui.Conversation { return &scripted{id: "s2", turns: turns} }
	cfg.StartPage = func() tui.StartPage {
		return tui.StartPage{
			Intro: "Not financial advice.", Rows: []tui.StartRow{{Text: "Connect a model", Send: "/setup"}},
			State: []tui.StateLine{{Label: "Data", Text: "sample data", Command: "/setup"}},
		}
	}
	return cfg
}

const startLines = "nfa: nfa. Not financial advice.\nNotice: Data: sample data (/setup)\nTry: /setup\n" +
	"Notice: /help lists commands, /quit quits. To continue on the next line, end the line with a backslash.\n"

// inLines runs a chat with a script as its input, in a bubble with fake time. The configuration is created
// inside, because its channels must belong to the bubble.
func inLines(t *testing.T, script string, config func() repl.Config) (written string, result tui.Result, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		cfg := config()
		cfg.Input, cfg.Output = strings.NewReader(script), &out
		result, err = repl.Run(t.Context(), cfg)
		synctest.Wait()
		written = strings.TrimPrefix(out.String(), startLines)
	})
	return written, result, err
}

func checkOutput(t *testing.T, script string, config func() repl.Config, want string) {
	t.Helper()
	got, _, err := inLines(t, script, config)
	if err != nil {
		t.Errorf("Run: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
}

func call(id, name, arguments string) llm.ToolCall {
	return llm.ToolCall{ID: id, Name: name, Arguments: arguments}
}

func TestRun_ATurnIsPrintedInLabeledLines(t *testing.T) {
	history, quote := call("c1", "price_history", `{"symbol":"AAPL","range":"5y"}`), call("c2", "quote", `{"symbol":"APPL"}`)
	report := agent.FiguresReport{Total: 4, Traced: 4}
	checkOutput(t, "How is AAPL?\n", func() repl.Config {
		return chatWith(turnWithEvents(agent.TurnDone{Reason: agent.StopAnswered, Figures: report, Attribution: agent.Attribution{Line: "Yahoo Finance · 4 figures traced"}}, nil,
			agent.ToolStarted{Call: history}, agent.ToolStarted{Call: quote},
			agent.ToolFinished{Outcome: tool.Outcome{Call: history, Duration: 2 * time.Second, Result: tool.Result{Title: "AAPL 5y daily", Summary: "3,095 bars"}}},
			agent.ToolFinished{Outcome: tool.Outcome{Call: quote, Result: tool.Failed(tool.CodeNoData, "no symbol APPL")}},
			agent.SkillLoaded{Name: "get-price"}, agent.SkillLoaded{Name: "get-price"},
			agent.StepDone{},
			agent.TextDelta{Text: "\n\nIt **rose** 98.6%.\nA lot.\n\n- one\n- two"},
			agent.Compacted{},
			agent.TextDelta{Text: "More."},
		))
	}, `You: How is AAPL?
Tool: Price AAPL 5y daily … done, 3,095 bars, in 2 s
Tool: Quote APPL … failed: no symbol APPL
Tool: skill loaded, get-price
Assistant: It rose 98.6%. A lot.

  • one
  • two
Notice: Context compacted: older tool results are sent to the model without their data.
Assistant: More.
Source: Yahoo Finance · 4 figures traced
`)
}

func TestRun_HowATurnEndedIsSaid(t *testing.T) {
	lost := errors.New("deepseek: 401 the key was refused")
	for _, row := range []struct {
		name string
		turn turn
		want string
	}{
		{"canceled", turnWithEvents(agent.TurnDone{Reason: agent.StopCancelled}, lost, agent.ToolStarted{Call: call("c", "quote", "{}")}),
			"Tool: Quote … interrupted\nNotice: Stopped. The partial answer is kept.\n"},
		{"the step limit", turnWithEvents(agent.TurnDone{Reason: agent.StopStepLimit}, nil), "Notice: Stopped at the step limit. Send \"continue\" to continue.\n"},
		{"the server failed", turnWithEvents(agent.TurnDone{Reason: agent.StopProvider}, lost), "Error: deepseek: 401 the key was refused. nfa auth set deepseek\n"},
		{"asked again", turnWithEvents(agent.TurnDone{}, nil, agent.TextDelta{Text: "Half"}, agent.Retrying{Err: errors.New("broke off"), Wait: 3 * time.Second, Restarted: true}),
			"Assistant: Half\nNotice: The connection was lost. Asking again from the start.\nNotice: retrying in 3 s: broke off\n"},
		{"a figure from nowhere", turnWithEvents(agent.TurnDone{Figures: agent.FiguresReport{Total: 1, Untraced: []string{"7.5%"}}}, nil), "Not traced: 7.5% (/why)\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			checkOutput(t, "go\n", func() repl.Config {
				cfg := chatWith(row.turn)
				cfg.ErrorAdvice = func(error) string { return "nfa auth set deepseek" }
				return cfg
			}, "You: go\n"+row.want)
		})
	}
}

func TestRun_APanicComesBackAsACrash(t *testing.T) {
	_, result, err := inLines(t, "go\n", func() repl.Config {
		return chatWith(func(context.Context, agent.Input, emit) (agent.TurnDone, error) { panic("a turn's fault") })
	})
	var at *crash.Site
	if !errors.As(err, &at) || at.Stack() == "" || strings.Contains(err.Error(), "a turn's fault") || result.SessionID != "s1" {
		t.Errorf("Run = %+v, %v; want a crash that can be resumed", result, err)
	}
}

func TestRun_APanicInACommandComesBackWithoutItsWords(t *testing.T) {
	_, _, err := inLines(t, "/boom\n", func() repl.Config {
		cfg := chatWith()
		cfg.Commands = []tui.Command{{Name: "boom", Run: tui.TextCommand(func(string) (string, error) { panic("sk-CANARY") })}}
		return cfg
	})
	var at *crash.Site
	if !errors.As(err, &at) || !strings.Contains(at.Stack(), "repl_test.go:") || strings.Contains(err.Error()+at.Stack(), "CANARY") {
		t.Errorf("Run = %v; want a crash with only its location", err)
	}
}

func TestRun_LinesGoOnAfterABackslash(t *testing.T) {
	c := &scripted{id: "s1", turns: []turn{turnAnswering("Yes."), turnAnswering("Yes.")}}
	_, result, err := inLines(t, "one \\\r\ntwo\\\nthree\n\n   \nlast\\", func() repl.Config {
		cfg := chatWith()
		cfg.Conversation = c
		return cfg
	})
	if diff := cmp.Diff([]string{"one \ntwo\nthree", "last"}, c.got); diff != "" || err != nil || result.SessionID != "s1" {
		t.Errorf("Run = %+v, %v; asked (-want +got):\n%s", result, err, diff)
	}
}

func TestRun_AnUnreadableInputIsSaid(t *testing.T) {
	_, result, err := inLines(t, strings.Repeat("x", 2<<20), func() repl.Config { return chatWith() })
	if err == nil || !strings.Contains(err.Error(), "read input") || result.SessionID != "" {
		t.Errorf("Run = %+v, %v; want it said that the line is too long", result, err)
	}
}

// fullDisk is a writer that fails.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestRun_WhatCannotBeWrittenEndsTheChat(t *testing.T) {
	cfg := chatWith()
	cfg.Input, cfg.Output = strings.NewReader(strings.Repeat("/help\n", 100)), fullDisk{}
	if _, err := repl.Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "write chat: no room") {
		t.Errorf("Run = %v, want the error of the output", err)
	}
}

// typist simulates a user at a terminal, who types while the test runs.
type typist struct {
	t          *testing.T
	keys       *io.PipeWriter
	interrupts chan os.Signal

	mu      sync.Mutex
	written bytes.Buffer
}

func (p *typist) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.written.Write(b)
}

func (p *typist) seen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.written.String()
}

// types types a line after a while.
func (p *typist) types(line string, after time.Duration) {
	p.t.Helper()
	time.Sleep(after)
	if _, err := io.WriteString(p.keys, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
	synctest.Wait()
}

func (p *typist) interrupt() {
	synctest.Wait()
	p.interrupts <- os.Interrupt
	time.Sleep(time.Second)
	synctest.Wait()
}

func (p *typist) shows(words ...string) {
	p.t.Helper()
	for _, w := range words {
		if !strings.Contains(p.seen(), w) {
			p.t.Fatalf("%q was not written:\n%s", w, p.seen())
		}
	}
}

// atTerminal runs a chat with a typist. The chat must have ended when play returns.
func atTerminal(t *testing.T, config func() repl.Config, play func(*typist)) (result tui.Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		in, keys := io.Pipe()
		p := &typist{t: t, keys: keys, interrupts: make(chan os.Signal, 2)}
		cfg := config()
		cfg.Input, cfg.Output, cfg.Interrupts, cfg.Interactive, cfg.EchoesInput = in, p, p.interrupts, true, true
		ended := make(chan error, 1)
		go func() {
			var err error
			result, err = repl.Run(t.Context(), cfg)
			ended <- err
		}()
		synctest.Wait()
		play(p)
		synctest.Wait()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("Run: %v", err)
			}
		default:
			t.Errorf("the chat has not ended:\n%s", p.seen())
		}
		in.Close()
		keys.Close()
		synctest.Wait()
	})
	return result
}

func TestInterrupt_StopsTheTurnAndThenQuits(t *testing.T) {
	atTerminal(t, func() repl.Config { return chatWith(hangingTurn("So far"), turnAnswering("Fine.")) }, func(p *typist) {
		p.types("go", 0)
		p.interrupt()
		p.shows("Notice: Stopping. Press Ctrl+C again to quit.", "Assistant: So far", "Notice: Stopped. The partial answer is kept.")
		p.interrupt()
		p.shows("Notice: Press Ctrl+C again to quit.")
		p.types("again", 0)
		time.Sleep(time.Second)
		p.shows("Assistant: Fine.")
		p.interrupt()
		p.interrupt()
	})
}

func TestInterrupt_TwiceQuitsDuringATurnThatDoesNotStop(t *testing.T) {
	deaf := func(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		time.Sleep(time.Minute)
		return agent.TurnDone{Reason: agent.StopCancelled}, nil
	}
	begun := time.Now()
	result := atTerminal(t, func() repl.Config { return chatWith(deaf) }, func(p *typist) {
		p.types("go", 0)
		p.interrupt()
		p.interrupt()
		time.Sleep(2 * time.Minute) // the bubble must outlive the turn
	})
	if result.SessionID != "s1" || time.Since(begun) > time.Minute {
		t.Errorf("Run = %+v, want what can be resumed", result)
	}
}

func TestRun_WhatIsTypedMeanwhileIsTheNextMessage(t *testing.T) {
	c := &scripted{id: "s1"}
	slow := func(ctx context.Context, in agent.Input, say emit) (agent.TurnDone, error) {
		time.Sleep(5 * time.Second)
		return turnAnswering("Fine.")(ctx, in, say)
	}
	c.turns = []turn{slow, turnAnswering("Good."), turnAnswering("Done.")}
	atTerminal(t, func() repl.Config {
		cfg := chatWith()
		cfg.Conversation = c
		return cfg
	}, func(p *typist) {
		p.types("first", 0)
		p.types("second \\", time.Second)
		p.types("half", time.Second)
		time.Sleep(10 * time.Second)
		p.shows("Assistant: Fine.\nYou: second \\\n", "Assistant: Good.\n")
		p.types("/quit", 0)
	})
	if diff := cmp.Diff([]string{"first", "second \nhalf"}, c.got); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestRun_AParagraphIsSaidAsSoonAsItHasSettled(t *testing.T) {
	atTerminal(t, func() repl.Config {
		return chatWith(hangingTurn("One **bold** word.\n\nAnd then"))
	}, func(p *typist) {
		p.types("go", 0)
		time.Sleep(time.Second)
		p.shows("You: Assistant: One bold word.\n")
		if strings.Contains(p.seen(), "And") {
			t.Errorf("half a paragraph was written:\n%s", p.seen())
		}
		time.Sleep(10 * time.Second)
		p.shows("Notice: Still waiting for the answer\n")
		p.interrupt()
		p.shows("Assistant: And then\n")
		p.types("/quit", 0)
	})
}

func TestRun_TheEndOfTheContextIsPrinted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, keys := io.Pipe()
		cfg := chatWith()
		cfg.Input, cfg.Output = in, io.Discard
		ended := make(chan error, 1)
		go func() {
			_, err := repl.Run(ctx, cfg)
			ended <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run = %v, want it canceled", err)
		}
		keys.Close()
	})
}

// taskCommand returns the Run of a command that returns Markdown.
func taskCommand(run func(context.Context, string) (string, error)) func(context.Context, string) (tui.CommandOutput, error) {
	return func(ctx context.Context, args string) (tui.CommandOutput, error) {
		text, err := run(ctx, args)
		return tui.CommandOutput{Markdown: text}, err
	}
}

// drawCommand returns the Run of a command that draws a chart.
func drawCommand(draw func(string) (*chart.Spec, string, error)) func(context.Context, string) (tui.CommandOutput, error) {
	return func(_ context.Context, args string) (tui.CommandOutput, error) {
		spec, text, err := draw(args)
		return tui.CommandOutput{Chart: spec, Markdown: text}, err
	}
}
