package trace

import (
	"sort"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// document is a text parsed as Markdown. Offsets are bytes in text.
type document struct {
	source string
	text   string // source with wide digits, minus signs and similar characters as ASCII
	origin []int  // offset in source of each byte of text, and the length of source at the end
	masks  []mask
	cells  []cell

	decimalComma bool // decimals are written with a comma
}

// mask is a part of a text whose numbers are not figures. Masks are in text order.
type mask struct {
	start, end int
	class      Class
}

// column is a column of a table.
type column struct {
	head string
	unit columnUnit
}

// cell is a table cell with the text of its row's first cell. Cells are in text order.
type cell struct {
	*column
	row        string
	corner     string // the header of the first column, which may give the unit of the table
	start, end int
}

// readDocument parses a text as Markdown. With quoted, numbers in code and headings count too.
func readDocument(source string, quoted bool) *document {
	d := &document{source: source, origin: make([]int, 0, len(source)+1)}
	var text strings.Builder
	text.Grow(len(source))
	for i, r := range source {
		text.WriteRune(foldRune(r))
		for len(d.origin) < text.Len() {
			d.origin = append(d.origin, i)
		}
	}
	d.text, d.origin = text.String(), append(d.origin, len(source))
	d.decimalComma = d.hasDecimalComma()
	d.readLines(quoted)
	return d
}

// foldRune returns the ASCII form of a rune, if it has one.
func foldRune(r rune) rune {
	switch {
	case r < 0x80:
		return r
	case r >= '０' && r <= '９', r >= 'Ａ' && r <= 'Ｚ', r >= 'ａ' && r <= 'ｚ':
		return r - 0xFEE0
	}
	switch r {
	case '−', '－', '﹣':
		return '-'
	case '＋':
		return '+'
	case '％', '﹪':
		return '%'
	case '．':
		return '.'
	case '（':
		return '('
	case '）':
		return ')'
	case '：':
		return ':'
	case '／':
		return '/'
	case '＄':
		return '$'
	case '￥':
		return '¥'
	case '’':
		return '\''
	case '～', '〜', '∼':
		return '~'
	case '\u202f', '\u2009', '\u2007':
		return '\u00a0' // spaces that keep a number together
	case '×':
		return 'x'
	}
	return r
}

// decimalCommaPattern matches a number that can only have a decimal comma: 1.234,56 or 1 234,56 or
// 3,5 %.
var decimalCommaPattern = lazyregexp.New(`\d[. \x{a0}]\d{3},(?:\d\d?|\d{4,})(?:[^\d.,]|$)|(?:^|[^\d.,])\d+,(?:\d\d?|\d{4,})[ \x{a0}]?[%€]`)

// hasDecimalComma reports whether a number of the text has a decimal comma. The pattern is slow: the
// text is searched only if one, two or more than three digits follow the comma of a number.
func (d *document) hasDecimalComma() bool {
	for i := 1; i < len(d.text); i++ {
		if d.text[i] != ',' || !d.digitAt(i-1) {
			continue
		}
		end := i + 1
		for d.digitAt(end) {
			end++
		}
		if digits := end - i - 1; digits == 1 || digits == 2 || digits > 3 {
			return decimalCommaPattern().MatchString(d.text)
		}
	}
	return false
}

var (
	fencePattern    = lazyregexp.New("^ {0,3}(?:```[^`]*|~~~.*)$")
	headingPattern  = lazyregexp.New(`^ {0,3}#{1,6}(?: |$)`)
	footnotePattern = lazyregexp.New(`^[ \t>*+-]*\[\^[^\]]*\]:`)
	// listPattern matches the number of a list item: "1. ", "2)", "(3) ", "4、".
	listPattern = lazyregexp.New(`^(?:[ \t>]|[-*+] )*\**(\d{1,3}(?:、|[.)])|\(\d\d?\))(?:[ *]\D|\p{Han})`)
	// inlinePattern matches code, footnote references, link targets, comments and addresses.
	inlinePattern = lazyregexp.New("```.*?```|``.*?``|`[^`]*`|\\[\\^[^\\]]{1,22}\\]|\\]\\([^)]*\\)|<!--.*?-->|(?:[a-zA-Z]*://|\\bwww\\.)[^ \\t<>\"')\\]|，。；`]*")
	// bareNumberPattern matches code that has only numbers with signs and units, which are
	// figures.
	bareNumberPattern = lazyregexp.New(`^[-+(~$€£¥\d][-+.,%$€£¥ '()~\x{a0}\d]*(?:[A-Za-z]{0,4}|\p{Han}*)$`)
)

// readLines masks fenced code, headings, list numbers and footnotes, and within lines code,
// addresses and links. It also collects the cells of tables.
func (d *document) readLines(quoted bool) {
	add := func(start, end int, class Class) {
		if !quoted || class != ClassCode && class != ClassHeading {
			d.masks = append(d.masks, mask{start, end, class})
		}
	}
	fence := ""
	var columns []*column
	for start := 0; start < len(d.text); {
		line, _, _ := strings.Cut(d.text[start:], "\n")
		end := start + len(line)
		mark := ""
		if fencePattern().MatchString(line) {
			mark = strings.TrimLeft(line, " ")[:3]
		}
		switch {
		case fence != "" || mark != "":
			add(start, end, ClassCode)
			if fence == "" {
				fence = mark
			} else if fence == mark {
				fence = ""
			}
		case headingPattern().MatchString(line):
			add(start, end, ClassHeading)
		case footnotePattern().MatchString(line):
			add(start, end, ClassPlace)
		default:
			if m := listPattern().FindStringSubmatchIndex(line); m != nil {
				add(start+m[2], start+m[3], ClassPlace)
			}
			if !strings.ContainsAny(line, "`[]<") && !strings.Contains(line, "://") && !strings.Contains(line, "www.") {
				break // nothing that the pattern matches
			}
			for _, m := range inlinePattern().FindAllStringIndex(line, -1) {
				class, span := ClassAddress, line[m[0]:m[1]]
				switch {
				case strings.HasPrefix(span, "[^"):
					class = ClassPlace
				case strings.HasPrefix(span, "<!--"):
					class = ClassCode
				case span[0] == '`' && bareNumberPattern().MatchString(strings.Trim(span, "` ")):
					continue
				case span[0] == '`':
					class = ClassCode
				}
				add(start+m[0], start+m[1], class)
			}
		}
		columns = d.readRow(start, line, columns)
		start = end + 1
	}
}

// maxName is the maximum number of bytes read from the header of a row or column.
const maxName = 120

// readRow collects the cells of a table row. The first row sets the columns; a line without cells
// ends the table.
func (d *document) readRow(start int, line string, columns []*column) []*column {
	if !strings.Contains(line, "|") {
		return nil
	}
	row := strings.TrimPrefix(strings.TrimLeft(line, " "), "|")
	at := start + len(line) - len(row)
	parts := strings.Split(row, "|")
	if columns == nil {
		columns = []*column{}
		for _, head := range parts {
			head = head[:min(len(head), maxName)]
			columns = append(columns, &column{head, columnUnitOf(head)})
		}
		return columns
	}
	name := parts[0][:min(len(parts[0]), maxName)]
	for i, part := range parts[:min(len(parts), len(columns))] {
		d.cells = append(d.cells, cell{columns[i], name, columns[0].head, at, at + len(part)})
		at += len(part) + 1
	}
	return columns
}

// cellAt returns the cell around i, or nil.
func (d *document) cellAt(i int) *cell {
	after := sort.Search(len(d.cells), func(k int) bool { return d.cells[k].start > i })
	if after == 0 || d.cells[after-1].end <= i {
		return nil
	}
	return &d.cells[after-1]
}

// maskAt returns why a number at i is not a figure, or "".
func (d *document) maskAt(i int) Class {
	after := sort.Search(len(d.masks), func(k int) bool { return d.masks[k].start > i })
	if after == 0 || d.masks[after-1].end <= i {
		return ""
	}
	return d.masks[after-1].class
}

// before returns the end of the line before i, at most 40 bytes.
func (d *document) before(i int) string {
	s := d.text[max(0, i-40):i]
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// after returns the line from i on, at most 64 bytes.
func (d *document) after(i int) string {
	s, _, _ := strings.Cut(d.text[i:min(len(d.text), i+64)], "\n")
	return s
}

// byteAt returns the byte at i, or a newline outside the text.
func (d *document) byteAt(i int) byte {
	if i < 0 || i >= len(d.text) {
		return '\n'
	}
	return d.text[i]
}

func (d *document) digitAt(i int) bool { return isDigit(d.byteAt(i)) }

// Number of bytes before and after a number, within its sentence, that may name it.
const (
	nearBefore = 120
	nearAfter  = 48
)

var formulaPattern = lazyregexp.New(`\d[^()]* (?:less|minus|plus|divided by|multiplied by|times|[-+/÷*=]) [^()]*\d`)

// inFormula reports whether a number is part of a computation in brackets: margin of 37% (53.0 / 143.0).
func (d *document) inFormula(n *Number) bool {
	before, after := d.before(n.from), d.after(n.to)
	open, end := strings.LastIndexByte(before, '('), strings.IndexByte(after, ')')
	return open >= 0 && end >= 0 && strings.IndexByte(before[open:], ')') < 0 && formulaPattern().MatchString(before[open:]+d.text[n.from:n.to]+after[:end])
}

// sentence returns the text from start to end, with the text before and after it in its sentence.
func (d *document) sentence(start, end int) (before, within, after string) {
	before = d.text[max(0, start-nearBefore):start]
	before = before[strings.LastIndexAny(before, "\n。；！？!?;")+1:]
	before = before[strings.LastIndex(before, ". ")+1:]
	after = d.text[end:min(len(d.text), end+nearAfter)]
	if i := strings.IndexAny(after, "\n。；！？!?;"); i >= 0 {
		after = after[:i]
	}
	after, _, _ = strings.Cut(after, ". ")
	return before, d.text[start:end], after
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

// isOneOf reports whether a word is in a list of words separated by spaces.
func isOneOf(word, list string) bool {
	if word == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(list[at:], word)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(word)
		if (i == 0 || list[i-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
		at = i + 1
	}
}
