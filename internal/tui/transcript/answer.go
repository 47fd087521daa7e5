package transcript

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// answer is the model's text. While it streams, markdown.Stream draws it and
// only its unfinished end is drawn again; once done, only the lines are kept.
type answer struct {
	lineCache
	pannableMarkdown
	written strings.Builder
	stream  *markdown.Stream // nil once finished
}

// newAnswer is an answer that is already whole.
func newAnswer(text string) *answer {
	b := &answer{}
	b.written.WriteString(text)
	return b
}

func (b *answer) compact() bool  { return false }
func (b *answer) source() string { return b.written.String() }

// write takes more of the text.
func (b *answer) write(st *widget.Styles, width int, text string) {
	if b.stream == nil {
		b.theme, b.width = st.Version(), width
		b.stream = markdown.NewStream(b.options(st, width))
	}
	b.written.WriteString(text)
	b.stream.Write(text)
}

func (b *answer) finish() {
	if b.stream != nil {
		// What one call may leave unformatted in a long block, the next one,
		// which finds nothing new, draws in full.
		b.stream.Lines()
		b.rows = b.stream.Lines()
		b.stream = nil
	}
}

// mark adds the numbers of the figures that /why explains to a finished answer. text is the answer
// that was checked; if the answer differs from it, mark does nothing.
func (b *answer) mark(text string, r agent.FiguresReport) {
	marked := agent.MarkFigures(text, r)
	if marked == text || strings.TrimLeft(text, "\n") != strings.TrimLeft(b.written.String(), "\n") {
		return
	}
	b.written.Reset()
	b.written.WriteString(strings.TrimLeft(marked, "\n"))
	b.invalidate()
}

func (b *answer) lines(st *widget.Styles, width int) []string {
	if b.stream == nil {
		return b.get(st, width, b.draw)
	}
	if b.theme != st.Version() || b.width != width {
		b.theme, b.width = st.Version(), width
		b.stream.SetOptions(b.options(st, width))
	}
	return b.stream.Lines()
}

func (b *answer) draw(st *widget.Styles, width int) []string {
	return b.render(b.written.String(), st, width)
}
