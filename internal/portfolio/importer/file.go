package importer

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// MaxFileSize is the maximum file size, in bytes.
const MaxFileSize = 64 << 20

// MaxRows is the maximum number of rows of a file, or elements of a JSON list, far above any
// broker's export. The limit bounds memory, because very short rows take about a hundred times
// their file size.
const MaxRows = 1 << 20

// Limits of one row.
const (
	maxCells   = 4096
	maxRowSize = 1 << 20 // bytes
)

// Errors of reading a file.
var (
	ErrTooLarge  = errors.New("file too large")
	ErrBinary    = errors.New("not a text file")
	ErrTruncated = errors.New("file is truncated")
	// ErrQuote means that a quotation mark is not closed, or is closed in the middle of a cell.
	ErrQuote = errors.New("mismatched quotation marks")
)

// File is the decoded text of a file.
type File struct {
	Name     string // without folder
	Text     string // UTF-8, without a byte order mark
	Encoding string // original encoding, such as "UTF-8" or "Windows-1252"
}

// Row is one record of a table.
type Row struct {
	Line  int // of its first character, starting at 1
	Cells []string
	// Source is the original text, for files that are not tables; empty for rows of tables.
	Source string `json:"-"`
}

// Empty reports whether all cells are empty.
func (r Row) Empty() bool {
	if r.Source != "" {
		return false
	}
	for _, cell := range r.Cells {
		if trimCell(cell) != "" {
			return false
		}
	}
	return true
}

// At returns the trimmed cell of a column, counted from 0, or "" if the row is shorter.
func (r Row) At(column int) string {
	if column < 0 || column >= len(r.Cells) {
		return ""
	}
	return trimCell(r.Cells[column])
}

// Text returns the row on one line, shortened, for messages.
func (r Row) Text() string {
	if r.Source != "" {
		return Shorten(r.Source)
	}
	return Shorten(strings.Join(r.Cells, ", "))
}

// identity returns the cells that identify a row without a broker number.
func (r Row) identity() []string {
	if r.Source != "" {
		return []string{r.Source}
	}
	return r.Cells
}

// Decode decodes raw as UTF-8 or UTF-16, with or without a byte order mark; a Chinese or Japanese table as
// GB18030 or Shift JIS; and other files as Windows-1252, or Windows-1250 if they have Central European
// words. Binary data yields ErrBinary, with the file type if known; a file that ends within a character
// yields ErrTruncated.
func Decode(name string, raw []byte) (File, error) {
	f := File{Name: baseName(name)}
	if len(raw) > MaxFileSize {
		return File{}, fmt.Errorf("%s: %w: more than %d MB", f.Name, ErrTooLarge, MaxFileSize>>20)
	}
	if what := binaryKind(raw); what != "" {
		return File{}, fmt.Errorf("%s: %w: %s", f.Name, ErrBinary, what)
	}
	var err error
	f.Text, f.Encoding, err = decodeText(raw)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", f.Name, err)
	}
	if strings.ContainsRune(f.Text, 0) {
		return File{}, fmt.Errorf("%s: %w: it contains NUL characters", f.Name, ErrBinary)
	}
	return f, nil
}

