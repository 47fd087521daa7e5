package repl

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// maxLineBytes is the maximum length of a line.
const maxLineBytes = 1 << 20

// inputLine is a line of the input, or its end.
type inputLine struct {
	text string
	end  bool
	err  error // why the input ended; nil for EOF
}

// lineReader reads lines in its own goroutine.
type lineReader struct {
	from        io.Reader
	interactive bool
	lines       chan inputLine
	pending     []inputLine // lines that arrived before they were needed
	ended       bool
	err         error
}

func newLineReader(from io.Reader, interactive bool) *lineReader {
	return &lineReader{from: from, interactive: interactive, lines: make(chan inputLine)}
}

// readAll reads until the input ends. When ctx ends, it may still block in a read.
func (in *lineReader) readAll(ctx context.Context) {
	scanner := bufio.NewScanner(in.from)
	scanner.Buffer(nil, maxLineBytes)
	for scanner.Scan() {
		if !in.send(ctx, inputLine{text: strings.TrimSuffix(scanner.Text(), "\r")}) {
			return
		}
	}
	last := inputLine{end: true}
	if err := scanner.Err(); err != nil {
		last.err = fmt.Errorf("read input: %w", err)
	}
	in.send(ctx, last)
}

func (in *lineReader) send(ctx context.Context, l inputLine) bool {
	select {
	case in.lines <- l:
		return true
	case <-ctx.Done():
		return false
	}
}

// typedAhead returns the channel of lines that a person types while the chat does not wait for one. For
// a script it is nil.
func (in *lineReader) typedAhead() <-chan inputLine {
	if in.interactive && !in.ended {
		return in.lines
	}
	return nil
}

// hold stores a line until it is needed.
func (in *lineReader) hold(l inputLine) {
	in.pending = append(in.pending, l)
	in.ended = in.ended || l.end
}

// Events that end the wait for a line.
type readEvent int

const (
	readLine readEvent = iota
	readInterrupt
	readEnd
	readCanceled // the line is no longer needed
)

// read waits for a line with its continuation lines. Pending lines come first.
func (c *chat) read(label string) (string, readEvent) {
	if len(c.input.pending) == 0 {
		return c.readNext(label, nil)
	}
	l := c.input.pending[0]
	c.input.pending = c.input.pending[1:]
	if l.end {
		return c.atEnd(l)
	}
	c.out.say(label, l.text)
	return c.joinContinued(l.text, label, nil)
}

// readNext works like read but ignores pending lines. canceled is closed when the line is no longer needed; nil
// means never.
func (c *chat) readNext(label string, canceled <-chan struct{}) (string, readEvent) {
	if c.input.ended {
		return "", readEnd
	}
	if c.cfg.EchoesInput {
		c.out.ask(label)
	}
	select {
	case l := <-c.input.lines:
		if l.end {
			return c.atEnd(l)
		}
		if c.cfg.EchoesInput {
			c.out.lineEntered()
		} else {
			c.out.say(label, l.text)
		}
		return c.joinContinued(l.text, label, canceled)
	case <-c.cfg.Interrupts:
		c.out.endOpenLine()
		c.out.flush()
		return "", readInterrupt
	case <-canceled:
		return "", readCanceled
	case <-c.ctx.Done():
		return c.atEnd(inputLine{end: true})
	}
}

// joinContinued returns a line with its continuation lines: a backslash at the end continues a line.
func (c *chat) joinContinued(text, label string, canceled <-chan struct{}) (string, readEvent) {
	head, continues := strings.CutSuffix(text, `\`)
	if !continues {
		return text, readLine
	}
	next := func() (string, readEvent) { return c.readNext(label, canceled) }
	if len(c.input.pending) > 0 {
		next = func() (string, readEvent) { return c.read(label) }
	}
	rest, event := next()
	if event == readEnd {
		return head, readLine
	}
	return head + "\n" + rest, event
}

func (c *chat) atEnd(l inputLine) (string, readEvent) {
	c.input.ended, c.input.err = true, l.err
	c.out.endOpenLine()
	c.out.flush()
	return "", readEnd
}
