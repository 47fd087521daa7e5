package importer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
)

// Fingerprint is a short name for a line to which the broker gives no number: equal
// for equal cells, blanks around them aside, and else different.
func Fingerprint(cells []string) string {
	h := sha256.New()
	var size [8]byte
	for _, cell := range cells {
		cell = trimCell(cell)
		// With its length before it, no cell can run into the next.
		binary.LittleEndian.PutUint64(size[:], uint64(len(cell)))
		h.Write(size[:])
		h.Write([]byte(cell))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// FingerprintCounter gives fingerprints that differ for equal lines of one file. The zero
// value is ready; each file needs its own.
type FingerprintCounter struct{ seen map[string]int }

// ID is the fingerprint of the cells, and "-2" behind it the second time, so that
// reading a file again gives every line the same name.
func (c *FingerprintCounter) ID(cells []string) string {
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	mark := Fingerprint(cells)
	c.seen[mark]++
	if n := c.seen[mark]; n > 1 {
		return mark + "-" + strconv.Itoa(n)
	}
	return mark
}

// maxShortText is what people need to find a line again, in characters.
const maxShortText = 120

// Shorten makes one line of a text, of at most 120 characters, without those that
// steer a terminal or the direction of writing.
func Shorten(text string) string {
	var b strings.Builder
	n, blank := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			blank = n > 0
			continue
		}
		if blank {
			b.WriteByte(' ')
			n, blank = n+1, false
		}
		if n >= maxShortText-1 {
			b.WriteString("…")
			break
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
