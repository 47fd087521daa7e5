package sqlstore

import "github.com/nfa-cli/nfa/internal/market"

// EncodeColumns and DecodeColumns let a fuzzer bypass the checksum.
func EncodeColumns(bars []market.Bar) ([]byte, error)  { return encodeColumns(bars) }
func DecodeColumns(plain []byte) ([]market.Bar, error) { return decodeColumns(nil, plain) }

// PackBars and UnpackBars pack one year.
func PackBars(bars []market.Bar) ([]byte, error) {
	p, err := newBarPacker()
	if err != nil {
		return nil, err
	}
	return p.pack(bars)
}

func UnpackBars(to []market.Bar, packed []byte) ([]market.Bar, error) { return unpackBars(to, packed) }
