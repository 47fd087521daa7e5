package tui_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// emit sends an event to the chat.
type emit func(agent.Event)

// scripted is a Conversation with scripted turns.
type scripted struct {
	id    string
	turns []func(ctx context.Context, in agent.Input, say emit) (agent.TurnDone, error)
	got   []agent.Input
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
		c.got = append(c.got, in)
		turn := c.turns[len(c.got)-1]
		open := true
		done, err := turn(ctx, in, func(e agent.Event) { open = open && yield(e, nil) })
		if open {
			yield(done, err)
		}
	}
}

// turnAnswering returns a turn that says text.
func turnAnswering(text string) func(context.Context, agent.Input, emit) (agent.TurnDone, error) {
	return func(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		say(agent.TextDelta{Text: text})
		return agent.TurnDone{Reason: agent.StopAnswered, Answer: text}, nil
	}
}

// hangs returns a turn that writes text and runs until it is canceled.
func hangs(text string) func(context.Context, agent.Input, emit) (agent.TurnDone, error) {
	return func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		say(agent.TextDelta{Text: text})
		<-ctx.Done()
		return agent.TurnDone{Reason: agent.StopCancelled, Answer: text}, nil
	}
}

// fails returns a turn that ends with an error of the provider.
func fails(message string) func(context.Context, agent.Input, emit) (agent.TurnDone, error) {
	return func(context.Context, agent.Input, emit) (agent.TurnDone, error) {
		return agent.TurnDone{Reason: agent.StopProvider}, errors.New(message)
	}
}

// calls returns a turn that runs tools and then writes text.
func calls(text string, outcomes ...tool.Outcome) func(context.Context, agent.Input, emit) (agent.TurnDone, error) {
	return func(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		for _, o := range outcomes {
			say(agent.ToolStarted{Call: o.Call})
		}
		for _, o := range outcomes {
			say(agent.ToolFinished{Outcome: o})
			if o.Result.Skill != "" {
				say(agent.SkillLoaded{Name: o.Result.Skill})
			}
		}
		say(agent.StepDone{})
		say(agent.TextDelta{Text: text})
		return agent.TurnDone{Reason: agent.StopAnswered, Answer: text}, nil
	}
}

// screen drives a Model as Bubble Tea would, but in steps: commands run concurrently, and settle passes their
// messages back until everything waits.
type screen struct {
	t     *testing.T
	model *tui.Model
	msgs  chan tea.Msg
	done  chan struct{}
	quit  bool
	raw   []string // what was sent to the terminal in addition to the frames
	// copied is what was put on the clipboard.
	copied []string
	// wanted are the types of messages for the program that runs the Model.
	wanted []string
}

// onScreen runs play in its own bubble, where time stands still until everything waits. The configuration is
// created inside, because its channels must belong to the bubble.
func onScreen(t *testing.T, cfg func() tui.Config, width, height int, play func(*screen)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := &screen{t: t, msgs: make(chan tea.Msg), done: make(chan struct{})}
		defer func() {
			cancel()
			close(s.done)
			// Ticks cannot be canceled, so the bubble must outlive them.
			time.Sleep(time.Minute)
		}()
		s.model = tui.New(ctx, complete(cfg()))
		s.do(s.model.Init())
		s.send(tea.WindowSizeMsg{Width: width, Height: height})
		play(s)
	})
}

// complete sets the fields of a Config that a test leaves empty.
func complete(cfg tui.Config) tui.Config {
	if cfg.Conversation == nil {
		cfg.Conversation = &scripted{id: "s1"}
	}
	if cfg.Start == nil {
		cfg.Start = func() tui.Conversation { return &scripted{id: "s2"} }
	}
	if cfg.StartPage == nil {
		cfg.StartPage = demoStartPage
	}
	if cfg.Status == nil {
		cfg.Status = func() tui.Status {
			return tui.Status{Model: "built-in assistant", Agent: "advisor", Mode: "offline", Data: "SAMPLE DATA"}
		}
	}
	if cfg.Theme == tui.ThemeAuto {
		cfg.Theme = tui.ThemePlain
	}
	return cfg
}

