package repl

import (
	"bufio"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// The labels of messages. Only labels start at the first column.
const (
	labelYou       = "You: "
	labelAnswer    = "Answer: "
	labelField     = "Value: "
	labelAssistant = "Assistant: "
	labelTool      = "Tool: "
	labelApproval  = "Approval needed: "
	labelChart     = "Chart: "
	labelNotice    = "Notice: "
	labelError     = "Error: "
	labelSource    = "Source: "
	labelNotTraced = "Not traced: "
	labelProgram   = "nfa: "
	labelTry       = "Try: "
)

// continuationIndent precedes every line without a label.
const continuationIndent = "  "

// noWrapWidth is wider than any line, so that prose is not wrapped.
const noWrapWidth = 1 << 16

// lineWriter writes the lines of the chat. The first error stays in err, and nothing is written
// after it.
type lineWriter struct {
	to       *bufio.Writer
	lineOpen bool   // a label was written and its line waits for input
	label    string // of the latest text
	err      error
}

// say writes plain text after a label.
func (s *lineWriter) say(label, text string) {
	s.lines(label, strings.Split(strings.TrimRight(markdown.Sanitize(text), "\n"), "\n"))
}

// show writes Markdown after a label.
func (s *lineWriter) show(label, text string) {
	s.lines(label, renderProse(text))
}

// continueText writes Markdown as a new paragraph. It repeats the label only if the latest text had
// another one.
func (s *lineWriter) continueText(label, text string) {
	if s.label != label {
		s.show(label, text)
		return
	}
	if lines := renderProse(text); len(lines) > 0 {
		s.write("\n")
		s.rest(lines)
		s.flush()
	}
}

// ask writes a label and leaves its line open for input.
func (s *lineWriter) ask(label string) {
	s.endOpenLine()
	s.write(label)
	s.lineOpen, s.label = true, label
	s.flush()
}

// lineEntered notes that the input of an open line has arrived.
func (s *lineWriter) lineEntered() { s.lineOpen = false }

func (s *lineWriter) lines(label string, lines []string) {
	if len(lines) == 0 {
		return
	}
	s.endOpenLine()
	s.write(strings.TrimRight(label+lines[0], " ") + "\n")
	s.rest(lines[1:])
	s.label = label
	s.flush()
}

func (s *lineWriter) rest(lines []string) {
	for _, line := range lines {
		if line = strings.TrimRight(line, " "); line != "" {
			line = continuationIndent + line
		}
		s.write(line + "\n")
	}
}

// endOpenLine ends a line that waits for input.
func (s *lineWriter) endOpenLine() {
	if s.lineOpen {
		s.write("\n")
		s.lineOpen = false
	}
}

func (s *lineWriter) write(text string) {
	if s.err == nil {
		_, s.err = s.to.WriteString(text)
	}
}

func (s *lineWriter) flush() {
	if s.err == nil {
		s.err = s.to.Flush()
	}
}

// maxTableColumns is the number of columns above which the rows of a table are "label: value" lines,
// because a screen reader reads cells without their headers.
const maxTableColumns = 2

// renderProse renders Markdown without colors and without wrapping its lines.
func renderProse(text string) []string {
	lines := markdown.Render(text, markdown.Options{Width: noWrapWidth, MaxColumns: maxTableColumns, LabelsApart: true, Theme: markdown.PlainTheme()})
	longRule := strings.Repeat("─", 1<<10) // only a rule across the width is so long
	for i, line := range lines {
		// A screen reader would read every character of a rule.
		if at := strings.Index(line, longRule); at >= 0 {
			lines[i] = line[:at] + "---"
		}
	}
	first := slices.IndexFunc(lines, func(line string) bool { return strings.TrimSpace(line) != "" })
	return lines[max(first, 0):]
}
