package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// Config configures a chat. Of tui.Config, it does not use Theme, ReducedMotion, Keys, Environ,
// FirstCommand and Search.
type Config struct {
	tui.Config
	// Interactive is true if a person types: lines typed before an approval appeared do not answer it.
	// Otherwise the input is a script, whose lines are read one by one when they are needed.
	Interactive bool
	// Unattended answers approvals if nobody types; nil refuses them.
	Unattended tool.Approver
	// EchoesInput is true if the terminal shows the typed lines: the chat then prints only their
	// labels. Otherwise it also prints the lines.
	EchoesInput bool
	// Interrupts receives a value for each Ctrl+C; it may be nil.
	Interrupts <-chan os.Signal
	// Once ends the chat after Message was handled.
	Once bool
}

// Run runs the chat until the input ends, the user quits or ctx ends. If the input ends during an
// answer, Run waits for the answer. It returns a panic in a turn or a command as a *crash.Site.
func Run(ctx context.Context, cfg Config) (tui.Result, error) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newChat(within, cfg)
	go c.input.readAll(within)
	go c.forwardApprovals()
	err := c.loop()
	switch {
	case c.out.err != nil:
		err = fmt.Errorf("write chat: %w", c.out.err)
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.Is(err, errLeave):
		err = c.input.err
	}
	return tui.Result{SessionID: c.SessionID()}, err
}

// errLeave means that the chat ended normally.
var errLeave = errors.New("chat ended")

// chat is a running chat. Only the input and the forwarding of approvals use other goroutines.
type chat struct {
	*tui.Chat
	ctx       context.Context
	cfg       Config
	out       *lineWriter
	input     *lineReader
	approvals chan tui.ApprovalRequest // pending approvals, one at a time
	quitArmed bool                     // Ctrl+C was pressed since the last line
	list      *printedList             // nil unless a list was just printed
}

func newChat(ctx context.Context, cfg Config) *chat {
	own := slices.DeleteFunc(tui.OwnCommands(), func(c tui.Command) bool { return !isOwnCommand(c.Name) })
	shared := tui.NewChat(cfg.Config, own)
	return &chat{
		Chat: shared, ctx: ctx, cfg: cfg, out: &lineWriter{to: bufio.NewWriter(shared.Output)},
		input: newLineReader(shared.Input, cfg.Interactive), approvals: make(chan tui.ApprovalRequest),
	}
}

// forwardApprovals passes pending approvals to the loop, one at a time.
func (c *chat) forwardApprovals() {
	for {
		q, ok := c.Approvals.Next(c.ctx)
		if !ok {
			return
		}
		select {
		case c.approvals <- q:
		case <-c.ctx.Done():
			return
		}
	}
}

// loop runs the chat.
func (c *chat) loop() error {
	if c.cfg.Once {
		return c.submit(c.Message)
	}
	c.SwitchTo(c.Conversation, len(c.History) > 0)
	c.printStart(c.History)
	if c.Message != "" {
		c.out.say(labelYou, c.Message)
		if err := c.submit(c.Message); err != nil {
			return err
		}
	}
	for c.out.err == nil {
		text, event := c.read(labelYou)
		switch event {
		case readEnd:
			return errLeave
		case readInterrupt:
			if c.quitArmed {
				return errLeave
			}
			c.quitArmed = true
			c.out.say(labelNotice, "Press Ctrl+C again to quit.")
			continue
		}
		c.quitArmed = false
		if err := c.submit(text); err != nil {
			return err
		}
	}
	return c.out.err
}

// printStart prints the start of a conversation: the start page, or its last question and answer.
func (c *chat) printStart(history []session.Entry) {
	if len(history) > 0 {
		c.printHistory(history)
		return
	}
	if c.StartPage != nil {
		c.printStartPage(c.StartPage())
	}
	c.out.say(labelNotice, "/help lists commands, /quit quits. To continue on the next line, end the line with a backslash.")
}

// printStartPage prints the state of the program, then what to try.
func (c *chat) printStartPage(page tui.StartPage) {
	c.out.say(labelProgram, strings.TrimSpace("nfa. "+page.Intro))
	for _, line := range page.State {
		text := line.Text
		if line.Label != "" {
			text = line.Label + ": " + text
		}
		if line.Command != "" {
			text += " (" + line.Command + ")"
		}
		c.out.say(labelNotice, text)
	}
	for _, row := range page.Rows {
		c.out.say(labelTry, row.Message())
	}
}

// switchConversation continues with another conversation.
func (c *chat) switchConversation(conversation tui.Conversation, history []session.Entry) {
	left := c.SwitchTo(conversation, len(history) > 0)
	c.printStart(history)
	if left != "" {
		c.out.say(labelNotice, "The previous session is saved as "+left+".")
	}
}
