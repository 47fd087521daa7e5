package tui

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// answer is the model's text. While it streams, markdown.Stream draws it and
// only its unfinished end is drawn again; once done, only the lines are kept.
type answer struct {
	memo
	source strings.Builder
	stream *markdown.Stream // nil once finished
}

// newAnswer is an answer that is already whole.
func newAnswer(text string) *answer {
	b := &answer{}
	b.source.WriteString(text)
	return b
}

func (b *answer) compact() bool { return false }

// write takes more of the text.
func (b *answer) write(st *styles, width int, text string) {
	if b.stream == nil {
		b.st, b.width = st, width
		b.stream = markdown.NewStream(st.options(width))
	}
	b.source.WriteString(text)
	b.stream.Write(text)
}

func (b *answer) finish() {
	if b.stream != nil {
		b.rows = b.stream.Lines()
		b.stream = nil
	}
}

func (b *answer) lines(st *styles, width int) []string {
	if b.stream == nil {
		return b.get(st, width, b.draw)
	}
	if b.st != st || b.width != width {
		b.st, b.width = st, width
		b.stream.SetOptions(st.options(width))
	}
	return b.stream.Lines()
}

func (b *answer) draw(st *styles, width int) []string {
	return markdown.Render(b.source.String(), st.options(width))
}

// thought is the model's reasoning: dim, and one line until it is opened.
type thought struct {
	memo
	source strings.Builder
	took   time.Duration // zero while it goes on, and in a resumed conversation
	done   bool
	open   bool
}

func (b *thought) compact() bool { return true }
func (b *thought) isOpen() bool  { return b.open }

func (b *thought) setOpen(open bool) {
	b.open = open
	b.forget()
}

func (b *thought) write(text string) {
	b.source.WriteString(text)
	b.forget()
}

func (b *thought) finish(after time.Duration) {
	b.done, b.took = true, after
	b.forget()
}

func (b *thought) lines(st *styles, width int) []string { return b.get(st, width, b.draw) }

func (b *thought) draw(st *styles, width int) []string {
	head := "~ thinking"
	if b.done {
		head = "~ thought"
	}
	if b.open {
		rows := []string{st.dim.Apply(fit(head, width))}
		for _, row := range wrap(markdown.Sanitize(b.source.String()), width-4) {
			rows = append(rows, st.dim.Apply("  │ "+row))
		}
		return rows
	}
	right := ""
	if b.took > 0 {
		right = took(b.took)
	}
	return []string{st.dim.Apply(spread(head+"  "+b.glimpse(width), right, width))}
}

// glimpse is the end of the reasoning while it goes on, its beginning after.
func (b *thought) glimpse(width int) string {
	text := b.source.String()
	if b.done {
		return oneLine(text[:min(len(text), 4*width)])
	}
	if from := len(text) - 4*width; from > 0 {
		text = text[from:]
	}
	words := []rune(oneLine(text))
	if room := width - 14; room > 0 && len(words) > room {
		words = words[len(words)-room:]
	}
	return string(words)
}
