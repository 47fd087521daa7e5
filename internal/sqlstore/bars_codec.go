package sqlstore

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/big"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// The bars of a year are packed as a version byte, a CRC-32 of the rest, and compressed columns:
// count, days, presence of optional values, and then close, open, high, low and volume as
// differences from the previous value. Forty years of a symbol take about 100 kB.

// packVersion is the first byte of packed bars.
const packVersion = 1

// Limits of unpacked bars, far above those of a year of data.
const (
	maxPackedBars     = 100_000
	maxUnpackedBytes  = 16 << 20
	maxPackedExponent = 400
	maxNumberBytes    = 400     // per number
	maxPackedDays     = 4000000 // since 1970, beyond the year 9999
)

const secondsOfDay = 24 * 60 * 60

var errCorruptBars = errors.New("packed bars are damaged")

// barPacker packs one year after the other. It is reused, because creating the compressor takes
// longer than using it.
type barPacker struct{ flate *flate.Writer }

func newBarPacker() (*barPacker, error) {
	w, err := flate.NewWriter(io.Discard, flate.DefaultCompression)
	return &barPacker{flate: w}, err
}

// pack packs bars with ascending dates at midnight UTC. It returns an error for bars that
// unpackBars could not restore exactly, such as a number of thousands of digits.
func (p *barPacker) pack(bars []market.Bar) ([]byte, error) {
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

// optionalValues returns the values after close.
func optionalValues(b *market.Bar) [4]*decimal.NullDecimal {
	return [4]*decimal.NullDecimal{&b.Open, &b.High, &b.Low, &b.Volume}
}

func encodeColumns(bars []market.Bar) ([]byte, error) {
	plain := binary.AppendUvarint(nil, uint64(len(bars)))
	previous := int64(0)
	for i, b := range bars {
		days := b.Date.Unix() / secondsOfDay
		if !time.Unix(days*secondsOfDay, 0).Equal(b.Date) || days <= previous && i > 0 {
			return nil, fmt.Errorf("bar of %v: not midnight UTC, or not after the previous bar", b.Date)
		}
		plain = binary.AppendVarint(plain, days-previous)
		previous = days
	}
	for i := range bars {
		var present byte
		for column, value := range optionalValues(&bars[i]) {
			if value.Valid {
				present |= 2 << column
			}
		}
		plain = append(plain, present)
	}
	for column := range 5 {
		var last int64
		for i := range bars {
			value := decimal.NullDecimal{Decimal: bars[i].Close, Valid: true}
			if column > 0 {
				value = *optionalValues(&bars[i])[column-1]
			}
			if value.Valid {
				var err error
				if plain, err = appendDecimal(plain, value.Decimal, &last); err != nil {
					return nil, err
				}
			}
		}
	}
	return plain, nil
}

// appendDecimal writes the exponent and the digits. The lowest bit of the exponent tells whether
// the digits are absolute or a difference from the previous value.
func appendDecimal(to []byte, d decimal.Decimal, last *int64) ([]byte, error) {
	exponent, digits := int64(d.Exponent()), d.Coefficient()
	if exponent < -maxPackedExponent || exponent > maxPackedExponent || len(digits.Bytes()) > maxNumberBytes {
		return nil, fmt.Errorf("cannot pack a number with %d digits and exponent %d", d.NumDigits(), exponent)
	}
	if digits.IsInt64() {
		// The difference may overflow; adding it back overflows the same way.
		difference := digits.Int64() - *last
		*last = digits.Int64()
		return binary.AppendVarint(binary.AppendVarint(to, exponent<<1), difference), nil
	}
	to = binary.AppendVarint(to, exponent<<1|1)
	to = append(to, byte(1+digits.Sign())) // 0 or 2
	to = binary.AppendUvarint(to, uint64(len(digits.Bytes())))
	return append(to, digits.Bytes()...), nil
}

// unpackBars appends the bars of a packed year to to. It returns an error for bytes that pack did
// not write.
func unpackBars(to []market.Bar, packed []byte) ([]market.Bar, error) {
	if len(packed) < 5 || packed[0] != packVersion {
		return nil, fmt.Errorf("%w: unknown version", errCorruptBars)
	}
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed[5:])), maxUnpackedBytes))
	if err != nil || crc32.ChecksumIEEE(plain) != binary.LittleEndian.Uint32(packed[1:]) {
		return nil, fmt.Errorf("%w: wrong checksum", errCorruptBars)
	}
	return decodeColumns(to, plain)
}

func decodeColumns(to []market.Bar, plain []byte) ([]market.Bar, error) {
	u := &unpacker{rest: plain}
	n := u.uvarint()
	if n > maxPackedBars || n > uint64(len(plain)) {
		return nil, fmt.Errorf("%w: %d bars", errCorruptBars, n)
	}
	bars := make([]market.Bar, n)
	var days int64
	for i := range bars {
		days += u.varint()
		u.failed = u.failed || days < -maxPackedDays || days > maxPackedDays
		bars[i].Date = time.Unix(days*secondsOfDay, 0).UTC()
	}
	present := u.bytes(n)
	for column := 0; column < 5 && !u.failed; column++ {
		var last int64
		for i := range bars {
			switch {
			case column == 0:
				bars[i].Close = u.decimal(&last)
			case present[i]&(1<<column) != 0:
				*optionalValues(&bars[i])[column-1] = decimal.NewNullDecimal(u.decimal(&last))
			}
		}
	}
	if u.failed || len(u.rest) > 0 {
		return nil, fmt.Errorf("%w: wrong length", errCorruptBars)
	}
	return append(to, bars...), nil
}

// unpacker reads what encodeColumns wrote, and records the first failure.
type unpacker struct {
	rest   []byte
	failed bool
}

func (u *unpacker) decimal(last *int64) decimal.Decimal {
	head := u.varint()
	exponent := head >> 1
	if u.failed = u.failed || exponent < -maxPackedExponent || exponent > maxPackedExponent; u.failed {
		return decimal.Decimal{}
	}
	if head&1 == 0 {
		*last += u.varint()
		return decimal.New(*last, int32(exponent))
	}
	sign, size := u.bytes(1), u.uvarint()
	if u.failed = u.failed || size > maxNumberBytes; u.failed {
		return decimal.Decimal{}
	}
	digits := new(big.Int).SetBytes(u.bytes(size))
	if sign[0] == 0 {
		digits.Neg(digits)
	}
	return decimal.NewFromBigInt(digits, int32(exponent))
}

func (u *unpacker) varint() int64 {
	v, n := binary.Varint(u.rest)
	u.skip(n)
	return v
}

func (u *unpacker) uvarint() uint64 {
	v, n := binary.Uvarint(u.rest)
	u.skip(n)
	return v
}

func (u *unpacker) skip(n int) {
	if n <= 0 {
		u.failed, u.rest = true, nil
		return
	}
	u.rest = u.rest[n:]
}

func (u *unpacker) bytes(n uint64) []byte {
	if n > uint64(len(u.rest)) {
		u.failed, u.rest = true, nil
		return nil
	}
	data := u.rest[:n]
	u.rest = u.rest[n:]
	return data
}
