package year

import "github.com/nfa-cli/nfa/internal/market"

// Plain and UnpackPlain are what the checksum otherwise keeps a fuzzer from.
func Plain(bars []market.Bar) ([]byte, error)        { return columnsOf(bars) }
func UnpackPlain(plain []byte) ([]market.Bar, error) { return unpackPlain(nil, plain) }
