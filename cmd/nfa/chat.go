package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/answer"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/switchboard"
	"github.com/nfa-cli/nfa/internal/tui"
)

func newChat(g *globals) *cobra.Command {
	f := &conversationFlags{}
	cmd := &cobra.Command{
		Use:   "chat [MESSAGE]",
		Short: "Open the chat (the same as nfa alone)",
		Example: `  nfa chat
  nfa chat "How has the S&P 500 done since 2008?"
  nfa chat --continue
  nfa chat --plain < questions.txt`,
		RunE: func(cmd *cobra.Command, words []string) error {
			return runChat(cmd.Context(), g, *f, opening{message: strings.Join(words, " ")})
		},
	}
	f.add(cmd)
	g.addPlain(cmd)
	return cmd
}

// opening is what a chat begins with.
type opening struct {
	message string // sent at once
	setup   bool   // asked for by the user, and the whole of it where there is no screen
}

// chatGC is how much garbage, in per cent of what is in use, a chat lets lie.
const chatGC = 100

func runChat(ctx context.Context, g *globals, f conversationFlags, o opening) error {
	if g.env("GOGC") == "" {
		// A chat lives for hours: what a start may leave lying would stay.
		defer debug.SetGCPercent(debug.SetGCPercent(chatGC))
	}
	cfg, _, err := g.settings(wiring{agent: f.agent})
	if err != nil {
		return err
	}
	screen, lines := console.IsTerminal(g.in) && console.IsTerminal(g.out), g.inLines(cfg)
	if !screen && !lines && !o.setup {
		return misuse.Errorf("the chat needs a terminal; in a script or a pipe use: nfa ask \"...\", or nfa --plain")
	}
	if lines = lines || !screen; lines {
		var stop context.CancelFunc
		ctx, stop = apart(ctx)
		defer stop()
	}
	approvals := tui.NewApprovals()
	var notices []string
	h, err := wire(ctx, g, wiring{
		approver: approvals, sessions: true, agent: f.agent,
		notice: func(text string) { notices = append(notices, text) },
	})
	if err != nil {
		return err
	}
	defer h.close()
	keys, err := chatKeys(h.cfg)
	if err != nil {
		return misuse.Errorf("%w", err)
	}
	conversation, history, err := f.open(ctx, h)
	if err != nil {
		return err
	}
	h.enter(conversation)
	notices = append(notices, h.speakerWarnings()...)
	chat := h.chatConfig(ctx, g)
	chat.Conversation, chat.History, chat.Approvals = conversation, history, approvals
	chat.First, chat.Message, chat.Keys = h.first(ctx, g, f, o, lines), o.message, keys
	chat.Banner = h.banner(notices)
	h.helpWriting(ctx, g, &chat)
	result, err := g.hold(ctx, chat, o, lines)
	if result.SessionID != "" {
		fmt.Fprintln(g.out, "Resume this conversation with: "+session.ResumeHint(result.SessionID))
	}
	return err
}

// chatConfig is what every chat of the house has, whoever speaks in it.
func (h *house) chatConfig(ctx context.Context, g *globals) tui.Config {
	return tui.Config{
		Start: func() tui.Conversation {
			c := h.begin(ctx)
			h.enter(c)
			return c
		},
		Fork:     h.branch,
		Commands: h.commands(g),
		Refresh:  func() []tui.Command { return h.commands(g) },
		Picker:   h.skillList(g).Picker,
		Status:   h.status,
		Still:    h.cfg.Motion == "reduced",
		Theme:    g.theme(h),
		Charts:   g.charset(h.cfg.Charts),
		Notify:   map[string]tui.Notify{"bell": tui.NotifyBell, "desktop": tui.NotifyDesktop}[h.cfg.Notify],
		Untitled: !h.cfg.Title,
		Advise:   answer.Remedy,
		Now:      clock,
		Input:    g.in,
		Output:   g.out,
	}
}

// hold holds the chat, on the screen or in lines.
func (g *globals) hold(ctx context.Context, chat tui.Config, o opening, lines bool) (tui.Result, error) {
	if !lines {
		return tui.Run(ctx, chat)
	}
	if o.setup {
		chat.Message = "/setup"
	}
	return g.runLines(ctx, chat, o.setup)
}

// first is what the screen shows before anything is typed: what there is to set up,
// when it is asked for and at the first start, unless the user came for something.
func (h *house) first(ctx context.Context, g *globals, f conversationFlags, o opening, lines bool) *tui.Command {
	asked := f != conversationFlags{} || o.message != ""
	if lines || !o.setup && (asked || !h.firstRun(ctx, g)) {
		return nil
	}
	h.once(contactAsked) // which is on the second screen
	setup := func(string) (string, error) { return h.onboard(g) }
	return &tui.Command{Name: "setup", Kind: tui.KindCommand, Show: setup}
}

// banner is what a fresh chat says: what answers, from which data, and how to
// connect a model.
func (h *house) banner(notices []string) tui.Banner {
	b := tui.Banner{Program: "nfa " + versionText(), Motto: "not financial advice", Folder: console.Path(h.home), Mode: "online"}
	about := []string{h.view().Banner()}
	if h.speaking.Load().modelName == switchboard.Offline {
		b.Mode = "no model"
		if h.cfg.Offline {
			b.Mode = "offline"
		}
		about = []string{
			"Looking around: the embedded assistant, which is no language model, answers. " + h.view().Banner(),
			"Connect a model: /setup, /model, or nfa auth set PROVIDER (OPENAI_API_KEY and the like are found by themselves), or set NFA_BASE_URL, NFA_API_KEY and NFA_MODEL.",
		}
	}
	if contact := h.contactNotice(); contact != "" {
		about = append(about, contact)
	}
	about = append(about, notices...)
	if n := h.set.Skipped(); n > 0 {
		about = append(about, fmt.Sprintf("Skill files that were skipped: %d; /skills says why.", n))
	}
	b.Notice = strings.Join(about, " ")
	b.Try = []string{
		"How has the S&P 500 done since 2008, and how bad did it get?",
		"/get-price AAPL      /skills      /help",
	}
	return b
}

func (h *house) status() tui.Status {
	s := h.speaking.Load()
	model := s.modelName
	if model == switchboard.Offline {
		model = "offline assistant"
	}
	used := h.account()
	return tui.Status{Model: model, Agent: s.profile.Name, Context: answer.Fullness(used), Spent: answer.Spent(used.Session), Data: h.view().State(&h.data)}
}

// theme is plain where colours are not wanted or not to be had.
func (g *globals) theme(h *house) tui.Theme {
	switch {
	case h.cfg.Color == "always":
		return tui.ThemeAuto
	case h.cfg.Color == "never", g.env("NO_COLOR") != "", g.env("TERM") == "dumb":
		return tui.ThemePlain
	}
	return tui.ThemeAuto
}
