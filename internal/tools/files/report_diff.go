package files

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
)

// These bounds limit what is compared and shown.
const (
	maxDiffBytes = maxReportBytes + maxReportBytes/2 // bytes of a file
	maxDiffPairs = 4 << 20                           // pairs of different lines
	diffContext  = 3                                 // unchanged lines shown around a change
)

// currentText returns the text of a file that is about to be replaced. ok is false if it is not
// text or too long to compare.
func (r reportWriter) currentText(path string) (text string, ok bool) {
	var b strings.Builder
	for offset := int64(0); ; {
		piece, err := r.files.Read(path, offset, ChunkSize)
		if err != nil || piece.Size > maxDiffBytes || b.Len() > maxDiffBytes {
			return "", false
		}
		b.WriteString(piece.Text)
		if offset = piece.Next; offset == 0 {
			return b.String(), true
		}
	}
}

// diffLine is a line that is unchanged (blank), removed (-) or added (+).
type diffLine struct {
	sign byte
	text string
}

// unifiedDiff returns the lines of a unified diff, complete. Equal texts have none.
func unifiedDiff(before, after string) []string {
	edits := diffLines(strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n"))
	var lines []string
	for _, h := range hunks(edits) {
		lines = append(lines, h.header(edits))
		for _, e := range edits[h.from:h.to] {
			lines = append(lines, e.lines()...)
		}
	}
	return lines
}

// lines formats the edit for display.
func (e diffLine) lines() []string {
	text, ended := strings.CutSuffix(e.text, "\n")
	out := []string{string(e.sign) + text}
	if !ended {
		out = append(out, "(no line break at the end)")
	}
	return out
}

// linesOf returns the lines of a text; a line break at the end begins no line.
func linesOf(text string) []string { return trimEmptyEnd(strings.Split(text, "\n")) }

// addedLines returns a new file as a diff.
func addedLines(text string) []string {
	lines := linesOf(text)
	for i := range lines {
		lines[i] = "+" + lines[i]
	}
	return lines
}

// countChanges returns how many lines a diff changes: "1 line removed, 2 added".
func countChanges(diff []string) string {
	removed, added := 0, 0
	for _, line := range diff {
		switch line[:1] {
		case "-":
			removed++
		case "+":
			added++
		}
	}
	return lineCount(removed) + " removed, " + humanize.Number(added) + " added"
}

func lineCount(n int) string { return humanize.Count(n, "line", "lines") }

// diffLines finds the smallest set of removed and added lines. If that would take too long, it
// replaces all lines between the common start and the common end.
func diffLines(a, b []string) []diffLine {
	a, b = trimEmptyEnd(a), trimEmptyEnd(b)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	edits := make([]diffLine, 0, len(a)+len(b)-head-tail)
	emit := func(sign byte, lines ...string) {
		for _, line := range lines {
			edits = append(edits, diffLine{sign, line})
		}
	}
	emit(' ', a[:head]...)
	old, added := a[head:len(a)-tail], b[head:len(b)-tail]
	common := commonSubsequences(old, added)
	for i, j := 0, 0; i < len(old) || j < len(added); {
		switch {
		case common != nil && i < len(old) && j < len(added) && old[i] == added[j]:
			emit(' ', old[i])
			i, j = i+1, j+1
		case i < len(old) && (common == nil || j == len(added) || common[i+1][j] >= common[i][j+1]):
			emit('-', old[i])
			i++
		default:
			emit('+', added[j])
			j++
		}
	}
	emit(' ', a[len(a)-tail:]...)
	return edits
}

// trimEmptyEnd removes the empty string that SplitAfter adds after a last line break.
func trimEmptyEnd(lines []string) []string {
	if n := len(lines); n > 0 && lines[n-1] == "" {
		return lines[:n-1]
	}
	return lines
}

// commonSubsequences returns the table of longest common subsequences of the ends of a and b, or
// nil if it would be too large.
func commonSubsequences(a, b []string) [][]int32 {
	if len(a)*len(b) > maxDiffPairs {
		return nil
	}
	table := make([][]int32, len(a)+1)
	for i := range table {
		table[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

// hunk is a range of edits to show.
type hunk struct{ from, to int }

// hunks groups changes with the lines around them. Groups that touch are merged.
func hunks(edits []diffLine) []hunk {
	var list []hunk
	for i, e := range edits {
		if e.sign == ' ' {
			continue
		}
		from, to := max(i-diffContext, 0), min(i+1+diffContext, len(edits))
		if n := len(list); n > 0 && from <= list[n-1].to {
			list[n-1].to = to
		} else {
			list = append(list, hunk{from, to})
		}
	}
	return list
}

// header formats the position of a hunk in both files.
func (h hunk) header(edits []diffLine) string {
	count := func(edits []diffLine, excluded byte) (n int) {
		for _, e := range edits {
			if e.sign != excluded {
				n++
			}
		}
		return n
	}
	side := func(excluded byte) string {
		start, length := count(edits[:h.from], excluded)+1, count(edits[h.from:h.to], excluded)
		if length == 0 {
			start--
		}
		return fmt.Sprintf("%d,%d", start, length)
	}
	return "@@ -" + side('+') + " +" + side('-') + " @@"
}