func demoStartPage() tui.StartPage {
	return tui.StartPage{
		Intro: "Research markets, companies and your portfolio. Every figure has a source. Not financial advice.",
		Rows: []tui.StartRow{
			{Text: question, Short: "How has the S&P 500 done since 2008?"},
			{Text: "Compare Apple and Microsoft over the last 5 years", Short: "Compare Apple and Microsoft over 5 years"},
			{Text: "Import my portfolio from a broker file", Send: "/portfolio import"},
			{Text: "Connect a model", Send: "/setup"},
		},
		State: []tui.StateLine{
			{Label: "Model", Text: "none: the built-in assistant answers simple questions", Short: "none, built-in assistant", Command: "/setup"},
			{Label: "Data", Text: "sample data: S&P 500 to 2020-04-17, 8 companies to 2022-06-28", Short: "sample, to 2022-06-28", Command: "/setup"},
			{Label: "Portfolio", Text: "empty", Command: "/portfolio import"},
		},
	}
}

func (s *screen) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		if msg == nil {
			return
		}
		select {
		case s.msgs <- msg:
		case <-s.done:
		}
	}()
}

func (s *screen) send(msg tea.Msg) {
	_, cmd := s.model.Update(msg)
	s.do(cmd)
	s.settle()
}

// settle handles everything that can happen without time passing.
func (s *screen) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-s.msgs:
			if reflect.TypeOf(msg) == reflect.TypeOf(tea.SetClipboard("")()) {
				s.copied = append(s.copied, fmt.Sprint(msg))
				continue
			}
			switch msg := msg.(type) {
			case tea.BatchMsg:
				for _, cmd := range msg {
					s.do(cmd)
				}
			case tea.RawMsg:
				s.raw = append(s.raw, fmt.Sprint(msg.Msg))
			case tea.QuitMsg:
				s.quit = true
			default:
				if name := fmt.Sprintf("%T", msg); strings.HasPrefix(name, "tea.") {
					s.wanted = append(s.wanted, name)
				}
				_, cmd := s.model.Update(msg)
				s.do(cmd)
			}
		default:
			return
		}
	}
}

// wait lets time pass, one frame at a time.
func (s *screen) wait(d time.Duration) {
	const step = 40 * time.Millisecond
	for ; d > 0; d -= step {
		time.Sleep(min(step, d))
		s.settle()
	}
}

// press presses keys by their names in tea.Key.String.
func (s *screen) press(names ...string) {
	for _, name := range names {
		s.send(keyOf(name))
	}
}

// write types text, key by key.
func (s *screen) write(text string) {
	for _, r := range text {
		s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// ask types a message, sends it and gives the turn time to run.
func (s *screen) ask(text string) {
	s.write(text)
	s.press("enter")
	s.wait(200 * time.Millisecond)
}

func keyOf(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
		"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "space": tea.KeySpace,
		"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5,
		"f6": tea.KeyF6, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10,
	}
	var key tea.KeyPressMsg
	for {
		mod, rest, ok := strings.Cut(name, "+")
		if !ok || rest == "" {
			break
		}
		key.Mod |= map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[mod]
		name = rest
	}
	if code, ok := codes[name]; ok {
		key.Code = code
		return key
	}
	key.Code = []rune(name)[0]
	if key.Mod == 0 {
		key.Text = name
	}
	return key
}

// view returns the frame as text, without trailing blanks.
func (s *screen) view() string {
	lines := strings.Split(s.model.View().Content, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

func (s *screen) shows(words ...string) {
	s.t.Helper()
	for _, w := range words {
		if !strings.Contains(s.view(), w) {
			s.t.Fatalf("screen does not show %q:\n%s", w, s.view())
		}
	}
}

func (s *screen) showsNot(words ...string) {
	s.t.Helper()
	for _, w := range words {
		if strings.Contains(s.view(), w) {
			s.t.Fatalf("screen shows %q:\n%s", w, s.view())
		}
	}
}

// outcome returns a finished call.
func outcome(id, name, args string, r tool.Result, d time.Duration) tool.Outcome {
	return tool.Outcome{Call: llm.ToolCall{ID: id, Name: name, Arguments: args}, Result: r, Duration: d}
}

func userEntry(text string) session.Entry {
	return session.Entry{Kind: session.KindUser, Message: llm.Message{Role: llm.RoleUser, Content: text}}
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
