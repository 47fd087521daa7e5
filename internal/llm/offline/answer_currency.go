package offline

import (
	"fmt"
	"slices"
	"strings"
)

// currencyMismatch says that figures are in another currency than was asked for.
func (a AnswerInput) currencyMismatch(outcomes []ToolOutcome) string {
	if a.Currency == "" {
		return ""
	}
	var units []string
	for _, o := range outcomes {
		for _, priced := range append(o.Result.objects("quotes"), o.Result) {
			if u := priced.unit(); u != "" && u != a.Currency && !slices.Contains(units, u) {
				units = append(units, u)
			}
		}
	}
	if len(units) == 0 {
		return ""
	}
	return fmt.Sprintf("! You asked in %s; no conversion is available here. The figures are in %s.", a.Currency, strings.Join(units, " and "))
}
