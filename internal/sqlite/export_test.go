package sqlite

import "github.com/nfa-cli/nfa/internal/market"

// PackBars, UnpackBars and UnpackPlain are the ways of a packed year, for the
// fuzzer; the last is what the checksum otherwise keeps it from.
func PackBars(bars []market.Bar) ([]byte, error) {
	p, err := newPacker()
	if err != nil {
		return nil, err
	}
	return p.pack(bars)
}

func UnpackBars(packed []byte) ([]market.Bar, error) { return unpackBars(nil, packed) }
func UnpackPlain(plain []byte) ([]market.Bar, error) { return unpackPlain(nil, plain) }
func PlainBars(bars []market.Bar) ([]byte, error)    { return plainBars(bars) }

// Hold gives the file another size.
func (b *Bars) Hold(most int64) { b.most = most }
