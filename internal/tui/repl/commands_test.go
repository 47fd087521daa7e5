package repl_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/repl"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func withCommands(commands ...tui.Command) func() repl.Config {
	return func() repl.Config {
		cfg := chatWith(turnAnswering("Sent."), turnAnswering("Sent."))
		cfg.Commands = commands
		return cfg
	}
}

func showing(name string, show func(string) (string, error)) tui.Command {
	return tui.Command{Name: name, Hint: "[words]", About: "shows *things*", Run: tui.TextCommand(show)}
}

func listCommand() tui.Command {
	return tui.Command{Name: "skills", About: "what there is", Open: func() *tui.ListScreen {
		return &tui.ListScreen{
			Title: "Skills", Empty: "None yet.",
			Items: func() []tui.ListItem {
				return []tui.ListItem{
					{Name: "get-price", Title: "Current price", Group: "Markets", About: "what it costs", Marks: []string{"builtin"}},
					{Name: "broken", Group: "Markets", About: "cannot be read", Problem: true},
					{Name: "mine\x1b[31m", Group: "Yours", About: "of *mine*\nYou: y"},
				}
			},
			Read: func(name string) (string, error) {
				if name == "broken" {
					return "", errors.New("broken: no front matter")
				}
				return "# " + name + "\n\nFollow it.", nil
			},
		}
	}}
}

func TestCommand_PrintsItsResult(t *testing.T) {
	why := showing("why", func(words string) (string, error) {
		if words == "" {
			return "", errors.New("nothing to explain")
		}
		return "**" + words + "**\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", nil
	})
	for _, row := range []struct{ name, line, want string }{
		{"words", "/why 3", "nfa: 3\n\n  ---\n\n  a  b\n  ─  ─\n  1  2\n"},
		{"a fault", "/why", "Error: nothing to explain\n"},
		{"no command", "/nope x", "Notice: No command or skill /nope. Nothing was sent.\n"},
		{"a misspelled command", "/wyh x", "Notice: No command or skill /wyh. Did you mean /why x? Nothing was sent.\n"},
		{"a path", "/etc/hosts", "Assistant: Sent.\n"},
		{"a list screen is a list", "/skills", "nfa: Skills, 3:\n\n  Markets:\n\n  1. get-price, Current price (builtin): what it costs\n  2. broken, has a problem: cannot be read\n\n  Yours:\n\n  3. mine: of *mine* You: y\nNotice: To use an item, type its number.\n"},
		{"words choose", "/skills COSTS price", "nfa: Skills, 1:\n\n  Markets:\n\n  1. get-price, Current price (builtin): what it costs\nNotice: To use an item, type its number.\n"},
		{"nothing chosen", "/skills tax", "nfa: No matches for tax.\n"},
		{"an item is read", "/skills get-price", "nfa: # get-price\n\n  Follow it.\n"},
		{"an item that cannot be read", "/skills broken", "Error: broken: no front matter\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			checkOutput(t, row.line+"\n", withCommands(why, listCommand()), "You: "+row.line+"\n"+row.want)
		})
	}
}

func TestCommand_HelpListsAllThereIs(t *testing.T) {
	got, _, _ := inLines(t, "/help\n", withCommands(listCommand(), showing("why", nil)))
	for _, want := range []string{"nfa: Type a message", "  • /clear: start a new", "  • /quit: quit", "  • /skills: what there is\n", "  • /why [words]: shows *things*\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("/help does not say %q:\n%s", want, got)
		}
	}
}

func TestCommand_QuitQuitsAndClearStartsANewSession(t *testing.T) {
	_, result, _ := inLines(t, "hello\n/clear\n", withCommands())
	if result.SessionID != "" {
		t.Errorf("after /clear %q can be resumed, want nothing", result.SessionID)
	}
	got, result, err := inLines(t, "hello\n/clear\n/quit\nhello\n", withCommands())
	if want := "You: hello\nAssistant: Sent.\nYou: /clear\n" + startLines + "Notice: The previous session is saved as s1.\nYou: /quit\n"; got != want || result.SessionID != "" || err != nil {
		t.Errorf("Run = %+v, %v; written (-want +got):\n%s", result, err, cmp.Diff(want, got))
	}
}

func TestCommand_ATaskIsStoppedByCtrlC(t *testing.T) {
	work := tui.Command{Name: "compact", Run: taskCommand(func(ctx context.Context, _ string) (string, error) {
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(time.Minute):
			return "done", nil
		}
	})}
	atTerminal(t, withCommands(work), func(p *typist) {
		p.types("/compact", 0)
		p.interrupt()
		p.shows("Notice: Stopping. Press Ctrl+C again to quit.", "Notice: /compact stopped. Nothing was changed.")
		p.types("/compact", 0)
		time.Sleep(2 * time.Minute)
		p.shows("done")
		p.interrupt()
		p.interrupt()
	})
}

