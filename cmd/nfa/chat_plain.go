package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/repl"
)

// addPlain declares the flag of those that open the chat.
func (g *globals) addPlain(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&g.plain, "plain", false, "hold the chat in lines, for screen readers, logs and pipes (NFA_PLAIN, ACCESSIBLE)")
}

// usesPlainChat reports whether the chat runs in plain lines. The user's setting for nfa takes
// precedence over settings for all programs. A terminal that can only print lines always gets the
// plain chat.
func (g *globals) usesPlainChat(cfg *config.Config) bool {
	return cfg.Plain || cfg.Origin("plain") == "default" && (g.accessible() || g.env("TERM") == "dumb")
}

// ignoreInterrupts is a context that Ctrl+C does not end: in the chat in lines it stops the
// answer first.
func ignoreInterrupts(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM, syscall.SIGHUP)
}

// runPlainChat runs the chat in plain lines. If once is true, it ends after the first message.
func (g *globals) runPlainChat(ctx context.Context, cfg tui.Config, once bool) (tui.Result, error) {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	return repl.Run(ctx, repl.Config{
		Config: cfg, Interrupts: interrupts, Once: once,
		Interactive: cli.IsTerminal(g.in), EchoesInput: cli.IsTerminal(g.in) && cli.IsTerminal(g.out),
	})
}
