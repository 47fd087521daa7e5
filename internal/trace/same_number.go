package trace

import (
	"strings"
)

// SameNumber reports whether two texts state the same number in the same digits, in
// whatever way they are set: "23.4%" and "23.4 %", "1,234" and "1234".
func SameNumber(a, b string) bool {
	x, y := ScanNumbers(a), ScanNumbers(b)
	if len(x) != 1 || len(y) != 1 {
		return strings.TrimSpace(a) == strings.TrimSpace(b)
	}
	m, n := x[0], y[0]
	if m.Kind != n.Kind && m.Kind != UnitPlain && n.Kind != UnitPlain || !SameCurrency(m.Currency, n.Currency) {
		return false
	}
	return m.Value.Abs().Equal(n.Value.Abs()) && (m.Value.Equal(n.Value) || m.Sign == 0 || n.Sign == 0)
}
