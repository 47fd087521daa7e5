package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newChat(g *globals) *cobra.Command {
	f := &sessionFlags{}
	cmd := &cobra.Command{
		Use:   "chat [MESSAGE]",
		Short: "Open the chat (the same as nfa alone)",
		Example: `  nfa chat
  nfa chat "How has the S&P 500 done since 2008?"
  nfa chat --continue
  nfa chat --plain < questions.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runChat(cmd.Context(), g, *f, chatStart{message: strings.Join(args, " ")})
		},
	}
	f.add(cmd)
	g.addPlain(cmd)
	return cmd
}

// chatStart holds what a chat begins with.
type chatStart struct {
	message string // sent at once
	setup   bool   // asked for by the user, and the whole of it where there is no screen
}

// chatGC is how much garbage, in per cent of what is in use, a chat lets lie.
const chatGC = 100

func runChat(ctx context.Context, g *globals, f sessionFlags, o chatStart) error {
	if g.env("GOGC") == "" {
		// A chat lives for hours: what a start may leave lying would stay.
		defer debug.SetGCPercent(debug.SetGCPercent(chatGC))
	}
	cfg, _, err := g.loadConfig(programOptions{agent: f.agent})
	if err != nil {
		return err
	}
	screen, lines := cli.IsTerminal(g.in) && cli.IsTerminal(g.out), g.usesPlainChat(cfg)
	if !screen && !lines && !o.setup {
		return usage.Errorf("the chat needs a terminal; in a script or a pipe use: nfa ask \"...\", or nfa --plain")
	}
	if lines = lines || !screen; lines {
		var stop context.CancelFunc
		ctx, stop = ignoreInterrupts(ctx)
		defer stop()
	}
	approvals := tui.NewApprovals()
	var notices []string
	p, err := openProgram(ctx, g, programOptions{
		approver: approvals, sessions: true, agent: f.agent,
		notice: func(text string) { notices = append(notices, text) },
	})
	if err != nil {
		return err
	}
	defer p.close()
	keys, err := chatKeys(p.cfg)
	if err != nil {
		return usage.Errorf("%w", err)
	}
	conversation, history, err := f.open(ctx, p)
	if err != nil {
		return err
	}
	p.setConversation(conversation)
	notices = append(notices, p.agentWarnings()...)
	chat := p.chatConfig(ctx, g)
	chat.Conversation, chat.History, chat.Approvals = conversation, history, approvals
	chat.FirstCommand, chat.Message, chat.Keys = p.firstScreen(ctx, g, f, o, lines), o.message, keys
	chat.Banner = p.banner(notices)
	p.addInputHelp(ctx, g, &chat)
	result, err := g.runChatUI(ctx, chat, o, lines)
	if result.SessionID != "" {
		fmt.Fprintln(g.out, "Resume this conversation with: "+session.ResumeHint(result.SessionID))
	}
	return err
}

// chatConfig returns the configuration that every chat of the program has, for any agent.
func (p *program) chatConfig(ctx context.Context, g *globals) tui.Config {
	return tui.Config{
		Start: func() tui.Conversation {
			c := p.startConversation(ctx)
			p.setConversation(c)
			return c
		},
		Fork:          p.forkChat,
		Commands:      p.commands(g),
		Refresh:       func() []tui.Command { return p.commands(g) },
		Picker:        p.skillScreen(g).Picker,
		Status:        p.status,
		ReducedMotion: p.cfg.Motion == "reduced",
		Theme:         g.theme(p),
		Charts:        g.charset(p.cfg.Charts),
		Notify:        map[string]tui.Notify{"bell": tui.NotifyBell, "desktop": tui.NotifyDesktop}[p.cfg.Notify],
		NoWindowTitle: !p.cfg.Title,
		ErrorAdvice:   cli.Remedy,
		Now:           clock,
		Input:         g.in,
		Output:        g.out,
	}
}

// runChatUI runs the chat, on the full screen or in plain lines.
func (g *globals) runChatUI(ctx context.Context, chat tui.Config, o chatStart, lines bool) (tui.Result, error) {
	if !lines {
		return tui.Run(ctx, chat)
	}
	if o.setup {
		chat.Message = "/setup"
	}
	return g.runPlainChat(ctx, chat, o.setup)
}

// firstScreen returns the form that the chat shows before anything is typed. That is the setup, if
// the user asked for it or on the first start without another request.
func (p *program) firstScreen(ctx context.Context, g *globals, f sessionFlags, o chatStart, lines bool) *tui.Command {
	requested := f != sessionFlags{} || o.message != ""
	if lines || !o.setup && (requested || !p.firstRun(ctx, g)) {
		return nil
	}
	p.firstTime(contactAskedMarker) // which is on the second screen
	setup := func(string) (string, error) { return p.runSetup(g) }
	return &tui.Command{Name: "setup", Kind: tui.KindCommand, Show: setup}
}

// banner returns the first text of a new chat: the model, the data in use, and how to connect a
// model.
func (p *program) banner(notices []string) tui.Banner {
	b := tui.Banner{Program: "nfa " + versionText(), Tagline: "not financial advice", Folder: cli.ShortPath(p.home), Mode: "online"}
	about := []string{p.marketView().Banner()}
	if p.active.Load().modelName == catalog.Offline {
		b.Mode = "no model"
		if p.cfg.Offline {
			b.Mode = "offline"
		}
		about = []string{
			"Looking around: the embedded assistant, which is no language model, answers. " + p.marketView().Banner(),
			"Connect a model: /setup, /model, or nfa auth set PROVIDER (OPENAI_API_KEY and the like are found by themselves), or set NFA_BASE_URL, NFA_API_KEY and NFA_MODEL.",
		}
	}
	if contact := p.contactNotice(); contact != "" {
		about = append(about, contact)
	}
	about = append(about, notices...)
	if n := p.skillLibrary.Skipped(); n > 0 {
		about = append(about, fmt.Sprintf("Skill files that were skipped: %d; /skills says why.", n))
	}
	b.Notice = strings.Join(about, " ")
	b.Suggestions = []string{
		"How has the S&P 500 done since 2008, and how bad did it get?",
		"/get-price AAPL      /skills      /help",
	}
	return b
}

func (p *program) status() tui.Status {
	s := p.active.Load()
	model := s.modelName
	if model == catalog.Offline {
		model = "offline assistant"
	}
	used := p.usage()
	return tui.Status{Model: model, Agent: s.profile.Name, Context: cli.ContextUsage(used), Cost: cli.FormatUsage(used.Session), Data: p.marketView().StatusText(&p.seenData)}
}

// theme returns the theme of the screen. It is plain if colors are unwanted or unavailable.
func (g *globals) theme(p *program) tui.Theme {
	switch {
	case p.cfg.Color == "always":
		return tui.ThemeAuto
	case p.cfg.Color == "never", g.env("NO_COLOR") != "", g.env("TERM") == "dumb":
		return tui.ThemePlain
	}
	return tui.ThemeAuto
}
