package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/plain"
)

// addPlain declares the flag of those that open the chat.
func (g *globals) addPlain(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&g.plain, "plain", false, "hold the chat in lines, for screen readers, logs and pipes (NFA_PLAIN, ACCESSIBLE)")
}

// inLines reports whether the chat is held in lines. What the user said of nfa
// outranks what they said of all programs, and a terminal that can only write lines
// gets them.
func (g *globals) inLines(cfg *config.Config) bool {
	return cfg.Plain || cfg.Origin("plain") == "default" && (g.accessible() || g.env("TERM") == "dumb")
}

// apart is a context that Ctrl+C does not end: in the chat in lines it stops the
// answer first.
func apart(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM, syscall.SIGHUP)
}

// runLines holds the chat in lines; once leaves when the message was dealt with.
func (g *globals) runLines(ctx context.Context, cfg tui.Config, once bool) (tui.Result, error) {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	return plain.Run(ctx, plain.Config{
		Config: cfg, Interrupts: interrupts, Once: once,
		Interactive: console.IsTerminal(g.in), Echoed: console.IsTerminal(g.in) && console.IsTerminal(g.out),
	})
}
