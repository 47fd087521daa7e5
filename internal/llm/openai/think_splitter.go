package openai

import "strings"

const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
)

// thinkSplitter separates thinking from text if a server sends both as text, with the thinking in
// <think> tags at the start. Later tags are text: the model may be talking about them.
type thinkSplitter struct {
	state   thinkState
	pending string // may yet turn out to be a tag
}

type thinkState int

const (
	thinkUndecided thinkState = iota // only white space so far
	thinkInside
	thinkClosed // swallowing the white space after the tag
	thinkDone
)

// add returns the decided part of piece and of everything before it.
func (t *thinkSplitter) add(piece string) (text, thinking string) {
	if t.state == thinkDone || piece == "" {
		return piece, ""
	}
	s := t.pending + piece
	t.pending = ""
	if t.state == thinkUndecided {
		start := strings.TrimLeft(s, " \t\r\n")
		switch {
		case strings.HasPrefix(start, thinkOpen):
			t.state = thinkInside
			s = start[len(thinkOpen):]
		case strings.HasPrefix(thinkOpen, start):
			t.pending = s
			return "", ""
		default:
			t.state = thinkDone
			return s, ""
		}
	}
	if t.state == thinkInside {
		thinking, s = t.inside(s)
	}
	if t.state == thinkClosed {
		if text = strings.TrimLeft(s, " \t\r\n"); text != "" {
			t.state = thinkDone
		}
	}
	return text, thinking
}

// inside splits s at the closing tag, holding back a possible start of it.
func (t *thinkSplitter) inside(s string) (thinking, after string) {
	thinking, after, found := strings.Cut(s, thinkClose)
	if found {
		t.state = thinkClosed
		return thinking, after
	}
	for n := min(len(s), len(thinkClose)-1); n > 0; n-- {
		if strings.HasSuffix(s, thinkClose[:n]) {
			t.pending = s[len(s)-n:]
			return s[:len(s)-n], ""
		}
	}
	return s, ""
}

// flush returns the held-back text at the end of the stream.
func (t *thinkSplitter) flush() (text, thinking string) {
	held := t.pending
	t.pending = ""
	if t.state == thinkInside {
		return "", held
	}
	return held, ""
}
