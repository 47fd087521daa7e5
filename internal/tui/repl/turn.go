package repl

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// progressInterval is the time without output after which the chat prints the running task.
const progressInterval = 10 * time.Second

// lateSteps is longer than the interval between two batches of events.
const lateSteps = 100 * time.Millisecond

// step handles an event of the running work. done means that it was the last.
type step func() (done bool, err error)

// wait runs the steps of the running work, and meanwhile handles approvals, Ctrl+C and lines typed ahead.
// stop ends the work; nil means that it cannot be stopped. running returns the text to print after a
// time without output; it may be nil.
func (c *chat) wait(steps <-chan step, stop func(), running func() string) error {
	quiet := time.NewTicker(progressInterval)
	defer quiet.Stop()
	stopping := false
	for {
		select {
		case take := <-steps:
			if done, err := take(); done || err != nil {
				return err
			}
			quiet.Reset(progressInterval)
		case l := <-c.input.typedAhead():
			c.input.hold(l)
		case q := <-c.approvals:
			if done, err := takeLate(steps); done || err != nil {
				return err
			}
			stopped, err := c.askApproval(q)
			if err != nil {
				return err
			}
			if stopped && stop != nil {
				stopping = true
				stop()
			}
			quiet.Reset(progressInterval)
		case <-c.cfg.Interrupts:
			if stopping {
				return errLeave
			}
			stopping = true
			if stop == nil {
				c.out.say(labelNotice, "This step cannot be stopped. Press Ctrl+C again to quit.")
				continue
			}
			c.out.say(labelNotice, "Stopping. Press Ctrl+C again to quit.")
			stop()
		case <-quiet.C:
			if running != nil {
				c.out.say(labelNotice, "Still "+widget.OneLine(running()))
			}
		case <-c.ctx.Done():
			return errLeave
		}
	}
}

// takeLate runs the steps from before an approval request. Their batch arrives after the request, but the
// text before the call must be printed first.
func takeLate(steps <-chan step) (done bool, err error) {
	deadline := time.After(lateSteps)
	for {
		select {
		case take := <-steps:
			if done, err := take(); done || err != nil {
				return done, err
			}
		case <-deadline:
			return false, nil
		}
	}
}

// waitFor runs slow work and waits for its end. If run panics, waitFor returns the *crash.Site.
func (c *chat) waitFor(run func(), stop func()) error {
	steps := make(chan step, 1)
	go func() {
		var crashed error
		defer func() { steps <- func() (bool, error) { return true, crashed } }()
		defer crash.Catch(&crashed)
		run()
	}()
	return c.wait(steps, stop, nil)
}

// runTurn runs a turn and prints its events until it has ended.
func (c *chat) runTurn(text string, in agent.Input) error {
	if in.Text == "" {
		in.Text = text
	}
	in, attached, err := c.attachFiles(in)
	if err != nil || !attached {
		return err
	}
	turn := c.StartTurn(c.ctx, in)
	defer turn.Settle(tui.SettleTime)
	printer := newTurnPrinter(c.out)
	if err := c.wait(c.turnSteps(turn, printer), turn.Cancel, printer.activity); err != nil {
		return err
	}
	return c.out.err
}

// turnSteps sends the batches of a turn until the turn or the chat has ended.
func (c *chat) turnSteps(turn *tui.Turn, printer *turnPrinter) <-chan step {
	steps := make(chan step)
	go func() {
		for ended := false; !ended; {
			batch := turn.Next()
			ended = batch.Ended
			show := func() (bool, error) {
				if crashed := turn.Handle(batch, printer.handle); crashed != nil {
					return true, crashed
				}
				if batch.Ended {
					printer.printEnd(turn.Done, c.Failure(turn))
				}
				return batch.Ended, nil
			}
			select {
			case steps <- show:
			case <-c.ctx.Done():
				return
			}
		}
	}()
	return steps
}

// attachFiles adds the files that a message names to the model's input, and prints their names. If it
// cannot read one, it prints the error and ok is false.
func (c *chat) attachFiles(in agent.Input) (with agent.Input, ok bool, err error) {
	if !c.NamesFiles(in.Text) {
		return in, true, nil
	}
	var fault error
	if err := c.waitFor(func() { with, fault = c.Attach(in) }, nil); err != nil {
		return in, false, err
	}
	if fault != nil {
		c.out.say(labelError, strings.TrimSuffix(c.ErrorText(fault), ".")+". Nothing was sent.")
		return in, false, nil
	}
	if note := strings.TrimSpace(strings.TrimPrefix(with.Text, in.Text)); note != "" && note != with.Text {
		c.out.say(labelNotice, strings.TrimSuffix(strings.TrimPrefix(note, "("), ")"))
	}
	return with, true, nil
}