func decodeText(raw []byte) (text, name string, err error) {
	switch {
	case bytes.HasPrefix(raw, []byte{0xEF, 0xBB, 0xBF}):
		raw = raw[3:]
	case bytes.HasPrefix(raw, []byte{0xFF, 0xFE}):
		return decodeUTF16(raw[2:], unicode.LittleEndian, "UTF-16LE")
	case bytes.HasPrefix(raw, []byte{0xFE, 0xFF}):
		return decodeUTF16(raw[2:], unicode.BigEndian, "UTF-16BE")
	case zerosOnly(raw, 1):
		return decodeUTF16(raw, unicode.LittleEndian, "UTF-16LE")
	case zerosOnly(raw, 0):
		return decodeUTF16(raw, unicode.BigEndian, "UTF-16BE")
	}
	if utf8.Valid(raw) {
		return string(raw), "UTF-8", nil
	}
	if cutInRune(raw) {
		return "", "", errCutShort
	}
	for _, e := range []struct {
		name string
		encoding.Encoding
	}{{"GB18030", simplifiedchinese.GB18030}, {"Shift_JIS", japanese.ShiftJIS}} {
		decoded, err := e.NewDecoder().String(string(raw))
		if err == nil && !strings.ContainsRune(decoded, utf8.RuneError) && hasAsianHeader(decoded) {
			return decoded, e.name, nil
		}
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(raw)
	if centralEuropean().Match(decoded) {
		decoded, err = charmap.Windows1250.NewDecoder().Bytes(raw)
		return string(decoded), "Windows-1250", err
	}
	return string(decoded), "Windows-1252", err
}

// centralEuropean matches words in Polish that were read as Western European: "Wp³ata", "Sprzeda¿".
var centralEuropean = lazyregexp.New(`\pL[³¹]\pL|\pL¿|\pLœ[æç]`)

// hasAsianHeader reports whether a table has known column names in Chinese or Japanese. They confirm its
// encoding, because most byte sequences are valid text in several encodings.
func hasAsianHeader(text string) bool {
	rows, err := (File{Text: text}).head().Rows(0)
	if err != nil {
		return false
	}
	_, columns, _ := findMappedHeader(rows, nil)
	return len(slices.DeleteFunc(columns.nonEmpty(), func(column string) bool { return column[0] < utf8.RuneSelf })) > 2
}

var errCutShort = fmt.Errorf("%w: it ends in the middle of a character; export it again", ErrTruncated)

func decodeUTF16(raw []byte, order unicode.Endianness, name string) (string, string, error) {
	if len(raw)%2 != 0 {
		return "", "", errCutShort
	}
	decoded, err := unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Bytes(raw)
	return string(decoded), name, err
}

// binaryKind recognizes file types that users often choose by mistake.
func binaryKind(raw []byte) string {
	for _, kind := range []struct{ magic, what string }{
		{"PK\x03\x04", "it is an Excel or zip file; export or save it as CSV"},
		{"\xD0\xCF\x11\xE0", "it is an Excel file (.xls); save it as CSV"},
		{"%PDF-", "it is a PDF; ask the broker for a CSV export"},
		{"\x1F\x8B", "it is compressed; unpack it first"},
		{"SQLite format 3\x00", "it is a database"},
	} {
		if bytes.HasPrefix(raw, []byte(kind.magic)) {
			return kind.what
		}
	}
	return ""
}

// zerosOnly reports whether raw looks like UTF-16 without a byte order mark: many zeros at bytes of
// one parity and none at the other.
func zerosOnly(raw []byte, parity int) bool {
	head := raw[:min(len(raw), 4096)&^1]
	zeros := 0
	for i, b := range head {
		if b != 0 {
			continue
		}
		if i%2 != parity {
			return false
		}
		zeros++
	}
	return len(head) >= 4 && zeros*4 > len(head)/2
}

// cutInRune reports whether raw is valid UTF-8 except for an incomplete last character. It requires
// an earlier non-ASCII character, because the last byte may also be an accented letter in
// Windows-1252.
func cutInRune(raw []byte) bool {
	for back := 1; back <= min(utf8.UTFMax-1, len(raw)); back++ {
		tail := raw[len(raw)-back:]
		if !utf8.RuneStart(tail[0]) {
			continue
		}
		head := raw[:len(raw)-back]
		return !utf8.FullRune(tail) && utf8.Valid(head) && bytes.ContainsFunc(head, func(r rune) bool { return r >= utf8.RuneSelf })
	}
	return false
}

// baseName removes Unix and Windows folders on any system.
func baseName(name string) string {
	return name[strings.LastIndexAny(name, `/\`)+1:]
}
