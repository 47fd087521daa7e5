package screens

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// fileListTimeout limits the search for files in a folder.
const fileListTimeout = 2 * time.Second

// Chat returns the configuration of a chat for any agent. The caller sets input, output and the
// first message.
func Chat(ctx context.Context, a *app.App, env Environment) (tui.Config, error) {
	keys, err := KeyMap(a.Settings)
	if err != nil {
		return tui.Config{}, err
	}
	symbols := cli.NewSymbolCompleter(func(ctx context.Context) []tui.SymbolSuggestion {
		return cli.UserSymbols(ctx, a.Stores.Portfolio)
	}, cli.KnownSymbols(a.SampleOnly()), a.Now)
	config := tui.Config{
		Start: func() tui.Conversation {
			c := a.StartConversation(ctx)
			a.SetConversation(c)
			return c
		},
		Figures:       Figures{a}.Turn,
		Fork:          func(from int, question string) (*tui.ResumeRequest, error) { return forkChat(a, from, question) },
		Commands:      Commands(a, env),
		Refresh:       func() []tui.Command { return Commands(a, env) },
		Settings:      func() []tui.SettingItem { return settingItems(a.Settings) },
		Watch:         a.WatchAlerts(),
		Search:        func() []tui.SearchItem { return searchItems(ctx, a) },
		Status:        func() tui.Status { return status(a) },
		ReducedMotion: a.Motion == "reduced",
		Theme:         theme(a.Settings),
		Charts:        Charset(a.Settings),
		Notify:        map[string]tui.Notify{"bell": tui.NotifyBell, "desktop": tui.NotifyDesktop}[a.Notify],
		NoWindowTitle: !a.Title,
		ErrorAdvice:   func(err error) string { return app.InChat(cli.Remedy(err)) },
		Now:           a.Now,
		Keys:          keys,
		Editor:        func(file string) (*exec.Cmd, error) { return cli.EditorCommand(a.Env, file) },
		Files: func() []string {
			ctx, cancel := context.WithTimeout(ctx, fileListTimeout)
			defer cancel()
			return a.Workspace().Paths(ctx)
		},
		Attach:  func(in agent.Input) (agent.Input, error) { return cli.AttachFiles(a.AttachableFiles(in), in) },
		Symbols: func(typed string) []tui.SymbolSuggestion { return symbols.Find(ctx, typed) },
	}
	if a.History == "on" {
		config.InputHistory = cli.NewHistory(filepath.Join(a.Home, "history"), a.Now)
	}
	return config, nil
}

// KeyMap returns the key bindings in the settings.
func KeyMap(s app.Settings) (widget.KeyMap, error) {
	choices := make([]widget.KeyOverride, len(s.Config.Keys))
	for i, k := range s.Config.Keys {
		choices[i] = widget.KeyOverride{Name: k.Action, Source: k.Origin, Keys: k.Keys}
	}
	return widget.NewKeyMap(choices)
}

// theme returns the theme of the screen.
func theme(s app.Settings) tui.Theme {
	switch {
	case s.Color != "always" && s.Env("TERM") == "dumb":
		return tui.ThemePlain
	case s.Color == "never" || s.Color != "always" && s.Env("NO_COLOR") != "":
		return tui.ThemeNoColor
	}
	return tui.ThemeAuto
}

// Charset returns the characters for charts: those in the settings, or the finest that the terminal
// probably supports.
func Charset(s app.Settings) chart.Charset {
	switch s.Charts {
	case "braille":
		return chart.CharsetBraille
	case "block":
		return chart.CharsetBlock
	case "ascii":
		return chart.CharsetASCII
	}
	return widget.DetectCharset(s.Env, runtime.GOOS)
}

// status returns the content of the header and the status line.
func status(a *app.App) tui.Status {
	model := a.ActiveModel()
	if model == catalog.Offline {
		model = "built-in assistant"
	}
	used := a.Usage()
	info := tui.Status{Model: model, Agent: a.Agents.Active().Profile.Name, Context: cli.ContextUsage(used), Cost: cli.FormatUsage(used.Session), Data: dataStatus(a)}
	if a.Offline {
		info.Mode = "offline"
	}
	return info
}

// dataStatus returns whose data is open and which market data is used, for the status line.
func dataStatus(a *app.App) string {
	text := a.Market.Status()
	if owner := a.OtherOwner(); owner != "" {
		text = strings.TrimSuffix("data of "+owner+" · "+text, " · ")
	}
	return text
}

// resumeSession opens a session for the chat with the agent that last answered in it.
func resumeSession(a *app.App, id string) (*tui.ResumeRequest, error) {
	c, entries, err := a.ResumeConversation(context.Background(), id)
	if err != nil {
		return nil, err
	}
	previous := a.Agents.Active()
	if err := a.Agents.Resume(agent.LastProfile(entries)); err != nil {
		a.CloseSession(id)
		return nil, adviseInChat(err)
	}
	resume := newResume(a, c, entries)
	return &tui.ResumeRequest{Conversation: c, History: entries, Done: func(entered bool) {
		if !entered {
			a.Agents.Restore(previous)
		}
		resume.Done(entered)
	}}, nil
}

// newResume returns a session that the chat continues with the active agent.
func newResume(a *app.App, c *agent.Conversation, entries []session.Entry) *tui.ResumeRequest {
	return &tui.ResumeRequest{Conversation: c, History: entries, Done: func(entered bool) {
		if entered {
			a.SetConversation(c)
		} else {
			a.CloseSession(c.ID())
		}
	}}
}

// forkChat returns a copy of the chat's session that ends before turn from. question must match
// that turn, because the screen and the record may count differently. An empty question copies
// everything.
func forkChat(a *app.App, from int, question string) (*tui.ResumeRequest, error) {
	ctx, id := context.Background(), a.Conversation().ID()
	_, entries, err := a.LoadSession(ctx, id)
	switch {
	case errors.Is(err, session.ErrNotFound):
		return nil, errors.New("nothing to fork: this session has no saved messages yet")
	case err != nil:
		return nil, err
	}
	turns, err := turnsBefore(entries, from, question)
	if err != nil {
		return nil, err
	}
	if turns == 0 && question != "" {
		return newResume(a, a.StartConversation(ctx), nil), nil
	}
	forked, err := a.ForkSession(ctx, id, turns)
	if err != nil {
		return nil, err
	}
	c, entriesSoFar, err := a.ResumeConversation(ctx, forked.ID)
	if err != nil {
		return nil, err
	}
	return newResume(a, c, entriesSoFar), nil
}

// turnsBefore returns the number of recorded turns before the one with question. If several turns have that
// text, it takes turn from or the last one before it, because some shown turns may not have been recorded.
func turnsBefore(entries []session.Entry, from int, question string) (int, error) {
	if question == "" {
		return 0, nil
	}
	position, turn := -1, 0
	for _, e := range entries {
		if e.Kind != session.KindUser {
			continue
		}
		turn++
		text := agent.DisplayOf(e).Text
		if text == "" {
			text = e.Message.Content
		}
		if text == question && (turn <= from || position < 0) {
			position = turn - 1
		}
	}
	if position < 0 {
		return 0, fmt.Errorf("cannot fork: the question was not saved; enter it again")
	}
	return position, nil
}
