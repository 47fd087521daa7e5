// Package year packs the bars of a year into bytes and reads them again: a version, a
// checksum and a compressed text, in which a column follows the other: dates, which
// prices there are, and for each price its exponent and its digits as the difference to
// the day before. Every decimal comes back as it was, digit for digit.
//
// It has a Packer, and Unpack; of where the bytes are kept it knows nothing.
package year

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

// version is the first byte of what is packed.
const version = 1

const day = 24 * time.Hour

// Packer packs one year after the other; its compressor takes more to make than to use.
// It is not safe for concurrent use.
type Packer struct{ flate *flate.Writer }

// NewPacker makes one.
func NewPacker() (*Packer, error) {
	w, err := flate.NewWriter(io.Discard, flate.DefaultCompression)
	return &Packer{flate: w}, err
}

// Pack packs bars whose dates are later midnights UTC each. What Unpack would not give
// back as it is, such as a number of thousands of digits, is an error.
func (p *Packer) Pack(bars []market.Bar) ([]byte, error) {
	plain, err := columnsOf(bars)
	if err != nil {
		return nil, err
	}
	packed := bytes.NewBuffer(binary.LittleEndian.AppendUint32([]byte{version}, crc32.ChecksumIEEE(plain)))
	p.flate.Reset(packed)
	if _, err := p.flate.Write(plain); err != nil {
		return nil, err
	}
	if err := p.flate.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// columnsOf are the columns before they are compressed.
func columnsOf(bars []market.Bar) ([]byte, error) {
	plain := binary.AppendUvarint(nil, uint64(len(bars)))
	before := int64(0)
	for i, b := range bars {
		days := b.Date.Unix() / int64(day/time.Second)
		if !time.Unix(days*int64(day/time.Second), 0).Equal(b.Date) || days <= before && i > 0 {
			return nil, fmt.Errorf("bar of %v: not a later midnight UTC", b.Date)
		}
		plain = binary.AppendVarint(plain, days-before)
		before = days
	}
	for _, b := range bars {
		plain = append(plain, present(&b))
	}
	for column := range columns {
		var last int64
		for i := range bars {
			value, ok := price(&bars[i], column)
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

// columns are close, open, high, low and volume; the last four may be absent.
const columns = 5

func optional(b *market.Bar, column int) *decimal.NullDecimal {
	return [columns]*decimal.NullDecimal{nil, &b.Open, &b.High, &b.Low, &b.Volume}[column]
}

func price(b *market.Bar, column int) (decimal.Decimal, bool) {
	if column == 0 {
		return b.Close, true
	}
	p := optional(b, column)
	return p.Decimal, p.Valid
}

func present(b *market.Bar) (bits byte) {
	for column := 1; column < columns; column++ {
		if optional(b, column).Valid {
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
	if exponent < -mostExponent || exponent > mostExponent || len(digits.Bytes()) > mostBytes {
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
