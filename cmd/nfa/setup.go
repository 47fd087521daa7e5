package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/onboarding"
)

func newSetup(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "setup", Short: "Connect a model, and say what your book needs",
		Long: `setup asks what the first start asks: who answers, the address that the SEC wants to
see, and the currency of your book, in two forms. Enter keeps what stands there, and
Esc leaves the rest as it is. In a terminal it opens the chat; elsewhere, and with
--plain, it asks in lines.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runChat(cmd.Context(), g, conversationFlags{}, opening{setup: true})
		},
	}
	g.addPlain(cmd)
	return cmd
}

// onboard is /setup.
func (h *house) onboard(g *globals) (string, error) {
	return onboarding.Begin(onboarding.Options{
		Board: h.connections.Board, Model: h.cfg.Model, Offline: h.cfg.Offline, Contact: h.cfg.Data.SECContact, Currency: h.cfg.BaseCurrency,
		Answers: func() string { return h.speaking.Load().modelName }, Use: h.pickModel,
		Write: func(key, value string) (string, error) { return g.writeSetting(h.home, key, value) },
	})
}

// firstRun reports whether this is the first start of a home that nobody has said
// anything about, and remembers that it was: what was skipped is not asked again.
func (h *house) firstRun(ctx context.Context, g *globals) bool {
	if g.env("CI") != "" {
		return false
	}
	for _, key := range []string{"model", "base_url", "offline"} {
		if h.cfg.Origin(key) != "default" {
			return false
		}
	}
	if _, err := os.Stat(g.userFile(h.home)); err == nil {
		return false
	}
	if kept, err := h.store.List(ctx, 1); err != nil || len(kept) > 0 {
		return false
	}
	return h.once("setup-asked")
}

// once reports whether something is done for the first time in the life of a home.
// What cannot be remembered is not done.
func (h *house) once(name string) bool {
	dir := filepath.Join(h.home, "cache")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false
	}
	mark, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return false // done before, or it could not be remembered
	}
	_ = mark.Close()
	return true
}

// accessible reports whether the user has asked every program for what can be
// listened to.
func (g *globals) accessible() bool {
	on, err := strconv.ParseBool(g.env("ACCESSIBLE"))
	return err == nil && on
}
