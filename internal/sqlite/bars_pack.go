package sqlite

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// packVersion is the first byte of what is packed.
const packVersion = 1

const oneDay = 24 * time.Hour

// BarPacker packs one year after the other; its compressor takes more to make than to use.
// It is not safe for concurrent use.
type BarPacker struct{ flate *flate.Writer }

// NewBarPacker makes one.
func NewBarPacker() (*BarPacker, error) {
	w, err := flate.NewWriter(io.Discard, flate.DefaultCompression)
	return &BarPacker{flate: w}, err
}

// Pack packs bars whose dates are later midnights UTC each. What Unpack would not give
// back as it is, such as a number of thousands of digits, is an error.
func (p *BarPacker) Pack(bars []market.Bar) ([]byte, error) {
	plain, err := encodeColumns(bars)
	if err != nil {
		return nil, err
	}
	packed := bytes.NewBuffer(binary.LittleEndian.AppendUint32([]byte{packVersion}, crc32.ChecksumIEEE(plain)))
	p.flate.Reset(packed)
	if _, err := p.flate.Write(plain); err != nil {
		return nil, err
	}
	if err := p.flate.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// encodeColumns are the columns before they are compressed.
func encodeColumns(bars []market.Bar) ([]byte, error) {
	plain := binary.AppendUvarint(nil, uint64(len(bars)))
	previous := int64(0)
	for i, b := range bars {
		days := b.Date.Unix() / int64(oneDay/time.Second)
		if !time.Unix(days*int64(oneDay/time.Second), 0).Equal(b.Date) || days <= previous && i > 0 {
			return nil, fmt.Errorf("bar of %v: not a later midnight UTC", b.Date)
		}
		plain = binary.AppendVarint(plain, days-previous)
		previous = days
	}
	for _, b := range bars {
		plain = append(plain, presenceBits(&b))
	}
	for column := range columnCount {
		var last int64
		for i := range bars {
			value, ok := columnValue(&bars[i], column)
			if !ok {
				continue
			}
			var err error
			if plain, last, err = appendDecimal(plain, value, last); err != nil {
				return nil, err
			}
		}
	}
	return plain, nil
}

// columnCount are close, open, high, low and volume; the last four may be absent.
const columnCount = 5

func optionalValue(b *market.Bar, column int) *decimal.NullDecimal {
	return [columnCount]*decimal.NullDecimal{nil, &b.Open, &b.High, &b.Low, &b.Volume}[column]
}

func columnValue(b *market.Bar, column int) (decimal.Decimal, bool) {
	if column == 0 {
		return b.Close, true
	}
	p := optionalValue(b, column)
	return p.Decimal, p.Valid
}

func presenceBits(b *market.Bar) (bits byte) {
	for column := 1; column < columnCount; column++ {
		if optionalValue(b, column).Valid {
			bits |= 1 << column
		}
	}
	return bits
}

// appendDecimal writes the exponent, whose lowest bit says whether the digits
// follow whole, and the digits.
func appendDecimal(to []byte, d decimal.Decimal, last int64) ([]byte, int64, error) {
	exponent := int64(d.Exponent())
	digits := d.Coefficient()
	if exponent < -maxPackedExponent || exponent > maxPackedExponent || len(digits.Bytes()) > maxNumberBytes {
		return nil, 0, fmt.Errorf("packing a number of %d digits and exponent %d", d.NumDigits(), exponent)
	}
	if digits.IsInt64() {
		// The difference may overflow; adding it back overflows the same way.
		return binary.AppendVarint(binary.AppendVarint(to, exponent<<1), digits.Int64()-last), digits.Int64(), nil
	}
	to = binary.AppendVarint(to, exponent<<1|1)
	to = append(to, byte(1+digits.Sign())) // 0 or 2
	to = binary.AppendUvarint(to, uint64(len(digits.Bytes())))
	return append(to, digits.Bytes()...), last, nil
}
