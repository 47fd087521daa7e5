package repl

import (
	"context"
	"iter"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// progressInterval is how long nothing may be said before the chat says that it goes on.
const progressInterval = 10 * time.Second

// runTurn runs a turn and prints its events until it has ended.
func (c *chat) runTurn(text string, in agent.Input) error {
	if in.Text == "" {
		in.Text = text
	}
	in, attached, err := c.attachFiles(in)
	if err != nil || !attached {
		return err
	}
	c.hasMessages = true
	p := tui.StartStream(c.ctx, func(ctx context.Context) iter.Seq2[agent.Event, error] {
		return c.conversation.Run(ctx, in)
	})
	defer p.Settle(settleTime)
	t := newTurnPrinter(c.out)
	batches := c.batches(p)
	quiet := time.NewTicker(progressInterval)
	defer quiet.Stop()
	stopping := false
	for {
		select {
		case b := <-batches:
			if err := c.printEvents(t, b); err != nil {
				return err
			}
			if len(b.Events) > 0 {
				quiet.Reset(progressInterval)
			}
			if b.Ended {
				c.finishTurn(t)
				return c.out.err
			}
		case l := <-c.input.typedAhead():
			c.input.hold(l)
		case q := <-c.approvals:
			stop, err := c.askApproval(q)
			if err != nil {
				return err
			}
			if stop {
				stopping = true
				p.Cancel()
			}
			quiet.Reset(progressInterval)
		case <-c.cfg.Interrupts:
			if stopping {
				return errLeave
			}
			stopping = true
			c.out.say(labelNotice, "stopping; press Ctrl+C again to leave")
			p.Cancel()
		case <-quiet.C:
			c.out.say(labelNotice, "still "+widget.OneLine(t.activity()))
		case <-c.ctx.Done():
			return errLeave
		}
	}
}

// attachFiles adds the files that a message names to the model's input, and prints their names. If
// one cannot be read, it prints the error and ok is false; nothing is sent.
func (c *chat) attachFiles(in agent.Input) (with agent.Input, ok bool, err error) {
	if c.cfg.Attach == nil {
		return in, true, nil
	}
	var fault error
	if err := c.waitFor(func() { with, fault = c.cfg.Attach(in) }); err != nil {
		return in, false, err
	}
	if fault != nil {
		c.out.say(labelError, strings.TrimSuffix(c.errorText(fault), ".")+". Nothing was sent.")
		return in, false, nil
	}
	if note := strings.TrimSpace(strings.TrimPrefix(with.Text, in.Text)); note != "" && note != with.Text {
		c.out.say(labelNotice, strings.TrimSuffix(strings.TrimPrefix(note, "("), ")"))
	}
	return with, true, nil
}

// batches sends the batches of a turn until the turn or the chat has ended.
func (c *chat) batches(p *tui.EventStream) <-chan tui.EventBatch {
	batches := make(chan tui.EventBatch)
	go func() {
		for {
			b := p.Next()
			select {
			case batches <- b:
			case <-c.ctx.Done():
				return
			}
			if b.Ended {
				return
			}
		}
	}()
	return batches
}

// printEvents says what happened in a turn since the last time.
func (c *chat) printEvents(t *turnPrinter, b tui.EventBatch) error {
	for _, h := range b.Events {
		if h.Crash != nil {
			return h.Crash
		}
		if h.Err != nil {
			t.err = h.Err
		}
		t.handle(h.Event)
	}
	return nil
}

// finishTurn says how a turn ended.
func (c *chat) finishTurn(t *turnPrinter) {
	failure := ""
	if t.err != nil && t.done.Reason != agent.StopCancelled {
		failure = c.errorText(t.err)
	}
	t.printEnd(failure)
}

// errorText is an error with what can be done about it.
func (c *chat) errorText(err error) string {
	text := err.Error()
	if c.cfg.ErrorAdvice != nil {
		if advice := c.cfg.ErrorAdvice(err); advice != "" {
			text = strings.TrimSuffix(text, ".") + ". " + advice
		}
	}
	return text
}