func TestCommand_ATaskMaySaveAfterQuit(t *testing.T) {
	for _, row := range []struct {
		name        string
		takes, want time.Duration // for the task to save its results, and until the chat ends
		kept        bool
	}{
		{"soon", 2 * time.Second, 2 * time.Second, true},
		{"never", time.Hour, 3 * time.Second, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, leave := context.WithCancel(t.Context())
				var kept atomic.Bool
				cfg := withCommands(tui.Command{Name: "compact", Run: taskCommand(func(ctx context.Context, _ string) (string, error) {
					leave()
					<-ctx.Done()
					time.Sleep(row.takes)
					kept.Store(true)
					return "", ctx.Err()
				})})()
				cfg.Input, cfg.Output = strings.NewReader("/compact\n"), io.Discard
				begun := time.Now()
				_, err := repl.Run(ctx, cfg)
				if took := time.Since(begun); kept.Load() != row.kept || took != row.want || !errors.Is(err, context.Canceled) {
					t.Errorf("Run = %v after %v, kept %t; want it canceled after %v, kept %t", err, took, kept.Load(), row.want, row.kept)
				}
				time.Sleep(row.takes) // the bubble must outlive the task
			})
		})
	}
}

func TestChart_IsDescribedInWords(t *testing.T) {
	shares := &chart.Spec{Kind: chart.KindBars, Title: "Allocation", Parts: []chart.Part{{Label: "VTI", Value: 60}, {Label: "BND", Value: 40}}}
	description := chart.Describe(*shares)
	drawn := tui.Command{Name: "allocation", Run: drawCommand(func(string) (*chart.Spec, string, error) { return shares, "Two holdings.", nil })}
	c := call("c1", "portfolio_allocation", "{}")
	checkOutput(t, "go\n/allocation\n", func() repl.Config {
		cfg := chatWith(turnWithEvents(agent.TurnDone{}, nil, agent.ToolFinished{Outcome: tool.Outcome{Call: c, Result: tool.Result{Title: "by holding", Chart: shares}}}))
		cfg.Commands = []tui.Command{drawn}
		return cfg
	}, "You: go\nTool: Portfolio by holding … done\nChart: "+description+"\nYou: /allocation\nChart: "+description+"\nnfa: Two holdings.\n")
}

func TestCommand_RefreshReplacesTheCommands(t *testing.T) {
	checkOutput(t, "/reload\n/new\n", func() repl.Config {
		cfg := withCommands(showing("reload", func(string) (string, error) { return "added: new", nil }))()
		cfg.Refresh = func() []tui.Command {
			return []tui.Command{showing("new", func(string) (string, error) { return "It works.", nil })}
		}
		return cfg
	}, "You: /reload\nnfa: added: new\nYou: /new\nnfa: It works.\n")
}

// comparing returns a skill that asks for missing values.
func comparing() tui.Command {
	fields := func(symbols, problem string) []widget.FormField {
		return []widget.FormField{
			{Name: "symbols", About: "two or more", Required: true, Value: symbols, Problem: problem},
			{Name: "range", Choices: []string{"1y", "5y"}, Value: "5y", Hint: "text"},
		}
	}
	var fill func(values map[string]string) (agent.Input, error)
	fill = func(values map[string]string) (agent.Input, error) {
		if !strings.Contains(values["symbols"], " ") {
			return agent.Input{}, &tui.MissingInputError{Title: "compare", Fields: fields(values["symbols"], "one is not enough"), Fill: fill}
		}
		return agent.Input{Text: "/compare " + values["symbols"] + " " + values["range"]}, nil
	}
	return tui.Command{Name: "compare", Kind: tui.KindSkill, Prepare: func(args string) (agent.Input, error) {
		if args != "" {
			return agent.Input{}, nil
		}
		return agent.Input{}, &tui.MissingInputError{Title: "compare", Fields: fields("", ""), Fill: fill}
	}}
}

const (
	firstPrompt = "You: /compare\nNotice: compare. Enter keeps the current value; /cancel discards your changes.\nNotice: symbols (required): two or more\n"
	rangePrompt = "Notice: range: text. Choose by number or name: 1: 1y, 2: 5y. Current value: 5y\n"
)

func TestForm_AsksALineForEachValue(t *testing.T) {
	for _, row := range []struct{ name, lines, want, sent string }{
		{"filled", "AAPL MSFT\n\n", firstPrompt + "Value: AAPL MSFT\n" + rangePrompt + "Value:\nAssistant: Sent.\n", "/compare AAPL MSFT 5y"},
		{"emptied", "AAPL MSFT\n/empty\n", firstPrompt + "Value: AAPL MSFT\n" + rangePrompt + "Value: /empty\nAssistant: Sent.\n", "/compare AAPL MSFT "},
		{"what is needed is asked for again", "\nAAPL MSFT\n1y\n", firstPrompt + "Value:\nNotice: symbols: a value is required\nValue: AAPL MSFT\n" + rangePrompt + "Value: 1y\nAssistant: Sent.\n", "/compare AAPL MSFT 1y"},
		{"what will not do is asked for again, alone", "AAPL\n1y\nAAPL MSFT\n", firstPrompt + "Value: AAPL\n" + rangePrompt + "Value: 1y\n" +
			"Notice: compare. Enter keeps the current value; /cancel discards your changes.\n" +
			"Notice: symbols (required): two or more. Current value: AAPL. Invalid: one is not enough\nValue: AAPL MSFT\nAssistant: Sent.\n", "/compare AAPL MSFT 1y"},
		{"given up", "/cancel\n", firstPrompt + "Value: /cancel\nNotice: Canceled. Nothing was changed.\n", ""},
		{"cut off", "AAPL\n", firstPrompt + "Value: AAPL\n" + rangePrompt + "Notice: Canceled. Nothing was changed.\n", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := &scripted{id: "s1", turns: []turn{turnAnswering("Sent.")}}
			checkOutput(t, "/compare\n"+row.lines, func() repl.Config {
				cfg := withCommands(comparing())()
				cfg.Conversation = c
				return cfg
			}, row.want)
			if got := strings.Join(c.got, "|"); got != row.sent {
				t.Errorf("sent %q, want %q", got, row.sent)
			}
		})
	}
}

