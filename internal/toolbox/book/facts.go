package book

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Facts says what the user said of a security, or "" where that is nothing.
func Facts(s portfolio.Security) string {
	var said []string
	for _, f := range []struct{ name, value string }{{"class", string(s.Class)}, {"region", s.Region}, {"sector", s.Sector}} {
		if f.value != "" {
			said = append(said, f.name+" "+f.value)
		}
	}
	if s.Fee.Valid {
		said = append(said, fmt.Sprintf("costs %s %% a year", s.Fee.Decimal.Shift(2)))
	}
	return strings.Join(said, ", ")
}
