package tui

import (
	"cmp"
	"context"
	"iter"
	"os"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Chat is what the chat on the screen and the chat in plain lines share: the commands, the
// conversation, and how a line becomes a command or a turn. It shows nothing. It is not safe for
// concurrent use; methods that may be slow say so, and may run in another goroutine.
type Chat struct {
	Config              // whose Conversation is the current one
	Commands CommandSet // the current ones

	own         []Command
	hasMessages bool // the conversation holds something to resume
}

// NewChat returns a chat with its own commands and those of cfg, whose missing values get their
// defaults.
func NewChat(cfg Config, own []Command) *Chat {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Approvals == nil {
		cfg.Approvals = NewApprovals()
	}
	if cfg.Environ == nil {
		cfg.Environ = os.Environ()
	}
	if cfg.Status == nil {
		cfg.Status = func() Status { return Status{} }
	}
	if cfg.Input == nil {
		cfg.Input = os.Stdin
	}
	if cfg.Output == nil {
		cfg.Output = os.Stdout
	}
	if cfg.Keys.IsZero() {
		cfg.Keys = widget.DefaultKeyMap()
	}
	return &Chat{Config: cfg, Commands: NewCommandSet(own, cfg.Commands), own: own}
}

// SetCommands replaces the commands besides the chat's own.
func (c *Chat) SetCommands(commands []Command) { c.Commands = NewCommandSet(c.own, commands) }

// SwitchTo continues with another conversation. hasMessages says that it has something to resume.
// left is the ID of the session that it leaves, or "" if nothing was sent there.
func (c *Chat) SwitchTo(conversation Conversation, hasMessages bool) (left string) {
	left = c.SessionID()
	c.Conversation, c.hasMessages = conversation, hasMessages
	if left != "" && conversation.ID() == left {
		return ""
	}
	return left
}

// SessionID returns the ID of the session to resume, or "" if nothing was sent.
func (c *Chat) SessionID() string {
	if !c.hasMessages {
		return ""
	}
	return c.Conversation.ID()
}

// Submission is a line that the user sent, with the command that it names.
type Submission struct {
	Text    string
	Command *Command // nil for a message
	Args    string
}

// Parse finds the command that a line names.
func (c *Chat) Parse(text string) Submission {
	s := Submission{Text: text}
	if name, args, ok := widget.ParseCommand(text); ok {
		if command, known := c.Commands.Lookup(name); known {
			s.Command, s.Args = &command, args
		}
	}
	return s
}

// IsSkill reports whether the line becomes a turn of a skill.
func (s Submission) IsSkill() bool { return s.Command != nil && s.Command.Kind == KindSkill }

// UnknownCommand returns a notice if the line looks like a command that does not exist, or "".
func (s Submission) UnknownCommand() string {
	if name, _, ok := widget.ParseCommand(s.Text); ok && s.Command == nil {
		return "/" + name + " is neither a command nor a skill; sent as text"
	}
	return ""
}

// Input returns the input of a message or a skill. It may be slow. After a *MissingInputError a
// form asks for the missing values.
func (s Submission) Input() (agent.Input, error) {
	if !s.IsSkill() {
		return agent.Input{Text: s.Text}, nil
	}
	input, err := s.Command.Prepare(s.Args)
	input.Text = cmp.Or(input.Text, s.Text)
	return input, err
}

// NamesFiles reports whether a message names files that can be attached.
func (c *Chat) NamesFiles(text string) bool {
	return c.Attach != nil && len(widget.FindMentions(text)) > 0
}

// CommandResult is what a command shows.
type CommandResult struct {
	Chart    *chart.Spec // above the text, or nil
	Markdown string
	Err      error
	// Commands are the new ones, for SetCommands; nil if they did not change.
	Commands []Command
}

// RunCommand runs a command that shows something. It may be slow.
func (c *Chat) RunCommand(command Command, args string) (r CommandResult) {
	if command.Draw != nil {
		r.Chart, r.Markdown, r.Err = command.Draw(args)
	} else {
		r.Markdown, r.Err = command.Show(args)
	}
	if c.Refresh != nil {
		r.Commands = c.Refresh()
	}
	return r
}

// ErrorText returns an error with what the user can do about it.
func (c *Chat) ErrorText(err error) string {
	text := err.Error()
	if c.ErrorAdvice != nil {
		if advice := c.ErrorAdvice(err); advice != "" {
			text = strings.TrimSuffix(text, ".") + ". " + advice
		}
	}
	return text
}

// Turn is a running turn and how it ended.
type Turn struct {
	*EventStream
	Done agent.TurnDone
	Err  error
}

// StartTurn runs a turn of the conversation in a goroutine of its own.
func (c *Chat) StartTurn(ctx context.Context, input agent.Input) *Turn {
	c.hasMessages = true
	conversation := c.Conversation
	return &Turn{EventStream: StartStream(ctx, func(ctx context.Context) iter.Seq2[agent.Event, error] {
		return conversation.Run(ctx, input)
	})}
}

// Handle notes how the turn ended and passes its events on, until one is the turn's panic.
func (t *Turn) Handle(batch EventBatch, show func(agent.Event)) *crash.Site {
	for _, e := range batch.Events {
		if e.Crash != nil {
			return e.Crash
		}
		if e.Err != nil {
			t.Err = e.Err
		}
		if done, ok := e.Event.(agent.TurnDone); ok {
			t.Done = done
		}
		show(e.Event)
	}
	return nil
}

// Failure returns the text of the error with which a turn ended, or "".
func (c *Chat) Failure(t *Turn) string {
	if t.Err == nil || t.Done.Reason == agent.StopCancelled {
		return ""
	}
	return c.ErrorText(t.Err)
}

// EndedWell reports whether queued messages may follow the turn.
func (t *Turn) EndedWell() bool {
	switch t.Done.Reason {
	case agent.StopAnswered, agent.StopStepLimit, agent.StopRepeatedCall:
		return t.Err == nil
	}
	return false
}
