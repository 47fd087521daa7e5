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

// Banner is shown before the first message.
type Banner struct {
	Program     string   // "nfa 0.1"
	Tagline     string   // "not financial advice"
	Folder      string   // the working folder, short: "~/"
	Mode        string   // one word: "offline"
	Notice      string   // what is in use and how to change it
	Suggestions []string // things to type, one line each
}

// Status is what the status line shows about the conversation.
type Status = widget.StatusInfo

// Config is what the chat needs from the program. Start and Conversation are required.
type Config struct {
	Start        func() Conversation // a new conversation, for /clear
	Conversation Conversation        // the one to begin with
	History      []session.Entry     // of a resumed one, drawn as it was
	Approvals    *Approvals          // given to the tool router as its Approver
	Commands     []Command           // what "/" offers besides help, clear and quit
	// Picker returns the list screen that Ctrl+P opens; nil means that there is none.
	Picker func() *ListScreen
	// Fork returns a copy of the running conversation with the turns before turn number from. The
	// question of that turn is passed as a check. Fork runs outside the update loop. Nil means
	// that forks are not available.
	Fork func(from int, question string) (*ResumeRequest, error)
	// Refresh returns the commands after a command or a list screen that may have changed them;
	// nil means that they never change.
	Refresh func() []Command
	Banner  Banner
	Status  func() Status // called at the end of each step of a turn and of each command; it must be quick
	Message string        // sent at once
	// FirstCommand is a command that runs at the start; nil means none.
	FirstCommand *Command
	// InputHistory stores what is sent for later chats; nil means that it is not stored.
	InputHistory InputHistory
	// Editor is the user's editor; nil means that there is none.
	Editor func(file string) (*exec.Cmd, error)
	// Files returns the paths that "@" offers; Symbols returns the symbols that "$" offers for
	// some letters, best first. Both may be slow; nil offers none.
	Files   func() []string
	Symbols func(typed string) []SymbolSuggestion
	// Attach adds the files that a message names with "@" to the model's input. It may be slow.
	// After an error the message returns to the composer.
	Attach func(agent.Input) (agent.Input, error)
	// ErrorAdvice returns what the user can do about the error of a turn, or "".
	ErrorAdvice func(error) string

	Theme         Theme
	ReducedMotion bool             // nothing on the screen moves or blinks by itself
	Charts        chart.Charset    // characters of charts; braille where it is not set
	Notify        Notify           // how to notify a user who looks elsewhere
	NoWindowTitle bool             // leave the title of the terminal's window as it is
	Keys          widget.KeyMap    // the default where it is empty
	Now           func() time.Time // time.Now when nil
	Input         io.Reader        // standard input when nil
	Output        io.Writer        // standard output when nil
	Environ       []string         // the process's when nil
}

// Result is what a chat returns.
type Result struct {
	SessionID string // to resume with; empty if nothing was sent
}

// SettleTime is how long a canceled turn or task may take to save its transcript.
const SettleTime = 3 * time.Second

// Run shows the chat until the user quits, the terminal closes or ctx ends. It restores the
// terminal in every case. A panic is returned as a *crash.Site. A turn that is still running is
// canceled and gets SettleTime to save what it has.
func Run(ctx context.Context, cfg Config) (Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	m := New(ctx, cfg)
	err := m.run(ctx, func() { cancel(errHangup) })
	return Result{SessionID: m.SessionID()}, err
}
