package importer

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// TableOptions define how a table is written.
type TableOptions struct {
	// Comma is the cell separator; 0 means automatic, see Separator.
	Comma rune
	// Lazy treats a quotation mark within a quoted cell as text if no separator follows, for
	// programs that do not double quotation marks.
	Lazy bool
}

// Rows splits the file into rows of cells as in RFC 4180, except that rows may differ in length. It
// skips empty lines and a first line that only names the separator ("sep=;"). With comma 0 it uses
// Separator. Mismatched quotation marks yield ErrQuote with the line.
func (f File) Rows(comma rune) ([]Row, error) { return f.RowsWith(TableOptions{Comma: comma}) }

// RowsWith works like Rows with all options.
func (f File) RowsWith(o TableOptions) ([]Row, error) {
	if o.Comma == 0 {
		o.Comma = f.Separator()
	}
	if o.Comma == '"' || o.Comma == '\n' || o.Comma == '\r' || !utf8.ValidRune(o.Comma) {
		return nil, fmt.Errorf("%q cannot be a separator", o.Comma)
	}
	s := rowScanner{text: f.Text, comma: string(o.Comma), lazy: o.Lazy, line: 1}
	if first, _, _ := strings.Cut(f.Text, "\n"); separatorDirective(first) != 0 {
		s.at = len(first)
	}
	var rows []Row
	for read := 0; s.at < len(s.text); {
		if s.newline() {
			continue
		}
		row, err := s.next()
		if read++; err == nil && read > MaxRows {
			err = fmt.Errorf("%w: more than %d rows; export smaller periods (they may overlap)", ErrTooLarge, MaxRows)
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

// rowScanner reads a text in one pass.
type rowScanner struct {
	text, comma string
	lazy        bool
	at, line    int
	width       int // cells of the previous row, as a size hint
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
			return row, fmt.Errorf("%w: more than %d cells in a row", ErrTooLarge, maxCells)
		case s.at-begin > maxRowSize:
			return row, fmt.Errorf("%w: row is longer than %d KB", ErrTooLarge, maxRowSize>>10)
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
	return s.plain(), nil
}

// plain reads up to the separator or the end of the line.
func (s *rowScanner) plain() string {
	begin := s.at
	for ; s.at < len(s.text); s.at++ {
		if c := s.text[s.at]; c == '\n' || c == '\r' || c == s.comma[0] && strings.HasPrefix(s.text[s.at:], s.comma) {
			break
		}
	}
	return s.text[begin:s.at]
}

// quoted reads a cell after its opening quotation mark. Doubled marks become one, and line ends
// become newlines.
func (s *rowScanner) quoted() (string, error) {
	var b strings.Builder
	opened, piece := s.at, s.at
	for s.at < len(s.text) {
		if s.at-opened > maxRowSize {
			return "", fmt.Errorf("%w: no closing quotation mark within %d KB", ErrQuote, maxRowSize>>10)
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
			for s.at++; s.at < len(s.text) && s.text[s.at] == ' '; s.at++ {
			}
			if b.Len() == 0 {
				return cell, nil
			}
			return b.String() + cell, nil
		case s.lazy:
			s.at++
		default:
			// As spreadsheet programs read it: "Date downloaded" 12/31/2021 is one cell.
			head := b.String() + s.text[piece:s.at]
			s.at++
			rest := s.plain()
			if strings.Contains(rest, `"`) {
				return "", fmt.Errorf("%w: text after a closing quotation mark", ErrQuote)
			}
			return head + rest, nil
		}
	}
	return "", fmt.Errorf("%w: missing closing quotation mark", ErrQuote)
}

// closesCell reports whether the quotation mark here ends its cell: after optional spaces, a
// separator, a newline or the end of the file follows.
func (s *rowScanner) closesCell() bool {
	i := s.at + 1
	for i < len(s.text) && s.text[i] == ' ' {
		i++
	}
	return i == len(s.text) || s.text[i] == '\n' || s.text[i] == '\r' || strings.HasPrefix(s.text[i:], s.comma)
}

// newline skips a line end of one or two characters, if one is here.
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

// separatorSample is the number of rows examined for the separator.
const separatorSample = 60

// Separator finds the cell separator: a comma, semicolon, tab or bar. It chooses the one with the
// same count in the most rows, so that text above a table and decimal commas do not matter. The
// default is a comma.
func (f File) Separator() rune {
	text := f.Text[:min(len(f.Text), maxRowSize)]
	first, _, _ := strings.Cut(text, "\n")
	if sep := separatorDirective(first); sep != 0 {
		return sep
	}
	best, bestScore := ',', 0
	// On a tie, the comma loses because it also occurs in numbers and words.
	for _, sep := range []rune{'\t', ';', '|', ','} {
		s := rowScanner{text: text, comma: string(sep), lazy: true}
		rows := map[int]int{} // number of rows by count of separators
		for n := 0; n < separatorSample && s.at < len(text); {
			if s.newline() {
				continue
			}
			row, err := s.next()
			if err != nil {
				break
			}
			n++
			separators := len(row.Cells) - 1
			if rows[separators]++; separators*rows[separators] > bestScore {
				best, bestScore = sep, separators*rows[separators]
			}
		}
	}
	return best
}

// separatorDirective parses a line such as "sep=;", which tells spreadsheets the separator. It returns 0
// for other lines.
func separatorDirective(line string) rune {
	line = strings.TrimSuffix(line, "\r")
	if len(line) == len("sep=,") && strings.EqualFold(line[:4], "sep=") {
		return rune(line[4])
	}
	return 0
}
