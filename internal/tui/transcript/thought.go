package transcript

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// thought is the model's reasoning: dim, and one line until it is opened.
type thought struct {
	lineCache
	written strings.Builder
	took    time.Duration // zero while it goes on, and in a resumed conversation
	done    bool
	open    bool
}

func (b *thought) compact() bool  { return true }
func (b *thought) source() string { return b.written.String() }
func (b *thought) isOpen() bool   { return b.open }

func (b *thought) setOpen(open bool) {
	b.open = open
	b.invalidate()
}

func (b *thought) write(text string) {
	b.written.WriteString(text)
	b.invalidate()
}

func (b *thought) finish(after time.Duration) {
	b.done, b.took = true, after
	b.invalidate()
}

func (b *thought) lines(st *widget.Styles, width int) []string { return b.get(st, width, b.draw) }

func (b *thought) draw(st *widget.Styles, width int) []string {
	head := "~ thinking"
	if b.done {
		head = "~ thought"
	}
	if b.open {
		rows := []string{st.Dim.Apply(widget.FitLine(head, width))}
		for _, row := range widget.WrapProse(markdown.Sanitize(b.written.String()), width-4) {
			rows = append(rows, st.Dim.Apply("  │ "+row))
		}
		return rows
	}
	right := ""
	if b.took > 0 {
		right = widget.FormatDuration(b.took)
	}
	return []string{st.Dim.Apply(widget.JustifyLine(head+"  "+b.excerpt(width), right, width))}
}

// excerpt is the end of the reasoning while it goes on, its beginning after.
func (b *thought) excerpt(width int) string {
	text := b.written.String()
	if b.done {
		return widget.OneLine(text[:min(len(text), 4*width)])
	}
	if from := len(text) - 4*width; from > 0 {
		text = text[from:]
	}
	words := []rune(widget.OneLine(text))
	if space := width - 14; space > 0 && len(words) > space {
		words = words[len(words)-space:]
	}
	return string(words)
}
