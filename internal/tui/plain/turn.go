package plain

import (
	"context"
	"iter"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/pump"
)

// silence is how long nothing may be said before the chat says that it goes on.
const silence = 10 * time.Second

// run runs a turn and says what happens in it, until it has ended.
func (c *chat) run(text string, in agent.Input) error {
	if in.Text == "" {
		in.Text = text
	}
	in, attached, err := c.attach(in)
	if err != nil || !attached {
		return err
	}
	c.spoken = true
	p := pump.Start(c.ctx, func(ctx context.Context) iter.Seq2[agent.Event, error] {
		return c.conversation.Run(ctx, in)
	})
	defer p.Settle(settleTime)
	t := newAccount(c.out)
	batches := c.batches(p)
	quiet := time.NewTicker(silence)
	defer quiet.Stop()
	stopping := false
	for {
		select {
		case b := <-batches:
			if err := c.happened(t, b); err != nil {
				return err
			}
			if len(b.Happenings) > 0 {
				quiet.Reset(silence)
			}
			if b.Ended {
				c.ended(t)
				return c.out.err
			}
		case l := <-c.input.typedAhead():
			c.input.keep(l)
		case q := <-c.asked:
			stop, err := c.question(q)
			if err != nil {
				return err
			}
			if stop {
				stopping = true
				p.Cancel()
			}
			quiet.Reset(silence)
		case <-c.cfg.Interrupts:
			if stopping {
				return errLeave
			}
			stopping = true
			c.out.say(labelNotice, "stopping; press Ctrl+C again to leave")
			p.Cancel()
		case <-quiet.C:
			c.out.say(labelNotice, "still "+draw.OneLine(t.doing()))
		case <-c.ctx.Done():
			return errLeave
		}
	}
}

// attach puts the files that a message names into what the model reads, and says which
// they are. It is not ok where one cannot be: that is said, and nothing is sent.
func (c *chat) attach(in agent.Input) (with agent.Input, ok bool, err error) {
	if c.cfg.Attach == nil {
		return in, true, nil
	}
	var fault error
	if err := c.await(func() { with, fault = c.cfg.Attach(in) }); err != nil {
		return in, false, err
	}
	if fault != nil {
		c.out.say(labelError, strings.TrimSuffix(c.explain(fault), ".")+". Nothing was sent.")
		return in, false, nil
	}
	if told := strings.TrimSpace(strings.TrimPrefix(with.Text, in.Text)); told != "" && told != with.Text {
		c.out.say(labelNotice, strings.TrimSuffix(strings.TrimPrefix(told, "("), ")"))
	}
	return with, true, nil
}

// batches hands over what happens, until the turn has ended or the chat has.
func (c *chat) batches(p *pump.Pump) <-chan pump.Batch {
	batches := make(chan pump.Batch)
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

// happened says what happened in a turn since the last time.
func (c *chat) happened(t *account, b pump.Batch) error {
	for _, h := range b.Happenings {
		if h.Crash != nil {
			return h.Crash
		}
		if h.Err != nil {
			t.fault = h.Err
		}
		t.take(h.Event)
	}
	return nil
}

// ended says how a turn ended.
func (c *chat) ended(t *account) {
	failure := ""
	if t.fault != nil && t.done.Reason != agent.StopCancelled {
		failure = c.explain(t.fault)
	}
	t.end(failure)
}

// explain is an error with what can be done about it.
func (c *chat) explain(err error) string {
	text := err.Error()
	if c.cfg.Advise != nil {
		if advice := c.cfg.Advise(err); advice != "" {
			text = strings.TrimSuffix(text, ".") + ". " + advice
		}
	}
	return text
}
