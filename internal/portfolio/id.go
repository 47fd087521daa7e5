package portfolio

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"
)

const (
	idAlphabet   = "0123456789abcdefghjkmnpqrstvwxyz" // without those that are taken for digits
	timeLength   = 7                                  // seconds until the year 3058
	randomLength = 8                                  // 40 bits
)

// NewIDs names n transactions that are recorded now: "1r6x8e2m4kq0zt9". IDs sort by
// the moment of recording and, of one call, in order; the end of them begins at a
// random number from random, usually crypto/rand.Reader, so that two processes do
// not meet.
func NewIDs(now time.Time, random io.Reader, n int) ([]string, error) {
	var seed [8]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, fmt.Errorf("new ID: %w", err)
	}
	// Half of the numbers are left for counting on.
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
