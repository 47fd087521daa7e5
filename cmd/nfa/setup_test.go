package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/tui"
)

// noLocalServers makes the program look for local servers at an address where there are none.
const noLocalServers = `providers:
  ollama: {base_url: "http://127.0.0.1:1/v1"}
  lmstudio: {base_url: "http://127.0.0.1:1/v1"}
  llamacpp: {base_url: "http://127.0.0.1:1/v1"}
  vllm: {base_url: "http://127.0.0.1:1/v1"}
`

// newSetupProgram opens a program in an empty home. The only setting is the address where it looks
// for local servers.
func newSetupProgram(t *testing.T, env map[string]string) (*app.App, *globals) {
	t.Helper()
	user := t.TempDir()
	t.Setenv("HOME", user)
	t.Setenv("USERPROFILE", user)
	file := filepath.Join(user, "settings.yaml")
	if err := os.WriteFile(file, []byte(noLocalServers), 0o600); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"NFA_KEY_STORE": "file", "NFA_DATA": "sample"}
	for name, value := range env {
		all[name] = value
	}
	g := &globals{home: filepath.Join(user, ".nfa"), file: file}
	g.env = func(name string) string { return all[name] }
	p, err := g.open(t.Context(), app.Options{Agent: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p, g
}

// chatView is the chat screen of a program. Tests send it messages step by step.
type chatView struct {
	t     *testing.T
	model *tui.Model
	msgs  chan tea.Msg
}

func drawChat(t *testing.T, p *app.App, width, height int) *chatView {
	t.Helper()
	c := p.StartConversation(t.Context())
	d := &chatView{t: t, msgs: make(chan tea.Msg)}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	chat, err := screens.Chat(ctx, p, screens.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	d.model = tui.New(ctx, tui.Config{
		Start: func() tui.Conversation { return p.StartConversation(ctx) }, Conversation: c, Commands: screens.Commands(p, screens.Environment{}), Theme: tui.ThemePlain,
		StartPage: func() tui.StartPage { return screens.StartPage(p, nil) },
		Status:    chat.Status, Now: func() time.Time { return time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC) },
		Message: "/setup",
	})
	d.do(ctx, d.model.Init())
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

func (d *chatView) do(ctx context.Context, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		if msg := cmd(); msg != nil {
			select {
			case d.msgs <- msg:
			case <-ctx.Done():
			}
		}
	}()
}

func (d *chatView) send(msg tea.Msg) {
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, cmd := range batch {
			d.do(d.t.Context(), cmd)
		}
		return
	}
	_, cmd := d.model.Update(msg)
	d.do(d.t.Context(), cmd)
}

