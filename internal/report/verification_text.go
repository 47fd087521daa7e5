package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/trace"
)

// maxShownNumbers is how many numbers are listed for people; JSON has all.
const maxShownNumbers = 50

// String is what people read. What the files hold is made harmless.
func (v *Verification) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d figures traced\n", v.Name, v.Traced, v.Total)
	fmt.Fprintf(&b, "written %s by nfa %s\n", v.WrittenAt, v.Program)
	if v.Unchanged {
		b.WriteString("not changed since it was written\n")
	} else {
		b.WriteString("! changed since it was written\n")
	}
	v.printNumbers(&b)
	for _, c := range v.Calls {
		if c.How != howRecorded {
			c.print(&b)
		}
	}
	v.printNotRerun(&b)
	if v.Same {
		b.WriteString("all figures are traced, and nothing differs\n")
	}
	return markdown.Sanitize(b.String())
}

// printNumbers lists what is wrong with the numbers of the report.
func (v *Verification) printNumbers(b *strings.Builder) {
	shown := 0
	line := func(n VerifiedNumber, what string) {
		if shown++; shown <= maxShownNumbers {
			fmt.Fprintf(b, "! line %d: %s %s\n", n.Line, markdown.SanitizeLine(n.Text), what)
		}
	}
	for _, n := range v.Numbers {
		if !n.Sound {
			line(n, problemText(n))
		}
	}
	for _, n := range v.Missing {
		line(n, "was there when it was written, and is gone")
	}
	if shown > maxShownNumbers {
		fmt.Fprintf(b, "! and %d more; --json lists all\n", shown-maxShownNumbers)
	}
}

// problemText says what is wrong with a number.
func problemText(n VerifiedNumber) string {
	traced := string(trace.Traced)
	switch {
	case n.Recorded == "" && n.Status == traced:
		return fmt.Sprintf("came in since; it fits the figure of note %d", n.Note)
	case n.Recorded == "":
		return "came in since, and goes back to no figure on record"
	case n.Recorded == traced:
		return "does not fit its figure on record"
	case n.Recorded == string(trace.Contradicted):
		return fmt.Sprintf("is not what the tool gave: note %d", n.Note)
	}
	return "goes back to no tool"
}

// print writes a call that was made again.
func (c VerifiedCall) print(b *strings.Builder) {
	same := 0
	for _, f := range c.Figures {
		if f.Same {
			same++
		}
	}
	mark := " "
	if same < len(c.Figures) {
		mark = "!"
	}
	fmt.Fprintf(b, "%s %s %s: %s, %d of %d figures the same\n", mark, markdown.SanitizeLine(c.Tool), markdown.SanitizeLine(toolkit.Abbreviate(c.Arguments)), c.How, same, len(c.Figures))
	if c.Error != "" {
		fmt.Fprintf(b, "!   %s\n", markdown.SanitizeLine(c.Error))
	}
	for _, f := range c.Figures {
		if !f.Same && c.Error == "" {
			fmt.Fprintf(b, "!   note %d: %s\n", f.Note, difference(f))
		}
	}
}

func difference(f ComparedFigure) string {
	previous := markdown.SanitizeLine(strings.TrimSpace(f.Label + " was " + f.Was + " " + f.Unit))
	if f.Now == "" {
		return previous + ", is not given now"
	}
	return previous + ", is " + f.Now + " now"
}

// printNotRerun says of which tools the figures were taken as recorded.
func (v *Verification) printNotRerun(b *strings.Builder) {
	var names []string
	count := 0
	for _, c := range v.Calls {
		if c.How != howRecorded {
			continue
		}
		count += len(c.Notes)
		if name := markdown.SanitizeLine(toolkit.Abbreviate(c.Tool)); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if count == 0 {
		return
	}
	fmt.Fprintf(b, "  %d figures taken as recorded, not asked for again (%s)\n", count, strings.Join(names[:min(len(names), 10)], ", "))
}
