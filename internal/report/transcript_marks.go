package report

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/trace"
)

// The marks that follow a figure which no tool gave, and one of which a tool says
// otherwise.
const (
	transcriptUntracedMark     = " [untraced]"
	transcriptContradictedMark = " [contradicted]"
)

// markAnswer is an answer with its marks. The report is on the answer as it was given;
// one that is older than the places of figures only says which are not traced.
func markAnswer(text, original string, r *agent.FiguresReport) string {
	if len(r.Numbers) == 0 {
		return markUntraced(text, r.Untraced)
	}
	return strings.TrimSpace(trace.Annotate(original, r.Numbers, statusMark))
}

func statusMark(m trace.MatchedNumber) string {
	switch m.Status {
	case trace.Untraced:
		return transcriptUntracedMark
	case trace.Contradicted:
		return transcriptContradictedMark
	}
	return ""
}

// countLine is the line below an answer.
func countLine(r *agent.FiguresReport) string {
	text := fmt.Sprintf("%d of %d figures traced", r.Traced, r.Total)
	if r.Contradicted > 0 {
		text += fmt.Sprintf("; a tool says otherwise of %d", r.Contradicted)
	}
	return text
}

// markUntraced marks figures where they stand. They are given in the order of the
// text, so each is looked for after the one before it.
func markUntraced(text string, untraced []string) string {
	var b strings.Builder
	rest := text
	for _, figure := range untraced {
		end := endOf(rest, figure)
		if end < 0 {
			continue
		}
		b.WriteString(rest[:end] + transcriptUntracedMark)
		rest = rest[end:]
	}
	return b.String() + rest
}

// endOf is where a figure that stands alone ends in text, or -1: 5 is neither in
// 15 nor in 5.2.
func endOf(text, figure string) int {
	for at := 0; figure != ""; {
		i := strings.Index(text[at:], figure)
		if i < 0 {
			break
		}
		start, end := at+i, at+i+len(figure)
		if !continuesBefore(text[:start], figure[0]) && !continuesAfter(text[end:]) {
			return end
		}
		at = start + 1
	}
	return -1
}

// continuesBefore reports whether what stands before a figure belongs to a longer one.
func continuesBefore(before string, first byte) bool {
	if before == "" || !isDigit(first) {
		return false
	}
	last := before[len(before)-1]
	return isDigit(last) || (last == '.' || last == ',') && len(before) > 1 && isDigit(before[len(before)-2])
}

// continuesAfter reports whether what stands after a figure belongs to it.
func continuesAfter(after string) bool {
	if after == "" {
		return false
	}
	return isDigit(after[0]) || (after[0] == '.' || after[0] == ',') && len(after) > 1 && isDigit(after[1])
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
