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
		{"AAPL gross margin below 40%", "AAPL gross margin below 40%"},
		{"tell me when the gross margin of AAPL falls below 40 %", "AAPL gross margin below 40%"},
		{"MSFT P/E above 35", "MSFT price to earnings above 35"},
		{"alert me when the p/e ratio of MSFT rises above 35", "MSFT price to earnings above 35"},
		{"AAPL net_margin below -2.5%", "AAPL net margin below -2.5%"},
		{"ROE above 20", "ROE above 20"},
		{"JPM ROE below 10%", "JPM return on equity below 10%"},
		{"AAPL毛利率低于40%时提醒我", "AAPL gross margin below 40%"},
		{"贵州茅台的市盈率超过30", "贵州茅台 price to earnings above 30"},
		{"morning note at 7:30", "morning note at 07:30"},
		// In words in the chat; the same sentences are in internal/llm/offline/testdata/questions.jsonl.
		{"tell me when AAPL drops 5% in a week", "AAPL down 5% in 1w"},
		{"tell me when AAPL drawdown exceeds 20%", "AAPL drawdown above 20%"},
		{"let me know when AAPL crosses below its 200-day moving average", "AAPL below its 200d average"},
		{"warn me when my portfolio drift goes above 5%", "portfolio drift above 5%"},
		{"tell me when a profile limit is broken", "profile limit broken"},
		{"notify me when AAPL files a 10-K", "10-K filed by AAPL"},
		{"tell me when earnings of AAPL are within 7 days", "earnings of AAPL within 7d"},
		{"remind me of the ex-dividend date of AAPL within 5 days", "ex-dividend of AAPL within 5d"},
		{"tell me when a lot turns long-term within 30 days", "lot turns long-term within 30d"},
		{"tell me when there is a loss above 10% to harvest", "loss above 10% to harvest"},
		{"tell me when UNRATE is released", "series UNRATE released"},
		{"alert me when AAPL gross margin falls below 40%", "AAPL gross margin below 40%"},
		{"remind me when a decision review is due", "decision review due"},
		{"tell me when cash is above 20%", "cash above 20%"},
		{"tell me when the weight of AAPL goes above 10%", "weight of AAPL above 10%"},
		{"tell me when 2s10s falls below 0", "2s10s below 0"},
		{"send me a morning note at 7:30", "morning note at 07:30"},
		{"AAPL回撤超过20%时提醒我", "AAPL drawdown above 20%"},
		{"AAPL跌破200日均线时通知我", "AAPL below its 200d average"},
		{"组合偏离超过5%时提醒我", "portfolio drift above 5%"},
		{"AAPL发布10-K时通知我", "10-K filed by AAPL"},
		{"AAPL 7天内财报时提醒我", "earnings of AAPL within 7d"},
		{"AAPL 5天内除息时提醒我", "ex-dividend of AAPL within 5d"},
		{"现金超过20%时告诉我", "cash above 20%"},
		{"UNRATE公布时提醒我", "series UNRATE released"},
		{"每天7:30给我发晨报", "morning note at 07:30"},
		{"send me my morning note at 07:30 on weekdays", "morning note at 07:30 on weekdays"},
		{"每天8:15发晨报给我", "morning note at 08:15"},
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
		{"AAPL gross margin below", 24, "AAPL gross margin below 40%"},
		{"morning note at 25:00", 17, "morning note at 07:30"},
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
