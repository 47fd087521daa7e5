package sqlite

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

// A year of bars is packed as a version, a checksum and a compressed text, in
// which a column follows the other: dates, which prices there are, and for each
// price its exponent and its digits as the difference to the day before. Every
// decimal comes back as it was, digit for digit.
const packVersion = 1

// Bounds of what is unpacked, far above what a year has.
const (
	mostBars     = 100_000
	mostUnpacked = 16 << 20
	mostExponent = 400
	mostDigits   = 400 // bytes of one number
)

var errPacked = errors.New("bars are not as they were packed")

const day = 24 * time.Hour

// packer packs one year after the other; its compressor takes more to make than
// to use.
type packer struct{ flate *flate.Writer }

func newPacker() (*packer, error) {
	w, err := flate.NewWriter(io.Discard, flate.DefaultCompression)
	return &packer{flate: w}, err
}

func (p *packer) pack(bars []market.Bar) ([]byte, error) {
	plain, err := plainBars(bars)
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

// plainBars are the columns before they are compressed.
func plainBars(bars []market.Bar) ([]byte, error) {
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
	if exponent < -mostExponent || exponent > mostExponent || len(digits.Bytes()) > mostDigits {
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

// unpackBars adds the bars of a packed year to those before it.
func unpackBars(to []market.Bar, packed []byte) ([]market.Bar, error) {
	if len(packed) < 5 || packed[0] != packVersion {
		return nil, fmt.Errorf("%w: no version of ours", errPacked)
	}
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed[5:])), mostUnpacked))
	if err != nil || crc32.ChecksumIEEE(plain) != binary.LittleEndian.Uint32(packed[1:]) {
		return nil, fmt.Errorf("%w: its checksum is another", errPacked)
	}
	return unpackPlain(to, plain)
}

func unpackPlain(to []market.Bar, plain []byte) ([]market.Bar, error) {
	from := &unpacker{rest: plain}
	n := int(min(from.uvarint(), mostBars+1))
	if n > mostBars || n > len(plain) {
		return nil, fmt.Errorf("%w: %d bars", errPacked, n)
	}
	bars := make([]market.Bar, n)
	from.dates(bars)
	from.prices(bars)
	if from.failed || len(from.rest) > 0 {
		return nil, fmt.Errorf("%w: it has another length", errPacked)
	}
	return append(to, bars...), nil
}

// unpacker reads what plainBars wrote, and remembers when it could not.
type unpacker struct {
	rest   []byte
	failed bool
}

func (u *unpacker) dates(bars []market.Bar) {
	const last = 4_000_000 // days since 1970, beyond the year 9999
	var days int64
	for i := range bars {
		days += u.varint()
		if days < -last || days > last {
			u.failed = true
			return
		}
		bars[i].Date = time.Unix(days*int64(day/time.Second), 0).UTC()
	}
}

func (u *unpacker) prices(bars []market.Bar) {
	which := u.bytes(uint64(len(bars)))
	if u.failed {
		return
	}
	for column := range columns {
		var last int64
		for i := range bars {
			switch {
			case column == 0:
				bars[i].Close = u.decimal(&last)
			case which[i]&(1<<column) != 0:
				*optional(&bars[i], column) = decimal.NewNullDecimal(u.decimal(&last))
			}
			if u.failed {
				return
			}
		}
	}
}

func (u *unpacker) decimal(last *int64) decimal.Decimal {
	head := u.varint()
	exponent := head >> 1
	if exponent < -mostExponent || exponent > mostExponent {
		u.failed = true
		return decimal.Decimal{}
	}
	if head&1 == 0 {
		*last += u.varint()
		return decimal.New(*last, int32(exponent))
	}
	sign := u.bytes(1)
	size := u.uvarint()
	if u.failed || size > mostDigits {
		u.failed = true
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
	got := u.rest[:n]
	u.rest = u.rest[n:]
	return got
}
