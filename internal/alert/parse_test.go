package alert_test

import (
	"errors"
	"testing"

	"github.com/nfa-cli/nfa/internal/alert"
)

func TestParse_RulesAndSentencesGiveTheCanonicalRule(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"AAPL below 150", "AAPL below 150"},
		{"AAPL below $1,150.50 USD", "AAPL below 1150.5 USD"},
		{"^GSPC down 5% in 5d", "^GSPC down 5% in 5d"},
		{"tell me when AAPL falls below 150", "AAPL below 150"},
		{"Alert me if MSFT rises above 400 USD.", "MSFT above 400 USD"},
		{"notify me when VTI drops 10% in 2 weeks", "VTI down 10% in 2w"},
		{"tell me when AAPL drops 10% in a week", "AAPL down 10% in 1w"},
		{"let me know when AAPL crosses above its 200-day moving average", "AAPL above its 200d average"},
		{"AAPL跌破150提醒我", "AAPL below 150"},
		{"苹果涨到200美元时通知我", "苹果 above 200 USD"},
		{"当 AAPL 5 天内下跌 10% 时提醒我", "AAPL down 10% in 5d"},
		{"AAPL跌破200日均线", "AAPL below its 200d average"},
		{"组合回撤超过10%", "portfolio drawdown above 10%"},
		{"现金超过20%", "cash above 20%"},
		{"AAPL 5天内除息", "ex-dividend of AAPL within 5d"},
		{"AAPL提交10-K", "10-K filed by AAPL"},
		{"portfolio drawdown above 10% since 2024-01-02", "portfolio drawdown above 10% since 2024-01-02"},
		{"VTI drawdown above 20 percent", "VTI drawdown above 20%"},
		{"portfolio drift above 5%", "portfolio drift above 5%"},
		{"weight of AAPL above 10%", "weight of AAPL above 10%"},
		{"profile limit broken", "profile limit broken"},
		{"portfolio down 5% in 5d", "portfolio down 5% in 5d"},
		{"8-K item 5.02 filed by AAPL", "8-K item 5.02 filed by AAPL"},
		{"4 filed by AAPL", "4 filed by AAPL"},
		{"ex-dividend within 7d", "ex-dividend within 7d"},
		{"ex-dividend of VTI within 7 days", "ex-dividend of VTI within 7d"},
		{"lot turns long-term within 30d", "lot turns long-term within 30d"},
		{"loss above 10% to harvest", "loss above 10% to harvest"},
		{"decision review due", "decision review due"},
		{"2s10s below 0", "2s10s below 0"},
		{"series UNRATE above 5", "series UNRATE above 5"},
		{"CPIAUCSL released", "series CPIAUCSL released"},
	} {
		r, err := alert.Parse(row.text)
		if err != nil {
			t.Errorf("%s: %v", row.text, err)
			continue
		}
		if r.String() != row.want {
			t.Errorf("%s = %q, want %q", row.text, r, row.want)
		}
		again, err := alert.Parse(r.String())
		if err != nil || again.String() != r.String() {
			t.Errorf("%q is read again as %+v, %v; want %+v", r, again, err, r)
		}
	}
	for _, example := range alert.Examples() {
		if r, err := alert.Parse(example); err != nil || r.String() != example {
			t.Errorf("example %q: %q, %v", example, r, err)
		}
	}
}

func TestParse_AnErrorNamesThePositionAndTheNearestForm(t *testing.T) {
	for _, row := range []struct {
		text     string
		position int
		example  string
	}{
		{"AAPL below", 11, "AAPL below 150"},
		{"AAPL below cheap", 12, "AAPL below 150"},
		{"AAPL down 5%", 13, "AAPL down 5% in 5d"},
		{"portfolio drift above x", 23, "portfolio drift above 5%"},
		{"10-K filed AAPL", 12, "10-K filed by AAPL"},
		{"AAPL below 150 USD or MSFT above 3", 20, "AAPL below 150"},
		{"AAPL down 0% in 5d", 11, "AAPL down 5% in 5d"},
		{"", 1, "AAPL below 150"},
		{"苹果跌破多少", 5, "AAPL below 150"},
		{"VTI drawdown above 20% since", 29, "AAPL drawdown above 20%"},
	} {
		_, err := alert.Parse(row.text)
		var syntax *alert.SyntaxError
		if !errors.As(err, &syntax) || syntax.Position != row.position || syntax.Example != row.example {
			t.Errorf("%q: %v, want position %d and %q", row.text, err, row.position, row.example)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, example := range alert.Examples() {
		f.Add(example)
	}
	f.Add("AAPL跌破150提醒我")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := alert.Parse(text)
		if err != nil {
			return
		}
		if again, err := alert.Parse(r.String()); err != nil || again.String() != r.String() {
			t.Errorf("%q = %q, read again %q, %v", text, r, again, err)
		}
	})
}
