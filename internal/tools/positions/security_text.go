package positions

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// DescribeSecurity lists what the user set for a security, "" if that is nothing.
func DescribeSecurity(s portfolio.Security) string {
	var parts []string
	for _, f := range []struct{ name, value string }{{"class", string(s.Class)}, {"region", s.Region}, {"sector", s.Sector}} {
		if f.value != "" {
			parts = append(parts, f.name+" "+f.value)
		}
	}
	if s.Fee.Valid {
		parts = append(parts, fmt.Sprintf("expense ratio %s%%", s.Fee.Decimal.Shift(2)))
	}
	return strings.Join(parts, ", ")
}
