package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/repl"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newChat(g *globals) *cobra.Command {
	f, ask := &sessionFlags{}, &askFlags{}
	cmd := &cobra.Command{
		RunE: func(cmd *cobra.Command, args []string) error {
			if g.json {
				return usage.Errorf("the chat prints no JSON; use: nfa ask \"...\" --json")
			}
			return runChat(cmd.Context(), g, *f, chatStart{message: strings.Join(args, " "), approves: approvalPolicy(*ask)})
		},
	}
	f.add(cmd)
	g.addPlain(cmd)
	cmd.Flags().BoolVar(&ask.yes, "yes", false, "with --plain and no terminal: approve all tools that write or execute")
	cmd.Flags().StringSliceVar(&ask.allow, "allow", nil, "`TOOL` with --plain and no terminal: approve this tool; repeatable")
	return cmd
}

func newSetup(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if g.json {
				return usage.Errorf("setup asks questions and prints no JSON; use nfa auth set and nfa config set")
			}
			return runChat(cmd.Context(), g, sessionFlags{}, chatStart{setup: true})
		},
	}
	g.addPlain(cmd)
	return cmd
}

// addPlain adds the --plain flag to a command that opens the chat.
func (g *globals) addPlain(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&g.plain, "plain", false, "line-by-line chat for screen readers, logs and pipes (NFA_PLAIN, ACCESSIBLE)")
}

// usesPlainChat reports whether the chat is line by line. The user's setting for nfa takes
// precedence over variables for all programs. A dumb terminal always gets the plain chat.
func usesPlainChat(s app.Settings) bool {
	accessible, _ := strconv.ParseBool(s.Env("ACCESSIBLE"))
	return s.Plain || s.Origin("plain") == "default" && (accessible || s.Env("TERM") == "dumb")
}

// chatStart holds the first action of a chat.
type chatStart struct {
	message string // sent at once
	setup   bool   // the user ran nfa setup; without a screen, nothing follows it
	// approves answers approvals if the input is not a terminal.
	approves tool.Policy
}

// chatGC is the garbage collection target of a chat, in percent.
const chatGC = 100

// startTime is how long a chat takes to start, at most.
const startTime = 5 * time.Second

func runChat(ctx context.Context, g *globals, f sessionFlags, o chatStart) error {
	if g.env("GOGC") == "" {
		// A chat runs for hours, so the high limit of short commands would waste memory.
		defer debug.SetGCPercent(debug.SetGCPercent(chatGC))
	}
	if g.env("NFA_SERVED") != "" {
		// Many chats run on a server, and each needs most memory when it starts.
		freeing := time.AfterFunc(startTime, func() {
			var crashed error
			defer crash.Catch(&crashed)
			debug.FreeOSMemory()
		})
		defer freeing.Stop()
	}
	options := g.options(app.Options{CommandLine: app.CommandLine{Flags: map[string]string{"agent": f.agent}}, Agent: true, Chat: true})
	settings, err := app.LoadSettings(options.CommandLine, options.Env, options.Now)
	if err != nil {
		return err
	}
	screen, lines := cli.IsTerminal(g.in) && cli.IsTerminal(g.out), usesPlainChat(settings)
	if !screen && !lines && !o.setup {
		return usage.Errorf("the chat needs a terminal; in a script or a pipe use: nfa ask \"...\", or nfa --plain")
	}
	if lines = lines || !screen; lines {
		// Ctrl+C stops the answer first.
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
	}
	approvals := tui.NewApprovals()
	var notices []string
	options.Approver, options.Notice = approvals, func(text string) { notices = append(notices, text) }
	options.Warn = options.Notice
	a, err := app.Open(ctx, options)
	if err != nil {
		return err
	}
	defer a.Close()
	chat, err := screens.Chat(ctx, a, screens.Environment{Confirm: approvals.Confirm, CommandLine: g.commandLineOf(approvals)})
	if err != nil {
		return usage.Errorf("%w", err)
	}
	conversation, history, err := f.open(ctx, a)
	if err != nil {
		return err
	}
	a.SetConversation(conversation)
	chat.Conversation, chat.History, chat.Approvals = conversation, history, approvals
	chat.Message, chat.Input, chat.Output = o.message, g.in, g.out
	notices = append(notices, a.Agents.Warnings()...)
	if ending := a.Models.NewEnding(a.Agents.Active().Endpoint); ending != "" {
		notices = append(notices, ending)
	}
	chat.StartPage = func() tui.StartPage { return screens.StartPage(a, notices) }
	if !lines && o.setup {
		chat.Message = "/setup"
	}
	var result tui.Result
	switch {
	case !lines:
		result, err = tui.Run(ctx, chat)
	case o.setup:
		chat.Message = "/setup"
		result, err = g.runPlainChat(ctx, chat, o.approves, true)
	default:
		result, err = g.runPlainChat(ctx, chat, o.approves, false)
	}
	if result.SessionID != "" {
		fmt.Fprintln(g.out, "Continue this session with: "+session.ResumeHint(result.SessionID))
	}
	return err
}

// commandLineOf returns a function that runs a command of nfa for the chat. The command has the data folder,
// settings and environment of the chat, but no terminal: questions go to the chat.
func (g *globals) commandLineOf(approvals *tui.Approvals) func(ctx context.Context, words []string) (string, error) {
	return func(ctx context.Context, words []string) (string, error) {
		var out, notices strings.Builder
		t := terminal{out: &out, err: &notices, env: g.env, confirm: func(ctx context.Context, question string) (bool, error) {
			return approvals.Confirm(ctx, question, nil)
		}}
		root := newRoot(t, neededCommands(words))
		root.SetArgs(append(g.flagWords(), words...))
		root.SetOut(&out)
		root.SetErr(&notices)
		err := root.ExecuteContext(ctx)
		return out.String() + notices.String(), err
	}
}

// flagWords returns the flags of every command as they were given.
func (g *globals) flagWords() []string {
	var words []string
	for flag, value := range map[string]string{"home": g.home, "config": g.file, "model": g.model, "log-level": g.logLevel, "as-of": g.asOf} {
		if value != "" {
			words = append(words, "--"+flag+"="+value)
		}
	}
	if g.offline {
		words = append(words, "--offline")
	}
	return words
}

// runPlainChat runs the line-by-line chat. If once is true, it ends after the first message.
func (g *globals) runPlainChat(ctx context.Context, cfg tui.Config, approves tool.Policy, once bool) (tui.Result, error) {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	return repl.Run(ctx, repl.Config{
		Config: cfg, Interrupts: interrupts, Once: once, Unattended: approves,
		Interactive: cli.IsTerminal(g.in), EchoesInput: cli.IsTerminal(g.in) && cli.IsTerminal(g.out),
	})
}
