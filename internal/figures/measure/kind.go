// Package measure knows the words and signs that say what a number counts: money,
// per cent, powers of ten, stretches of time, in English and in Chinese.
package measure

// Kind is what a number counts, as far as its unit says so.
type Kind string

// The kinds.
const (
	Plain    Kind = ""
	Percent  Kind = "%"
	Points   Kind = "pp" // percentage points
	Basis    Kind = "bp" // basis points
	Multiple Kind = "x"  // 12x, 12 times, 12 倍
	Ratio    Kind = ":"  // 1:3, 3-for-1, 2/3; the value is the first by the second
)