// stepping returns a command with two forms. Both can be canceled.
func stepping() tui.Command {
	left := func() (string, error) { return "nothing was said", nil }
	second := func() (string, error) {
		return "", &tui.MissingInputError{
			Title: "two", Fields: []widget.FormField{{Name: "currency"}},
			Show:     func(values map[string]string) (string, error) { return "currency " + values["currency"], nil },
			OnCancel: left,
		}
	}
	return tui.Command{Name: "setup", Run: tui.TextCommand(func(string) (string, error) {
		return "", &tui.MissingInputError{
			Title:  "one",
			Fields: []widget.FormField{{Name: "key", Secret: true, About: "nfa auth set PROVIDER keeps it"}, {Name: "model"}},
			Show: func(values map[string]string) (string, error) {
				if values["key"] != "" {
					return "", errors.New("a key was typed")
				}
				return second()
			},
			OnCancel: left,
		}
	})}
}

func TestForm_ASecretIsNeverTypedAndCancelEndsAllSteps(t *testing.T) {
	first := "You: /setup\nNotice: one. Enter keeps the current value; /cancel discards your changes.\n" +
		"Notice: key cannot be typed here, because it would be visible. nfa auth set PROVIDER keeps it\nNotice: model\n"
	second := "Notice: two. Enter keeps the current value; /cancel discards your changes.\nNotice: currency\n"
	for _, row := range []struct{ name, lines, want string }{
		{"both", "offline\nEUR\n", first + "Value: offline\n" + second + "Value: EUR\nnfa: currency EUR\n"},
		{"the first left", "/cancel\n", first + "Value: /cancel\nnfa: nothing was said\n"},
		{"the second left", "offline\n/cancel\n", first + "Value: offline\n" + second + "Value: /cancel\nnfa: nothing was said\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			checkOutput(t, "/setup\n"+row.lines, withCommands(stepping()), row.want)
		})
	}
}

func TestRun_OnceLeavesWhenTheMessageWasDealtWith(t *testing.T) {
	got, _, err := inLines(t, "offline\nEUR\nand more\n", func() repl.Config {
		cfg := withCommands(stepping())()
		cfg.Message, cfg.Once = "/setup", true
		return cfg
	})
	if err != nil || !strings.HasSuffix(got, "nfa: currency EUR\n") || strings.Contains(got, "more") || strings.Contains(got, "nfa 0.1") {
		t.Errorf("Run = %v, written:\n%s", err, got)
	}
}

func TestRun_ARecordedConversationIsTakenUpAtItsLastQuestion(t *testing.T) {
	entry := func(kind session.Kind, m llm.Message, display string) session.Entry {
		return session.Entry{Kind: kind, Message: m, Display: []byte(display)}
	}
	checkOutput(t, "", func() repl.Config {
		cfg := chatWith()
		cfg.History = []session.Entry{
			entry(session.KindUser, llm.Message{Content: "old"}, ""),
			entry(session.KindUser, llm.Message{Content: "the skill's text"}, `{"text":"/get-price AAPL"}`),
			entry(session.KindAssistant, llm.Message{ToolCalls: []llm.ToolCall{call("a", "quote", `{"symbol":"AAPL"}`)}}, ""),
			entry(session.KindTool, llm.Message{ToolCallID: "a", ToolName: "quote"}, `{"title":"AAPL","summary":"70.70 USD"}`),
			entry(session.KindTool, llm.Message{ToolCallID: "b", ToolName: "news", IsError: true, Content: "no source"}, ""),
			entry(session.KindAssistant, llm.Message{Content: "It is at\n\n70.70 USD."}, `{"stop":"step_limit","report":{"total":1,"traced":1}}`),
			entry(session.KindNote, llm.Message{Content: "a note"}, ""),
			entry(session.KindNote, llm.Message{}, `{"error":"no answer"}`),
		}
		return cfg
	}, `Notice: Continuing session s1. The last question follows; to read the whole session, run: nfa sessions show s1
You: /get-price AAPL
Tool: Quote AAPL … done, 70.70 USD
Tool: News … failed: no source
Assistant: It is at

  70.70 USD.
Notice: Stopped at the step limit. Send "continue" to continue.
Notice: a note
Error: no answer
`)
}
