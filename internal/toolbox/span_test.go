package toolbox_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// FuzzSpan holds that whatever stands in the range arguments, the answer is bars
// in order within the data, or an error that the model can mend.
func FuzzSpan(f *testing.F) {
	for _, seed := range [][3]string{
		{"1y", "", ""}, {"ytd", "", ""}, {"max", "", ""}, {"9999y", "", ""}, {"0d", "", ""}, {"", "2020", "2020-01"},
		{"", "2020-01-03", ""}, {"", "", "0000-01-01"}, {"", "9999", ""}, {"1é", "", ""}, {"m", "x", "y"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	router := open(f, depsOf(f, markettest.Daily("VTI", day(f, "2020-01-02"), "100", "101", "99", "102")))
	f.Fuzz(func(t *testing.T, back, from, to string) {
		res := ask(t, router, "price_history", args{"symbol": "VTI", "range": back, "from": from, "to": to})
		if res.IsError {
			if res.Code != tool.CodeValidation && res.Code != tool.CodeNoData {
				t.Errorf("range %q from %q to %q = code %s: %s", back, from, to, res.Code, res.ErrorText())
			}
			return
		}
		got := decoded(t, res)
		if first, last := got["from"].(string), got["to"].(string); first < "2020-01-02" || last > "2020-01-07" || first > last {
			t.Errorf("range %q from %q to %q = %s to %s, outside the data", back, from, to, first, last)
		}
	})
}
