package portfolio

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"
)

const (
	idAlphabet   = "0123456789abcdefghjkmnpqrstvwxyz" // without i, l, o and u, which look like digits or v
	timeLength   = 7                                  // seconds until the year 3058
	randomLength = 8                                  // 40 bits
)

// NewIDs returns n transaction IDs such as "1r6x8e2m4kq0zt9". IDs sort by recording time and,
// within one call, in order. Their last part counts up from a number read from random, usually
// crypto/rand.Reader, so that two processes do not produce the same IDs.
func NewIDs(now time.Time, random io.Reader, n int) ([]string, error) {
	var seed [8]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, fmt.Errorf("new ID: %w", err)
	}
	// Start in the lower half of the range, so that counting up cannot overflow.
	first := binary.BigEndian.Uint64(seed[:]) & (1<<(5*randomLength-1) - 1)
	ids := make([]string, n)
	for i := range ids {
		ids[i] = encodeID(uint64(now.Unix()), timeLength) + encodeID(first+uint64(i), randomLength)
	}
	return ids, nil
}

func encodeID(number uint64, n int) string {
	text := make([]byte, n)
	for i := n - 1; i >= 0; i-- {
		text[i] = idAlphabet[number&31]
		number >>= 5
	}
	return string(text)
}
