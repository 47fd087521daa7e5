package plain

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// longestLine bounds what is taken for a line: a wrong file is not a message.
const longestLine = 1 << 20

// line is a line that was typed, or the end of them.
type line struct {
	text string
	end  bool
	err  error // why they ended, where that is not simply the end
}

// input reads lines beside the chat.
type input struct {
	from        io.Reader
	interactive bool
	lines       chan line
	early       []line // what was typed before it was wanted
	ended       bool
	fault       error
}

func newInput(from io.Reader, interactive bool) *input {
	return &input{from: from, interactive: interactive, lines: make(chan line)}
}

// fill reads until the input ends. A read that waits when ctx ends is left behind.
func (in *input) fill(ctx context.Context) {
	scanner := bufio.NewScanner(in.from)
	scanner.Buffer(nil, longestLine)
	for scanner.Scan() {
		if !in.hand(ctx, line{text: strings.TrimSuffix(scanner.Text(), "\r")}) {
			return
		}
	}
	last := line{end: true}
	if err := scanner.Err(); err != nil {
		last.err = fmt.Errorf("reading what was typed: %w", err)
	}
	in.hand(ctx, last)
}

func (in *input) hand(ctx context.Context, l line) bool {
	select {
	case in.lines <- l:
		return true
	case <-ctx.Done():
		return false
	}
}

// typedAhead is where lines come from while nobody waits for them: a script is
// read when it is wanted.
func (in *input) typedAhead() <-chan line {
	if in.interactive && !in.ended {
		return in.lines
	}
	return nil
}

// keep puts a line aside until it is wanted.
func (in *input) keep(l line) {
	in.early = append(in.early, l)
	in.ended = in.ended || l.end
}

// What came when a line was waited for.
type came int

const (
	lineCame came = iota
	interruptCame
	endCame
	goneCame // nobody waits for the answer any more
)

// read waits for what the user says next: a line, and those it goes on in. What
// was typed ahead comes first.
func (c *chat) read(label string) (string, came) {
	if len(c.input.early) == 0 {
		return c.wait(label, nil)
	}
	l := c.input.early[0]
	c.input.early = c.input.early[1:]
	if l.end {
		return c.atEnd(l)
	}
	c.out.say(label, l.text)
	return c.whole(l.text, label, nil)
}

// wait is read, but for a line that comes from now on; gone is closed when it is
// not wanted any more.
func (c *chat) wait(label string, gone <-chan struct{}) (string, came) {
	if c.input.ended {
		return "", endCame
	}
	if c.cfg.Echoed {
		c.out.ask(label)
	}
	select {
	case l := <-c.input.lines:
		if l.end {
			return c.atEnd(l)
		}
		if c.cfg.Echoed {
			c.out.typed()
		} else {
			c.out.say(label, l.text)
		}
		return c.whole(l.text, label, gone)
	case <-c.cfg.Interrupts:
		c.out.begin()
		c.out.flush()
		return "", interruptCame
	case <-gone:
		return "", goneCame
	case <-c.ctx.Done():
		return c.atEnd(line{end: true})
	}
}

// whole is a line with those it goes on in: where it ends in a backslash, the
// next belongs to it.
func (c *chat) whole(text, label string, gone <-chan struct{}) (string, came) {
	head, goesOn := strings.CutSuffix(text, `\`)
	if !goesOn {
		return text, lineCame
	}
	next := func() (string, came) { return c.wait(label, gone) }
	if len(c.input.early) > 0 {
		next = func() (string, came) { return c.read(label) }
	}
	rest, how := next()
	if how == endCame {
		return head, lineCame
	}
	return head + "\n" + rest, how
}

func (c *chat) atEnd(l line) (string, came) {
	c.input.ended, c.input.fault = true, l.err
	c.out.begin()
	c.out.flush()
	return "", endCame
}
