package importer

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// TableOptions are how a table is written.
type TableOptions struct {
	// Comma stands between cells; 0 has it found by Separator.
	Comma rune
	// Lazy takes a quotation mark within a quoted cell for a part of its text where
	// no separator follows, as programs write that do not double them.
	Lazy bool
}

// Rows splits the file into rows of cells as RFC 4180 has it; rows may differ in
// length. Lines without any cell are left out, and so is a first line that only
// names the separator ("sep=;"). A comma of 0 is found by Separator. Quotation
// marks that do not match yield ErrQuote with the line.
func (f File) Rows(comma rune) ([]Row, error) { return f.RowsWith(TableOptions{Comma: comma}) }

// RowsWith is Rows with everything that can be said of how a table is written.
func (f File) RowsWith(o TableOptions) ([]Row, error) {
	if o.Comma == 0 {
		o.Comma = f.Separator()
	}
	if o.Comma == '"' || o.Comma == '\n' || o.Comma == '\r' || !utf8.ValidRune(o.Comma) {
		return nil, fmt.Errorf("a table cannot be separated by %q", o.Comma)
	}
	s := rowScanner{text: f.Text, comma: string(o.Comma), lazy: o.Lazy, line: 1}
	if first, _, _ := strings.Cut(f.Text, "\n"); separatorDirective(first) != 0 {
		s.skipLine()
	}
	var rows []Row
	for read := 0; s.at < len(s.text); {
		if s.newline() {
			continue
		}
		row, err := s.next()
		if read++; err == nil && read > MaxRows {
			err = fmt.Errorf("%w: more than %d rows; export it in parts, which may overlap", ErrTooLarge, MaxRows)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", f.Name, row.Line, err)
		}
		if len(row.Cells) > 1 || trimCell(row.Cells[0]) != "" {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// rowScanner walks through a text once.
type rowScanner struct {
	text, comma string
	lazy        bool
	at, line    int
	width       int // cells of the row before: rows of a table are as wide
}

func (s *rowScanner) next() (Row, error) {
	row := Row{Line: s.line, Cells: make([]string, 0, s.width)}
	defer func() { s.width = len(row.Cells) }()
	begin := s.at
	for {
		cell, err := s.cell()
		if err != nil {
			return row, err
		}
		row.Cells = append(row.Cells, cell)
		switch {
		case len(row.Cells) > maxCells:
			return row, fmt.Errorf("%w: a row of more than %d cells", ErrTooLarge, maxCells)
		case s.at-begin > maxRowSize:
			return row, fmt.Errorf("%w: a row of more than %d KB", ErrTooLarge, maxRowSize>>10)
		case s.newline() || s.at >= len(s.text):
			return row, nil
		}
		s.at += len(s.comma)
	}
}

// cell reads up to the separator or the end of the line, and stops before it.
func (s *rowScanner) cell() (string, error) {
	start := s.at
	for start < len(s.text) && s.text[start] == ' ' {
		start++
	}
	if start < len(s.text) && s.text[start] == '"' {
		s.at = start + 1
		return s.quoted()
	}
	end := s.plainEnd(s.at)
	cell := s.text[s.at:end]
	s.at = end
	return cell, nil
}

// plainEnd is where the separator or a newline stands next.
func (s *rowScanner) plainEnd(from int) int {
	for i := from; i < len(s.text); i++ {
		c := s.text[i]
		if c == '\n' || c == '\r' || c == s.comma[0] && strings.HasPrefix(s.text[i:], s.comma) {
			return i
		}
	}
	return len(s.text)
}

// quoted reads a cell after its opening mark. Doubled marks stand for one, and
// lines end with a newline alone, however the file ends them.
func (s *rowScanner) quoted() (string, error) {
	var b strings.Builder
	opened, piece := s.at, s.at
	for s.at < len(s.text) {
		if s.at-opened > maxRowSize {
			return "", fmt.Errorf("%w: a quotation mark opens that is not closed within %d KB", ErrQuote, maxRowSize>>10)
		}
		switch c := s.text[s.at]; {
		case c == '\n' || c == '\r':
			b.WriteString(s.text[piece:s.at])
			b.WriteByte('\n')
			s.newline()
			piece = s.at
		case c != '"':
			s.at++
		case strings.HasPrefix(s.text[s.at+1:], `"`):
			b.WriteString(s.text[piece : s.at+1])
			s.at += 2
			piece = s.at
		case s.closesCell():
			cell := s.text[piece:s.at]
			s.skipBlanks()
			if b.Len() == 0 {
				return cell, nil
			}
			return b.String() + cell, nil
		case s.lazy:
			s.at++
		default:
			return "", fmt.Errorf("%w: text follows a closing mark", ErrQuote)
		}
	}
	return "", fmt.Errorf("%w: one is opened and never closed", ErrQuote)
}

// closesCell reports whether the mark here ends its cell: blanks aside, a separator, a
// newline or the end of the file follows.
func (s *rowScanner) closesCell() bool {
	i := s.at + 1
	for i < len(s.text) && s.text[i] == ' ' {
		i++
	}
	return i == len(s.text) || s.text[i] == '\n' || s.text[i] == '\r' || strings.HasPrefix(s.text[i:], s.comma)
}

func (s *rowScanner) skipBlanks() {
	s.at++
	for s.at < len(s.text) && s.text[s.at] == ' ' {
		s.at++
	}
}

// newline steps over the end of a line, of one or two characters, if one is here.
func (s *rowScanner) newline() bool {
	if s.at >= len(s.text) {
		return false
	}
	switch {
	case strings.HasPrefix(s.text[s.at:], "\r\n"):
		s.at += 2
	case s.text[s.at] == '\n' || s.text[s.at] == '\r':
		s.at++
	default:
		return false
	}
	s.line++
	return true
}

func (s *rowScanner) skipLine() {
	for s.at < len(s.text) && !s.newline() {
		s.at++
	}
}

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
