package tui

import (
	"context"
	"io"
	"os"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Banner is what a reader is told before anything is said.
type Banner struct {
	Program     string   // "nfa 0.1"
	Tagline     string   // "not financial advice"
	Folder      string   // where we are, short: "~/"
	Mode        string   // one word: "offline"
	Notice      string   // what is in use and how to change it
	Suggestions []string // things to type, one line each
}

func (b Banner) headerTitle() widget.HeaderTitle {
	return widget.HeaderTitle{Program: b.Program, Tagline: b.Tagline, Folder: b.Folder, Mode: b.Mode}
}

// Status is what the last line says about the conversation.
type Status struct {
	Model   string // "offline assistant"
	Agent   string // "advisor"
	Context string // how full the model's window is: "12% of 128k", or "" where that is not known
	Cost    string // on the conversation so far: "4.2k tokens, $0.02", or ""
	Data    string // "SAMPLE DATA"; the last word to go when space is short
}

// Config is all that the chat needs from the program around it. Start and
// Conversation are required.
type Config struct {
	Start        func() Conversation // a new conversation, for /clear
	Conversation Conversation        // the one to begin with
	History      []session.Entry     // of a resumed one, drawn as it was
	Approvals    *Approvals          // given to the tool router as its Approver
	Commands     []Command           // what "/" offers besides help, clear and quit
	// Picker makes the shelf that Ctrl+P opens; nil means that there is none.
	Picker func() *ListScreen
	// Fork gives a copy of the running conversation with its first turns only: those
	// before turn number from, whose question is named so that no other is meant. It
	// runs beside the screen. Nil means that there are no copies.
	Fork func(from int, question string) (*ResumeRequest, error)
	// Refresh gives the commands anew after one was shown or a shelf was closed,
	// which may have changed them; nil means that they stay.
	Refresh func() []Command
	Banner  Banner
	Status  func() Status // asked whenever a step of a turn or a command ends; it must be quick
	Message string        // sent at once
	// FirstCommand is a command that is shown before anything is typed; nil is none.
	FirstCommand *Command
	// InputHistory keeps what is sent for later chats; nil means that it is forgotten.
	InputHistory InputHistory
	// Editor is the command with which the user edits a file; nil means that there
	// is none.
	Editor func(file string) (*exec.Cmd, error)
	// Files are the paths that "@" offers, and Symbols what "$" and some letters
	// offer, best first. Both may take their time; nil offers none.
	Files   func() []string
	Symbols func(typed string) []SymbolSuggestion
	// Attach puts the files that a message names with "@" into what the model
	// reads. It may take its time. Its error gives the message back.
	Attach func(agent.Input) (agent.Input, error)
	// ErrorAdvice says what the user can do about a failed turn, or "".
	ErrorAdvice func(error) string

	Theme         Theme
	ReducedMotion bool             // nothing on the screen moves or blinks by itself
	Charts        chart.Charset    // characters of charts; braille where it is not set
	Notify        Notify           // how a reader who is elsewhere is called back
	NoWindowTitle bool             // leave the title of the terminal's window as it is
	Keys          widget.KeyMap    // the default where it is empty
	Now           func() time.Time // time.Now when nil
	Input         io.Reader        // standard input when nil
	Output        io.Writer        // standard output when nil
	Environ       []string         // the process's when nil
}

// Result is what is left of a chat.
type Result struct {
	SessionID string // to resume with; empty when nothing was said
}

// settleTime is how long a cancelled turn or work may take to keep its transcript.
const settleTime = 3 * time.Second

// Run draws the chat until the user quits, the terminal goes away or ctx ends,
// and gives the terminal back as it was on each of these ways, panics included:
// a panic comes back as a *crash.Site. A turn that still runs is cancelled and gets
// a moment to keep what came.
func Run(ctx context.Context, cfg Config) (Result, error) {
	if cfg.Input == nil {
		cfg.Input = os.Stdin
	}
	var m *Model
	err := RunProgram(ctx, ProgramSpec{
		New: func(ctx context.Context) (tea.Model, *TerminalLender) {
			m = New(ctx, cfg)
			return m, m.terminal
		},
		Settle: func() { m.settleRunning(settleTime) },
		Input:  cfg.Input, Output: cfg.Output, Environ: cfg.Environ,
	})
	return Result{SessionID: m.SessionID()}, err
}