func (d *chatView) view() string {
	lines := strings.Split(d.model.View().Content, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// until takes in what happens until the screen shows the words.
func (d *chatView) until(text string) {
	d.t.Helper()
	for !strings.Contains(d.view(), text) {
		select {
		case msg := <-d.msgs:
			d.send(msg)
		case <-time.After(time.Minute):
			d.t.Fatalf("the screen never showed %q:\n%s", text, d.view())
		}
	}
}

func (d *chatView) press(code rune) { d.send(tea.KeyPressMsg{Code: code}) }

func (d *chatView) write(text string) {
	for _, r := range text {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func (d *chatView) golden(name string) {
	d.t.Helper()
	golden.CheckFile(d.t, filepath.Join("testdata", "frames", name+".txt"), d.view(), *update)
}

func TestSetup_LooksAsDrawn(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {40, 15}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			p, _ := newSetupProgram(t, map[string]string{"OPENAI_API_KEY": "sk-canary-1234567890"})
			d := drawChat(t, p, size.width, size.height)
			suffix := fmt.Sprintf(".%dx%d", size.width, size.height)
			d.until("choose a model")
			d.golden("setup-who" + suffix)
			d.press(tea.KeyEnter)
			d.write("sk-canary-2")
			d.golden("setup-key" + suffix)
			for range "sk-canary-2" {
				d.press(tea.KeyBackspace)
			}
			d.press(tea.KeyEnter)
			d.until("Setup 2 of 2")
			d.golden("setup-what" + suffix)
			d.write("ann@example.com")
			d.press(tea.KeyEnter)
			d.write("euro")
			d.press(tea.KeyEnter)
			d.until("EURO")
			d.golden("setup-problem" + suffix)
			d.press(tea.KeyBackspace)
			d.press(tea.KeyEnter)
			d.until("sec.contact is")
			d.golden("setup-done" + suffix)
		})
	}
}

func TestSetup_KeepsWhatWasSaid(t *testing.T) {
	p, g := newSetupProgram(t, nil)
	d := drawChat(t, p, 80, 24)
	d.until("choose a model")
	d.press(tea.KeyBackspace)
	for range "offlin" {
		d.press(tea.KeyBackspace)
	}
	d.write("deepseek")
	d.press(tea.KeyEnter)
	d.write("sk-canary-1234567890")
	d.press(tea.KeyEnter)
	d.until("Setup 2 of 2")
	d.press(tea.KeyEscape)
	d.until("the API key for DeepSeek is in")
	if strings.Contains(d.view(), "canary") {
		t.Errorf("the key is on the screen:\n%s", d.view())
	}
	if got := p.Agents.Active().Model; !strings.HasPrefix(got, "deepseek/") {
		t.Errorf("%s answers, want a model of DeepSeek", got)
	}
	key, err := p.Models.Keys.Get(t.Context(), "deepseek")
	if err != nil || key != "sk-canary-1234567890" {
		t.Errorf("the key of DeepSeek is %q, %v", key, err)
	}
	cfg, err := config.Load(config.Options{Home: g.home, File: g.file})
	if err != nil || !strings.HasPrefix(cfg.Model, "deepseek/") || cfg.Data.SECContact != "" {
		t.Errorf("the settings hold %q, %q, %v; want the model alone", cfg.Model, cfg.Data.SECContact, err)
	}
}

func TestSetup_EscLeavesBothFormsAndSaysTheWayBack(t *testing.T) {
	p, g := newSetupProgram(t, nil)
	before := p.Agents.Active().Model
	d := drawChat(t, p, 80, 24)
	d.until("Setup 1 of 2")
	d.press(tea.KeyEscape)
	const question = "How has the S&P 500 done since 2008?"
	d.write(question)
	d.until("to continue")
	if v := d.view(); !strings.Contains(v, "Nothing was changed") || !strings.Contains(v, "> "+question) || strings.Contains(v, "Setup 2 of 2") {
		t.Errorf("what was typed behind Esc is no message:\n%s", v)
	}
	text, err := os.ReadFile(g.file)
	if err != nil || string(text) != noLocalServers || p.Agents.Active().Model != before {
		t.Errorf("left, but the settings hold %q, %v", text, err)
	}
}

func TestSetup_AQuestionIsNoContact(t *testing.T) {
	for _, input := range []string{"How has the S&P 500 done since 2008?", "What holds foo@example.com?", "ann"} {
		t.Run(input, func(t *testing.T) {
			p, g := newSetupProgram(t, nil)
			_, err := p.StartSetup()
			_, err = formOf(t, err).Show(map[string]string{"model": catalog.Offline})
			_, err = formOf(t, err).Show(map[string]string{"sec.contact": input, "base_currency": "USD"})
			if contact := formOf(t, err).Fields[0]; !strings.Contains(contact.Problem, "expected an email address") || contact.Value != input {
				t.Errorf("keeping %q: %+v, want it asked for again", input, contact)
			}
			if text, err := os.ReadFile(g.file); err != nil || strings.Contains(string(text), input) {
				t.Errorf("the settings hold %q, %v", text, err)
			}
		})
	}
}

func TestSetup_EnterLeavesTheModelThatWasSet(t *testing.T) {
	p, g := newSetupProgram(t, map[string]string{"OPENAI_API_KEY": "sk-canary-1234567890", "DEEPSEEK_API_KEY": "sk-canary-2345678901", "NFA_MODEL": "deepseek"})
	before := p.Agents.Active().Model
	d := drawChat(t, p, 80, 24)
	d.until("Setup 1 of 2")
	d.press(tea.KeyEnter)
	d.press(tea.KeyEnter)
	d.until("Setup 2 of 2")
	d.press(tea.KeyEscape)
	d.until("Nothing was changed")
	text, err := os.ReadFile(g.file)
	if now := p.Agents.Active().Model; err != nil || string(text) != noLocalServers || now != before || !strings.HasPrefix(now, "deepseek/") {
		t.Errorf("%s answers where %s did, and the settings hold %q, %v", now, before, text, err)
	}
}

func TestSetup_ToLookAroundIsKeptOnlyWhereAModelWouldBeFound(t *testing.T) {
	for name, row := range map[string]struct {
		env  map[string]string
		want string
	}{
		"no key":  {nil, ""},
		"one key": {map[string]string{"OPENAI_API_KEY": "sk-canary-1234567890"}, "offline"},
	} {
		t.Run(name, func(t *testing.T) {
			p, g := newSetupProgram(t, row.env)
			_, err := p.StartSetup()
			_, err = formOf(t, err).Show(map[string]string{"model": catalog.Offline})
			formOf(t, err)
			cfg, err := config.Load(config.Options{Home: g.home, File: g.file})
			if err != nil || cfg.Model != row.want {
				t.Errorf("the settings hold %q, %v, want %q", cfg.Model, err, row.want)
			}
		})
	}
}

// formOf is the form that an error asks for.
func formOf(t *testing.T, err error) *tui.MissingInputError {
	t.Helper()
	var needs *tui.MissingInputError
	if !errors.As(err, &needs) {
		t.Fatalf("%v, want a form", err)
	}
	return needs
}
