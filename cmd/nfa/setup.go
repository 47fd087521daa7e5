package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
)

func newSetup(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "setup", Short: "Connect a model, and say what your book needs",
		Long: `setup asks what the first start asks: who answers, the address that the SEC wants to
see, and the currency of your book, in two forms. Enter keeps what stands there, and
Esc leaves the rest as it is. In a terminal it opens the chat; elsewhere, and with
--plain, it asks in lines.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runChat(cmd.Context(), g, sessionFlags{}, chatStart{setup: true})
		},
	}
	g.addPlain(cmd)
	return cmd
}

// runSetup is /setup.
func (p *program) runSetup(g *globals) (string, error) {
	return app.StartSetup(app.SetupOptions{
		Selector: p.connections.Selector, Model: p.cfg.Model, Offline: p.cfg.Offline, Contact: p.cfg.Data.SECContact, Currency: p.cfg.BaseCurrency,
		ActiveModel: func() string { return p.active.Load().modelName }, Use: p.useModel,
		Write: func(key, value string) (string, error) { return g.saveSetting(p.home, key, value) },
	})
}

// firstRun reports whether this is the first start of a home that nobody has said
// anything about, and remembers that it was: what was skipped is not asked again.
func (p *program) firstRun(ctx context.Context, g *globals) bool {
	if g.env("CI") != "" {
		return false
	}
	for _, key := range []string{"model", "base_url", "offline"} {
		if p.cfg.Origin(key) != "default" {
			return false
		}
	}
	if _, err := os.Stat(g.userConfigFile(p.home)); err == nil {
		return false
	}
	if sessions, err := p.sessions.List(ctx, 1); err != nil || len(sessions) > 0 {
		return false
	}
	return p.firstTime("setup-asked")
}

// firstTime reports whether something is done for the first time in the life of a home.
// What cannot be remembered is not done.
func (p *program) firstTime(name string) bool {
	dir := filepath.Join(p.home, "cache")
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
