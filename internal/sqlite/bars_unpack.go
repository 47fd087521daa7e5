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

// Bounds of what is unpacked, far above what a year has.
const (
	maxPackedBars     = 100_000
	maxUnpackedBytes  = 16 << 20
	maxPackedExponent = 400
	maxNumberBytes    = 400 // of one number
)

var errCorruptBars = errors.New("bars are not as they were packed")

// UnpackBars adds the bars of a packed year to those before it. Bytes that Pack did not write
// are an error.
func UnpackBars(to []market.Bar, packed []byte) ([]market.Bar, error) {
	if len(packed) < 5 || packed[0] != packVersion {
		return nil, fmt.Errorf("%w: no version of ours", errCorruptBars)
	}
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed[5:])), maxUnpackedBytes))
	if err != nil || crc32.ChecksumIEEE(plain) != binary.LittleEndian.Uint32(packed[1:]) {
		return nil, fmt.Errorf("%w: its checksum is another", errCorruptBars)
	}
	return decodeColumns(to, plain)
}

func decodeColumns(to []market.Bar, plain []byte) ([]market.Bar, error) {
	reader := &unpacker{rest: plain}
	n := int(min(reader.uvarint(), maxPackedBars+1))
	if n > maxPackedBars || n > len(plain) {
		return nil, fmt.Errorf("%w: %d bars", errCorruptBars, n)
	}
	bars := make([]market.Bar, n)
	reader.dates(bars)
	reader.prices(bars)
	if reader.failed || len(reader.rest) > 0 {
		return nil, fmt.Errorf("%w: it has another length", errCorruptBars)
	}
	return append(to, bars...), nil
}

// unpacker reads what encodeColumns wrote, and remembers when it could not.
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
		bars[i].Date = time.Unix(days*int64(oneDay/time.Second), 0).UTC()
	}
}

func (u *unpacker) prices(bars []market.Bar) {
	presence := u.bytes(uint64(len(bars)))
	if u.failed {
		return
	}
	for column := range columnCount {
		var last int64
		for i := range bars {
			switch {
			case column == 0:
				bars[i].Close = u.decimal(&last)
			case presence[i]&(1<<column) != 0:
				*optionalValue(&bars[i], column) = decimal.NewNullDecimal(u.decimal(&last))
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
	if exponent < -maxPackedExponent || exponent > maxPackedExponent {
		u.failed = true
		return decimal.Decimal{}
	}
	if head&1 == 0 {
		*last += u.varint()
		return decimal.New(*last, int32(exponent))
	}
	sign := u.bytes(1)
	size := u.uvarint()
	if u.failed || size > maxNumberBytes {
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
	data := u.rest[:n]
	u.rest = u.rest[n:]
	return data
}
