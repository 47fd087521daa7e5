package world

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/workspace"
)

// Bounds of what is compared and shown.
const (
	longestCompared = longestReport + longestReport/2 // bytes of a file
	mostCompared    = 4 << 20                         // pairs of lines that differ somewhere
	mostChanged     = 200                             // lines shown
	longestChanged  = 400                             // characters of one of them
	around          = 3                               // lines without a change beside one
)

// before is the text of a file that is about to be replaced; it is not ok where
// that is too long to be compared, or no text.
func (r reports) before(path string) (text string, ok bool) {
	var b strings.Builder
	for offset := int64(0); ; {
		piece, err := r.files.Read(path, offset, workspace.ChunkSize)
		if err != nil || piece.Size > longestCompared || b.Len() > longestCompared {
			return "", false
		}
		b.WriteString(piece.Text)
		if offset = piece.Next; offset == 0 {
			return b.String(), true
		}
	}
}

// edit is a line that stays (blank), goes (-) or comes (+).
type edit struct {
	sign byte
	text string
}

// changes are the lines of a unified diff from one text to the other, at most
// mostChanged and a last one that counts the rest. Texts that are alike have none.
func changes(before, after string) []string {
	edits := compare(strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n"))
	var out []string
	for _, h := range hunks(edits) {
		out = append(out, h.head(edits))
		for _, e := range edits[h.from:h.to] {
			out = append(out, e.lines()...)
		}
	}
	if left := len(out) - mostChanged; left > 0 {
		out = append(out[:mostChanged], fmt.Sprintf("(%d more lines of changes are not shown)", left))
	}
	return out
}

// lines is the edit as it is shown.
func (e edit) lines() []string {
	text, ended := strings.CutSuffix(e.text, "\n")
	if shown := []rune(text); len(shown) > longestChanged {
		text = fmt.Sprintf("%s … and %d more characters", string(shown[:longestChanged]), len(shown)-longestChanged)
	}
	out := []string{string(e.sign) + text}
	if !ended {
		out = append(out, "(no line break at the end)")
	}
	return out
}

// compare finds the fewest lines that go and come. Where that would take long, all
// lines between the common beginning and the common end do.
func compare(a, b []string) []edit {
	a, b = withoutEmptyEnd(a), withoutEmptyEnd(b)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	edits := make([]edit, 0, len(a)+len(b)-head-tail)
	put := func(sign byte, lines ...string) {
		for _, line := range lines {
			edits = append(edits, edit{sign, line})
		}
	}
	put(' ', a[:head]...)
	old, made := a[head:len(a)-tail], b[head:len(b)-tail]
	common := longestCommon(old, made)
	for i, j := 0, 0; i < len(old) || j < len(made); {
		switch {
		case common != nil && i < len(old) && j < len(made) && old[i] == made[j]:
			put(' ', old[i])
			i, j = i+1, j+1
		case i < len(old) && (common == nil || j == len(made) || common[i+1][j] >= common[i][j+1]):
			put('-', old[i])
			i++
		default:
			put('+', made[j])
			j++
		}
	}
	put(' ', a[len(a)-tail:]...)
	return edits
}

// withoutEmptyEnd drops what SplitAfter has behind a last line break.
func withoutEmptyEnd(lines []string) []string {
	if n := len(lines); n > 0 && lines[n-1] == "" {
		return lines[:n-1]
	}
	return lines
}

// longestCommon is the table of the longest common subsequences of the ends of a and
// b, or nil where it would be too large.
func longestCommon(a, b []string) [][]int32 {
	if len(a)*len(b) > mostCompared {
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

// hunk is a range of edits that is shown.
type hunk struct{ from, to int }

// hunks are the changes with the lines around them; those that meet are one.
func hunks(edits []edit) []hunk {
	var out []hunk
	for i, e := range edits {
		if e.sign == ' ' {
			continue
		}
		from, to := max(i-around, 0), min(i+1+around, len(edits))
		if n := len(out); n > 0 && from <= out[n-1].to {
			out[n-1].to = to
		} else {
			out = append(out, hunk{from, to})
		}
	}
	return out
}

// head says where a hunk is in both files.
func (h hunk) head(edits []edit) string {
	count := func(edits []edit, without byte) (n int) {
		for _, e := range edits {
			if e.sign != without {
				n++
			}
		}
		return n
	}
	side := func(without byte) string {
		start, length := count(edits[:h.from], without)+1, count(edits[h.from:h.to], without)
		if length == 0 {
			start--
		}
		return fmt.Sprintf("%d,%d", start, length)
	}
	return "@@ -" + side('+') + " +" + side('-') + " @@"
}
