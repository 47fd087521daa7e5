package importer

import "strings"

// separatorSample is how much of a file is looked at, in lines.
const separatorSample = 60

// Separator finds what stands between the cells: a comma, semicolon, tab or bar. It
// is the one that most lines have equally often, so that prose above a table and
// decimal commas within it do not count. A file without any has a comma.
func (f File) Separator() rune {
	lines := f.firstLines(separatorSample)
	if len(lines) > 0 {
		if sep := separatorDirective(lines[0]); sep != 0 {
			return sep
		}
	}
	best, bestScore := ',', 0
	// Of two that are as even, the comma is the likelier to be in numbers and words.
	for _, sep := range []rune{'\t', ';', '|', ','} {
		if score := separatorScore(lines, byte(sep)); score > bestScore {
			best, bestScore = sep, score
		}
	}
	return best
}

// separatorScore weighs the lines in which sep stands equally often by how often.
func separatorScore(lines []string, sep byte) int {
	with := map[int]int{}
	for _, line := range lines {
		if n := outsideQuotes(line, sep); n > 0 {
			with[n]++
		}
	}
	best := 0
	for n, count := range with {
		best = max(best, n*count)
	}
	return best
}

func outsideQuotes(line string, sep byte) int {
	n, quoted := 0, false
	for i := range len(line) {
		switch {
		case line[i] == '"' && (quoted || mayOpenQuote(line, i)):
			quoted = !quoted
		case line[i] == sep && !quoted:
			n++
		}
	}
	return n
}

// mayOpenQuote reports whether a mark at i stands where a cell may begin, unlike that of
// five inches.
func mayOpenQuote(text string, i int) bool {
	return i == 0 || strings.IndexByte(",;\t|\n\r \"", text[i-1]) >= 0
}

// firstLines is the first lines that are not blank; a newline within quotes does not end
// one.
func (f File) firstLines(most int) []string {
	var lines []string
	text := f.Text[:min(len(f.Text), maxRowSize)]
	start, quoted := 0, false
	for i := 0; i <= len(text) && len(lines) < most; i++ {
		if i < len(text) && text[i] == '"' && (quoted || mayOpenQuote(text, i)) {
			quoted = !quoted
		}
		if i < len(text) && (quoted || text[i] != '\n' && text[i] != '\r') {
			continue
		}
		if line := text[start:i]; trimCell(line) != "" {
			lines = append(lines, line)
		}
		start = i + 1
	}
	return lines
}

// separatorDirective reads the line by which programs tell a spreadsheet the separator; 0
// where it is none.
func separatorDirective(line string) rune {
	line = strings.TrimSuffix(line, "\r")
	if len(line) == len("sep=,") && strings.EqualFold(line[:4], "sep=") {
		return rune(line[4])
	}
	return 0
}
