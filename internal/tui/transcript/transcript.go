package transcript

import (
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Transcript is the conversation so far and its visible part.
//
// Its scroll position is a block and a line in it, not a line count from the start, so that only visible
// blocks are drawn. It is not safe for concurrent use.
type Transcript struct {
	blocks        []block
	st            *widget.Styles
	now           func() time.Time
	width, height int
	margin        bool // column for the focus marker

	top      position // the first visible line while scrolled
	scrolled bool     // the user scrolled away from the end
	unseen   bool     // text was added below since then
	focused  block
	pinned   block // what must not scroll out of view
	search   textSearch
	allOpen  bool
}

// New returns an empty transcript that follows its end. now measures how long the model thinks.
func New(st *widget.Styles, now func() time.Time) *Transcript {
	return &Transcript{st: st, now: now}
}

// SetSize sets the size of the transcript. Call it before each View, because new text may move the
// visible part. With a margin, lines have an additional first column for the focus marker.
func (t *Transcript) SetSize(width, height int, margin bool) {
	t.width, t.height, t.margin = width, height, margin
	t.fitStartPage()
	t.stopAtPinned()
}

// Clear removes everything.
func (t *Transcript) Clear() {
	*t = Transcript{st: t.st, now: t.now, width: t.width, height: t.height, margin: t.margin}
}

// Empty reports whether there is nothing to show yet.
func (t *Transcript) Empty() bool { return len(t.blocks) == 0 }

// Say adds a notice.
func (t *Transcript) Say(mark NoticeLevel, text string) { t.add(&notice{level: mark, text: text}) }

// AddCommand adds a command that the user sent, and follows the end.
func (t *Transcript) AddCommand(text string) CommandLine {
	b := &commandLine{userMessage{text: text}}
	t.add(b)
	t.Follow()
	return b
}

// RemoveCommand removes a command that has no output.
func (t *Transcript) RemoveCommand(line CommandLine) {
	t.blocks = slices.DeleteFunc(t.blocks, func(b block) bool { return b == block(line) })
}

// Show adds Markdown of the program, such as the output of a command, and scrolls to its first line.
func (t *Transcript) Show(markdown string) { t.ShowResult(nil, markdown, nil) }

// ShowResult works like Show with a chart above the text, unless spec is nil. If view is not nil, the view of the
// tool's result is drawn instead of the text. The command above it stays visible.
func (t *Transcript) ShowResult(spec *chart.Spec, markdown string, view *agent.CommandView) {
	first := len(t.blocks)
	if view == nil {
		t.add(&programOutput{text: markdown, chart: spec, command: t.lastCommand()})
	} else {
		t.addView(spec, markdown, *view)
	}
	if first > 0 {
		if _, ok := t.blocks[first-1].(*commandLine); ok {
			first--
		}
	}
	t.scrollTo(position{first, t.gap(first)})
}

func (t *Transcript) addView(spec *chart.Spec, markdown string, v agent.CommandView) {
	if v.SampleNotice != "" {
		t.Say(Warning, v.SampleNotice)
	}
	if len(v.Keys) > 0 {
		t.add(&card{label: "Result", state: cardDone, asFigures: true, result: tool.Result{Title: v.About.Subject, Keys: v.Keys, About: v.About, ForUser: markdown}})
	}
	// A warning is about the figures: it comes before a long table.
	t.warn(v.Warnings)
	if spec != nil || strings.TrimSpace(v.Body) != "" {
		t.add(&programOutput{text: v.Body, chart: spec, command: t.lastCommand()})
	}
	v.Attribution.Warnings = nil
	t.attribute(v.Attribution)
}

// lastCommand returns the newest command, or "".
func (t *Transcript) lastCommand() string {
	for _, b := range slices.Backward(t.blocks) {
		if c, ok := b.(*commandLine); ok {
			return c.text
		}
	}
	return ""
}

func (t *Transcript) warn(texts []string) {
	for _, text := range texts {
		t.Say(Warning, text)
	}
}

// attribute adds warnings and the line with the source.
func (t *Transcript) attribute(a agent.Attribution) {
	t.warn(a.Warnings)
	if a.Line != "" {
		t.add(&sourceLine{text: a.Line})
	}
	for _, text := range a.Notices {
		t.add(&sourceLine{text: text, isNotice: true})
	}
}

// add appends a block.
func (t *Transcript) add(b block) {
	if f, ok := b.(foldable); ok && t.allOpen {
		f.setOpen(true)
	}
	t.blocks = append(t.blocks, b)
	t.changed()
}

// changed records that there is new text at the end.
func (t *Transcript) changed() { t.unseen = t.scrolled }

// gap returns the number of blank lines before block i.
func (t *Transcript) gap(i int) int {
	if i == 0 || t.blocks[i].compact() && t.blocks[i-1].compact() {
		return 0
	}
	return 1
}

func (t *Transcript) rows(i int) int { return t.gap(i) + len(t.blocks[i].lines(t.st, t.width)) }

// View returns exactly as many lines as SetSize set.
func (t *Transcript) View() []string {
	out := make([]string, 0, t.height)
	for p := t.first(); p.block < len(t.blocks) && len(out) < t.height; p = (position{p.block + 1, 0}) {
		lines, gap := t.blocks[p.block].lines(t.st, t.width), t.gap(p.block)
		from := max(p.row-gap, 0)
		to := min(from+t.height-len(out), len(lines))
		seen := t.search.highlight(t.st, lines, min(from, to), to)
		for row := p.row; row < gap+len(lines) && len(out) < t.height; row++ {
			line := ""
			if row >= gap {
				line = t.line(p.block, row-gap, seen[row-gap-from])
			}
			out = append(out, line)
		}
	}
	for len(out) < t.height {
		out = append(out, "")
	}
	return out
}

// line draws line i of a block with its margin, which contains the focus marker.
func (t *Transcript) line(number, i int, line string) string {
	if !t.margin {
		return line
	}
	margin := " "
	current := t.search.found && t.search.position == position{number, i + t.gap(number)}
	if current || i == 0 && t.focused != nil && t.blocks[number] == t.focused {
		margin = t.st.Accent.Apply("›")
	}
	return margin + line
}
