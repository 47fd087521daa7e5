package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
)

// Config is all that the chat needs from the program around it: what the screen
// needs, of which Theme, Still, Keys, Environ, First and Picker mean nothing here.
type Config struct {
	tui.Config
	// Interactive says that somebody types: what was typed before a question came is
	// no answer to it. Without it the lines are a script, read one by one as they are
	// wanted.
	Interactive bool
	// EchoesInput says that a terminal shows what is typed where the chat is written: a
	// label is written before it. Without it the lines are written down as well.
	EchoesInput bool
	// Interrupts are the presses of Ctrl+C; nil is none.
	Interrupts <-chan os.Signal
	// Once leaves when Message has been dealt with.
	Once bool
}

// settleTime is how long a turn that is left may take to keep its transcript.
const settleTime = 3 * time.Second

// Run holds the chat until the input ends, the user leaves or ctx ends. What is
// still being answered when the input ends is answered first. A panic in a turn
// or in a command comes back as a *crash.Site.
func Run(ctx context.Context, cfg Config) (tui.Result, error) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newChat(within, cfg)
	go c.input.readAll(within)
	go c.forwardApprovals()
	err := c.loop()
	switch {
	case c.out.err != nil:
		err = fmt.Errorf("writing the chat: %w", c.out.err)
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.Is(err, errLeave):
		err = c.input.err
	}
	return tui.Result{SessionID: c.sessionID()}, err
}

// errLeave means that the chat is over, as it should be.
var errLeave = errors.New("the chat is over")

// chat is a chat that is held. All but the input and what waits for questions is
// for one goroutine.
type chat struct {
	ctx          context.Context
	cfg          Config
	out          *lineWriter
	input        *lineReader
	approvals    chan tui.ApprovalRequest // questions, one at a time
	commands     tui.CommandSet
	conversation tui.Conversation
	hasMessages  bool // the conversation holds something to resume
	quitArmed    bool // Ctrl+C was pressed and nothing was done since
}

func newChat(ctx context.Context, cfg Config) *chat {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Approvals == nil {
		cfg.Approvals = tui.NewApprovals()
	}
	var in io.Reader = os.Stdin
	if cfg.Input != nil {
		in = cfg.Input
	}
	var out io.Writer = os.Stdout
	if cfg.Output != nil {
		out = cfg.Output
	}
	return &chat{
		ctx: ctx, cfg: cfg, out: &lineWriter{to: bufio.NewWriter(out)},
		input: newLineReader(in, cfg.Interactive), approvals: make(chan tui.ApprovalRequest),
		commands: newCommandSet(cfg.Commands), conversation: cfg.Conversation,
	}
}

// newCommandSet is all that "/" offers.
func newCommandSet(added []tui.Command) tui.CommandSet {
	own := slices.DeleteFunc(tui.OwnCommands(), func(c tui.Command) bool { return !isOwnCommand(c.Name) })
	return tui.NewCommandSet(own, added)
}

// forwardApprovals hands the questions over, one at a time.
func (c *chat) forwardApprovals() {
	for {
		q, ok := c.cfg.Approvals.Next(c.ctx)
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

// sessionID names what can be resumed, or is empty when nothing was said.
func (c *chat) sessionID() string {
	if !c.hasMessages {
		return ""
	}
	return c.conversation.ID()
}

// loop is the chat from its first line to its last.
func (c *chat) loop() error {
	if c.cfg.Once {
		return c.submit(c.cfg.Message)
	}
	c.printStart(c.cfg.History)
	if c.cfg.Message != "" {
		c.out.say(labelYou, c.cfg.Message)
		if err := c.submit(c.cfg.Message); err != nil {
			return err
		}
	}
	for c.out.err == nil {
		text, came := c.read(labelYou)
		switch came {
		case readEnd:
			return errLeave
		case readInterrupt:
			if c.quitArmed {
				return errLeave
			}
			c.quitArmed = true
			c.out.say(labelNotice, "press Ctrl+C again to leave")
			continue
		}
		c.quitArmed = false
		if err := c.submit(text); err != nil {
			return err
		}
	}
	return c.out.err
}

// printStart begins a conversation: with the banner, or with where it was left.
func (c *chat) printStart(history []session.Entry) {
	if c.hasMessages = len(history) > 0; c.hasMessages {
		c.printHistory(history)
		return
	}
	b := c.cfg.Banner
	c.out.say(labelProgram, strings.TrimSpace(b.Program+", "+b.Tagline+". "+b.Notice))
	for _, line := range b.Suggestions {
		c.out.say(labelTry, line)
	}
	c.out.say(labelNotice, "/help lists the commands, /quit leaves; a line that ends in a backslash goes on")
}

// switchConversation goes on with a conversation.
func (c *chat) switchConversation(conversation tui.Conversation, history []session.Entry) {
	last := c.sessionID()
	c.conversation = conversation
	c.printStart(history)
	if last != "" && last != conversation.ID() {
		c.out.say(labelNotice, "the conversation before is kept as "+last)
	}
}
