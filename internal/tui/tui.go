package tui

import (
	"context"
	"io"
	"os/exec"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Status is the content of the status line.
type Status = widget.StatusInfo

// Config configures a chat. Start and Conversation are required.
type Config struct {
	Start        func() Conversation // returns a new conversation, for /clear
	Conversation Conversation        // the first conversation
	History      []session.Entry     // the recorded part of Conversation
	Approvals    *Approvals          // also passed to the tool router as its Approver
	Commands     []Command           // in addition to OwnCommands
	// Search returns what Ctrl+P finds in addition to commands and skills. It may be slow; nil
	// disables the key.
	Search func() []SearchItem
	// Figures returns the list of the figures of a turn's answer, counted from 1. It must be fast. Nil
	// disables it.
	Figures func(turn int) (*ListScreen, error)
	// Fork returns a copy of the current conversation with the turns before turn number from, whose
	// question is passed as a check. Fork runs outside the update loop. Nil disables forks.
	Fork func(from int, question string) (*ResumeRequest, error)
	// Refresh returns the commands again after a command or list screen, which may have changed them.
	// Nil means that they never change.
	Refresh func() []Command
	// Settings returns the settings for the help. It may be slow and may be nil.
	Settings func() []SettingItem
	// StartPage returns the first page of a new session. It must be fast and may be nil.
	StartPage func() StartPage
	Status    func() Status // called after each step of a turn and each command; must be fast
	Message   string        // sent at the start, unless empty
	// Watch is called shortly after the first frame and then every WatchEvery. Each line that it returns
	// is shown when no answer is running. It may be slow and may be nil.
	Watch func(context.Context) []string
	// InputHistory stores sent messages for later chats, unless nil.
	InputHistory InputHistory
	// Editor returns the command that edits a file; nil disables editing.
	Editor func(file string) (*exec.Cmd, error)
	// Files returns the paths for "@", and Symbols the symbols for the text after "$", best first.
	// Both may be slow and may be nil.
	Files   func() []string
	Symbols func(typed string) []SymbolSuggestion
	// Attach adds the files that a message names with "@" to the input of the model. It may be slow.
	// If it fails, the message returns to the composer.
	Attach func(agent.Input) (agent.Input, error)
	// ErrorAdvice returns the next step for the error of a turn, or "".
	ErrorAdvice func(error) string

	Theme         Theme
	ReducedMotion bool             // no animation or blinking
	Charts        chart.Charset    // default: braille
	Notify        Notify           // how to notify a user whose terminal has no focus
	NoWindowTitle bool             // do not change the title of the terminal window
	Keys          widget.KeyMap    // default: widget.DefaultKeyMap
	Now           func() time.Time // default: time.Now
	Input         io.Reader        // default: standard input
	Output        io.Writer        // default: standard output
	Environ       []string         // default: the environment of the process
}

// Result is the result of a chat.
type Result struct {
	SessionID string // to resume with; empty if nothing was sent
}

// SettleTime is the maximum time for a canceled turn or task to save its transcript.
const SettleTime = 3 * time.Second

// Run shows the chat until the user quits, the terminal closes or ctx ends. It always restores the
// terminal, and returns a panic as a *crash.Site. It cancels a running turn, which then has
// SettleTime to save its partial answer.
func Run(ctx context.Context, cfg Config) (Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	m := New(ctx, cfg)
	err := m.run(ctx, func() { cancel(errHangup) })
	return Result{SessionID: m.SessionID()}, err
}
