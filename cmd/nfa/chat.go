package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
)

func newChat(g *globals) *cobra.Command {
	f := &conversationFlags{}
	cmd := &cobra.Command{
		Use:   "chat [MESSAGE]",
		Short: "Open the chat (the same as nfa alone)",
		Example: `  nfa chat
  nfa chat "How has the S&P 500 done since 2008?"
  nfa chat --continue`,
		RunE: func(cmd *cobra.Command, words []string) error {
			return runChat(cmd.Context(), g, *f, strings.Join(words, " "))
		},
	}
	f.add(cmd)
	return cmd
}

func runChat(ctx context.Context, g *globals, f conversationFlags, message string) error {
	if !isTerminal(g.in) || !isTerminal(g.out) {
		return usagef("the chat needs a terminal; in a script or a pipe use: nfa ask \"...\"")
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
		return usagef("%w", err)
	}
	conversation, history, err := f.open(ctx, h)
	if err != nil {
		return err
	}
	h.enter(conversation)
	notices = append(notices, h.speakerWarnings()...)
	result, err := tui.Run(ctx, tui.Config{
		Start: func() tui.Conversation {
			c := h.begin(ctx)
			h.enter(c)
			return c
		},
		Conversation: conversation,
		History:      history,
		Approvals:    approvals,
		Commands:     h.commands(g),
		Refresh:      func() []tui.Command { return h.commands(g) },
		Picker:       h.skillPicker,
		Banner:       h.banner(notices),
		Status:       h.status,
		Message:      message,
		Theme:        g.theme(h),
		Keys:         keys,
		Advise:       remedy,
		Now:          clock,
		Input:        g.in,
		Output:       g.out,
	})
	var crash *tui.Crash
	if errors.As(err, &crash) {
		h.log.Error().Interface("panic", crash.Value).Bytes("stack", crash.Stack).Msg("the chat crashed")
		err = fmt.Errorf("%w; the details are in %s", err, shortPath(h.home)+"/nfa.log")
	}
	if result.SessionID != "" {
		fmt.Fprintln(g.out, "Resume this conversation with: "+session.ResumeHint(result.SessionID))
	}
	return err
}

// banner is what a fresh chat says: what answers, from which data, and how to
// connect a model.
func (h *house) banner(notices []string) tui.Banner {
	b := tui.Banner{Program: "nfa " + versionText(), Motto: "not financial advice", Folder: shortPath(h.home), Mode: "online"}
	about := []string{h.dataBanner()}
	if h.speaking.Load().modelName == offlineName {
		b.Mode = "no model"
		if h.cfg.Offline {
			b.Mode = "offline"
		}
		about = []string{
			"Looking around: the embedded assistant, which is no language model, answers. " + h.dataBanner(),
			"Connect a model: /model, or nfa auth set PROVIDER (OPENAI_API_KEY and the like are found by themselves), or set NFA_BASE_URL, NFA_API_KEY and NFA_MODEL.",
		}
	}
	if contact := h.contactNotice(); contact != "" {
		about = append(about, contact)
	}
	about = append(about, notices...)
	if n := h.skippedSkills(); n > 0 {
		about = append(about, fmt.Sprintf("Skill files that were skipped: %d; /skills says why.", n))
	}
	b.Notice = strings.Join(about, " ")
	b.Try = []string{
		"How has the S&P 500 done since 2008, and how bad did it get?",
		"/get-price AAPL      /skills      /help",
	}
	return b
}

// skippedSkills counts the skill files that cannot be used.
func (h *house) skippedSkills() int {
	n := 0
	for _, d := range h.skills.Diagnostics() {
		if d.Skipped() {
			n++
		}
	}
	return n
}

func (h *house) status() tui.Status {
	s := h.speaking.Load()
	model := s.modelName
	if model == offlineName {
		model = "offline assistant"
	}
	return tui.Status{Model: model, Agent: s.profile.Name, Data: h.dataState()}
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

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && file != nil && term.IsTerminal(int(file.Fd()))
}

// shortPath shows a path as people write it: ~ for their home.
func shortPath(path string) string {
	if user, err := os.UserHomeDir(); err == nil && user != "/" {
		if rest, ok := strings.CutPrefix(path, user); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
			path = "~" + rest
		}
	}
	return markdown.SanitizeLine(path)
}
