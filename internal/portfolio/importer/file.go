package importer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxFileSize is the largest file that is read, in bytes.
const MaxFileSize = 64 << 20

// MaxRows is how many rows a file has at most, and how many elements a list of JSON:
// far above what any broker writes. Each takes more memory than its text, so that a
// file of the shortest ones would take a hundred times its size.
const MaxRows = 1 << 20

// Bounds of one row.
const (
	maxCells   = 4096
	maxRowSize = 1 << 20 // bytes
)

// What the errors of reading a file mean.
var (
	ErrTooLarge  = errors.New("file too large")
	ErrBinary    = errors.New("not a text file")
	ErrTruncated = errors.New("file cut short")
	// ErrQuote means that a quotation mark is opened and never closed, or closed in
	// the middle of a cell.
	ErrQuote = errors.New("quotation marks do not match")
)

// File is a file as text.
type File struct {
	Name     string // without its folder
	Text     string // UTF-8, without a mark at its beginning
	Encoding string // what it was: "UTF-8", "UTF-16LE", "Windows-1252"
}

// Row is one record of a table.
type Row struct {
	Line  int // of its first character, counted from 1
	Cells []string
	// Source is how it is written in a file that is no table; empty for rows of tables.
	Source string `json:"-"`
}

// Empty reports whether nothing is written in any cell.
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

// At is the cell of a column counted from 0, trimmed; empty where the row ends
// before it.
func (r Row) At(column int) string {
	if column < 0 || column >= len(r.Cells) {
		return ""
	}
	return trimCell(r.Cells[column])
}

// Text is the row on one line, shortened, for people to find it again.
func (r Row) Text() string {
	if r.Source != "" {
		return Shorten(r.Source)
	}
	return Shorten(strings.Join(r.Cells, ", "))
}

// identity is what tells a row without a number from others.
func (r Row) identity() []string {
	if r.Source != "" {
		return []string{r.Source}
	}
	return r.Cells
}

// Decode makes text of raw: UTF-8 or UTF-16 with or without a mark at the
// beginning, and Windows-1252 where it is neither. What is no text yields
// ErrBinary, which says what it is where that is known; a file that ends within a
// character yields ErrTruncated.
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

func decodeText(raw []byte) (string, string, error) {
	switch {
	case bytes.HasPrefix(raw, []byte{0xEF, 0xBB, 0xBF}):
		raw = raw[3:]
	case bytes.HasPrefix(raw, []byte{0xFF, 0xFE}):
		return decodeUTF16(raw[2:], binary.LittleEndian, "UTF-16LE")
	case bytes.HasPrefix(raw, []byte{0xFE, 0xFF}):
		return decodeUTF16(raw[2:], binary.BigEndian, "UTF-16BE")
	case zerosOnly(raw, 1):
		return decodeUTF16(raw, binary.LittleEndian, "UTF-16LE")
	case zerosOnly(raw, 0):
		return decodeUTF16(raw, binary.BigEndian, "UTF-16BE")
	}
	if utf8.Valid(raw) {
		return string(raw), "UTF-8", nil
	}
	if cutInRune(raw) {
		return "", "", fmt.Errorf("%w: it ends in the middle of a character; export it again", ErrTruncated)
	}
	return decodeWindows1252(raw), "Windows-1252", nil
}

// binaryKind names the kinds of file that are often given in the place of a table.
func binaryKind(raw []byte) string {
	for _, kind := range []struct{ magic, what string }{
		{"PK\x03\x04", "it is an Excel or zip file; export or save it as CSV"},
		{"\xD0\xCF\x11\xE0", "it is an old Excel file; save it as CSV"},
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

// zerosOnly reports whether raw looks like UTF-16 without a mark: zeros at the
// bytes of one parity, in a good part of them, and none at the other.
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

func decodeUTF16(raw []byte, order binary.ByteOrder, name string) (string, string, error) {
	if len(raw)%2 != 0 {
		return "", "", fmt.Errorf("%w: it ends in the middle of a character; export it again", ErrTruncated)
	}
	var b strings.Builder
	b.Grow(len(raw) / 2)
	for i := 0; i < len(raw); i += 2 {
		r := rune(order.Uint16(raw[i:]))
		if utf16.IsSurrogate(r) && i+4 <= len(raw) {
			if pair := utf16.DecodeRune(r, rune(order.Uint16(raw[i+2:]))); pair != utf8.RuneError {
				r, i = pair, i+2
			}
		}
		b.WriteRune(r) // a surrogate alone becomes U+FFFD
	}
	return b.String(), name, nil
}

// cutInRune reports whether raw is UTF-8 up to a last character that is not whole.
// One whole character beyond ASCII is asked for before it: in Windows-1252 too the
// last byte may be an accented letter.
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

// decodeWindows1252 is Windows-1252, which is Latin-1 with letters and signs in the place of
// most control characters from 0x80 to 0x9F.
func decodeWindows1252(raw []byte) string {
	const high = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"
	table := []rune(high)
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/8)
	for _, c := range raw {
		if c >= 0x80 && c <= 0x9F {
			b.WriteRune(table[c-0x80])
			continue
		}
		b.WriteRune(rune(c))
	}
	return b.String()
}

// baseName drops the folders of Unix and of Windows, whichever machine this is.
func baseName(name string) string {
	return name[strings.LastIndexAny(name, `/\`)+1:]
}
