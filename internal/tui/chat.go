package tui

import (
	"cmp"
	"context"
	"iter"
	"os"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Chat is the part that the chat on the screen and the line-by-line chat share: the commands, the
// conversation, and the way from a line to a command or a turn. It draws nothing. It is not safe for
// concurrent use, except that methods documented as slow may run in another goroutine.
type Chat struct {
	Config              // its Conversation is the current one
	Commands CommandSet // of Config.Commands and the own commands

	own         []Command
	hasMessages bool // the conversation can be resumed
}

// NewChat returns a chat with the own commands and the commands of cfg. It sets the defaults of cfg.
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

// SetCommands replaces all commands except the chat's own.
func (c *Chat) SetCommands(commands []Command) { c.Commands = NewCommandSet(c.own, commands) }

// SwitchTo continues with another conversation, which can be resumed if hasMessages. left is the ID of
// the previous session, or "" if it cannot be resumed.
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

// Submission is a sent line with its command.
type Submission struct {
	Text    string
	Command *Command // nil for a message
	Args    string
	Pasted  bool            // a part of the text was pasted
	Unknown *UnknownCommand // the line names a command that does not exist; it must not be sent
}

// UnknownCommand is a line that names no command.
type UnknownCommand struct {
	Name       string
	Suggestion string // the line with the command that was probably meant, or ""
}

// Text returns the notice about the command.
func (u UnknownCommand) Text() string {
	text := "No command or skill /" + u.Name + "."
	if u.Suggestion != "" {
		return text + " Did you mean " + u.Suggestion + "?"
	}
	return text + " Nothing was sent."
}

// Parse returns the line with the command that it names, if any. A line that starts with a space is a
// message.
func (c *Chat) Parse(line string) Submission {
	s := Submission{Text: strings.TrimSpace(line)}
	name, args, ok := widget.ParseCommand(strings.TrimRight(line, " \t\n"))
	if !ok {
		return s
	}
	if command, known := c.Commands.Lookup(name); known {
		s.Command, s.Args = &command, args
		return s
	}
	s.Unknown = &UnknownCommand{Name: name}
	if similar, ok := c.Commands.Similar(name); ok {
		s.Unknown.Suggestion = strings.TrimSpace("/" + similar.Name + " " + args)
	}
	return s
}

// IsSkill reports whether the command is a skill, which becomes a turn.
func (s Submission) IsSkill() bool { return s.Command != nil && s.Command.Kind == KindSkill }

// Input returns the input of a message or a skill. It may be slow. After a *MissingInputError the
// caller shows a form.
func (s Submission) Input() (agent.Input, error) {
	if !s.IsSkill() {
		return agent.Input{Text: s.Text, Pasted: s.Pasted}, nil
	}
	input, err := s.Command.Prepare(s.Args)
	input.Text, input.Pasted = cmp.Or(input.Text, s.Text), s.Pasted
	return input, err
}

// NamesFiles reports whether a message names files to attach.
func (c *Chat) NamesFiles(text string) bool {
	return c.Attach != nil && len(widget.FindMentions(text)) > 0
}

// CommandResult is the result of a command.
type CommandResult struct {
	CommandOutput
	Err error

	recorded bool      // in the session
	commands []Command // the new commands, or nil if they never change
}

// StartCommand runs a command with Run in its own goroutine, and records its result in the session.
func (c *Chat) StartCommand(ctx context.Context, s Submission) *Task {
	conversation := c.Conversation
	return StartTask(ctx, func(ctx context.Context) (r CommandResult) {
		r.CommandOutput, r.Err = s.Command.Run(ctx, s.Args)
		if ctx.Err() == nil && AsMissingInput(r.Err) == nil && r.Screen == nil {
			r.recorded = c.record(ctx, conversation, s, r)
		}
		if c.Refresh != nil {
			r.commands = c.Refresh()
		}
		return r
	})
}

// record saves the result of a command in the session. The model never sees it.
func (c *Chat) record(ctx context.Context, conversation Conversation, s Submission, r CommandResult) bool {
	record := agent.CommandRecord{Line: s.Text, Output: r.Markdown, Chart: r.Chart, View: r.View, StartsSession: s.Command.StartsSession && r.Err == nil}
	if r.Err != nil {
		record.Error = c.ErrorText(r.Err)
	}
	recorded, err := conversation.RecordCommand(ctx, record)
	return recorded && err == nil // the result is on the screen; the next turn reports the storage error
}

// Apply takes over the new commands of a result, and notes that a recorded result can be resumed.
func (c *Chat) Apply(r CommandResult) {
	c.hasMessages = c.hasMessages || r.recorded
	if r.commands != nil {
		c.SetCommands(r.commands)
	}
}

// ErrorText returns the sentence of an error of the model, or the text of another error with its
// ErrorAdvice.
func (c *Chat) ErrorText(err error) string {
	if sentence := llm.SentenceOf(err); sentence != "" {
		return sentence
	}
	text := err.Error()
	if c.ErrorAdvice != nil {
		if advice := c.ErrorAdvice(err); advice != "" {
			text = strings.TrimSuffix(text, ".") + ". " + advice
		}
	}
	return text
}

// Turn is a running turn, and its result once it has ended.
type Turn struct {
	*EventStream
	Done agent.TurnDone
	Err  error
}

// StartTurn runs a turn of the conversation in its own goroutine.
func (c *Chat) StartTurn(ctx context.Context, input agent.Input) *Turn {
	c.hasMessages = true
	conversation := c.Conversation
	return &Turn{EventStream: StartStream(ctx, func(ctx context.Context) iter.Seq2[agent.Event, error] {
		return conversation.Run(ctx, input)
	})}
}

// Handle passes events to show and records the result of the turn. It stops at a panic of the turn
// and returns it.
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

// Failure returns the text of the error that ended the turn, or "".
func (c *Chat) Failure(t *Turn) string {
	if t.Err == nil || t.Done.Reason == agent.StopCancelled {
		return ""
	}
	return c.ErrorText(t.Err)
}

// EndedWell reports whether the turn ended so that queued messages may be sent.
func (t *Turn) EndedWell() bool {
	switch t.Done.Reason {
	case agent.StopAnswered, agent.StopStepLimit, agent.StopRepeatedCall:
		return t.Err == nil
	}
	return false
}
