package investor

import "github.com/shopspring/decimal"

// riskQuestions are the questions about risk tolerance: what the investor would dare. The
// choices of a question are in order from the most careful, which counts 0 points, to the most
// daring, which counts 3.
func riskQuestions() []questionEntry {
	return []questionEntry{
		riskEntry(Question{ID: QuestionRiskFall, Text: "Your portfolio has lost a quarter of its value in six months. What do you do?",
			Why: "What was done in the last fall, or would be, tells most.",
			Choices: []Choice{
				{"sell_all", "sell all of it"}, {"sell_some", "sell a part of it"},
				{"wait", "nothing"}, {"buy", "buy more"},
			}}),
		riskEntry(Question{ID: QuestionRiskRange, Text: "Which range of results of a year would you choose?",
			Why: "More cannot be had without the left end.",
			Choices: []Choice{
				{"tight", "between -2 % and +5 %"}, {"moderate", "between -10 % and +12 %"},
				{"wide", "between -25 % and +25 %"}, {"widest", "between -40 % and +45 %"},
			}}),
		riskEntry(Question{ID: QuestionRiskLoss, Text: "From which loss of a year on would you sleep badly?",
			Why: "It is asked in another way, because answers to one question alone say little.",
			Choices: []Choice{
				{"any", "from any loss"}, {"tenth", "from a tenth"},
				{"quarter", "from a quarter"}, {"half", "from a half, or never"},
			}}),
		riskEntry(Question{ID: QuestionRiskRegret, Text: "Which would trouble you more: a loss, or a gain missed?",
			Why: "Fear of missing gains makes people take more risk than they can hold.",
			Choices: []Choice{
				{"loss_much", "a loss, by far"}, {"loss", "a loss, rather"},
				{"missed", "a gain missed, rather"}, {"missed_much", "a gain missed, by far"},
			}}),
		riskEntry(Question{ID: QuestionRiskNews, Text: "How would you feel about shares being most of what you save?",
			Why: "Shares have gained the most over decades and lost the most over years.",
			Choices: []Choice{
				{"wrong", "it would be wrong for me"}, {"uneasy", "uneasy"},
				{"fine", "fine"}, {"right", "it is as I want it"},
			}}),
	}
}

// Tolerance is how much risk the investor says to want.
type Tolerance string

// Levels of risk tolerance.
const (
	ToleranceLow    Tolerance = "low"
	ToleranceMedium Tolerance = "medium"
	ToleranceHigh   Tolerance = "high"
)

// Score is the risk tolerance from 0, the most careful, to 100: the points of all
// answers out of the most that there are. The levels are its thirds. Where a
// question is open the score is not known, and Score reports false.
func (p Profile) Score() (decimal.Decimal, Tolerance, bool) {
	points, most := 0, 0
	for _, e := range riskQuestions() {
		at := -1
		for i, c := range e.Choices {
			if c.Value == p.Tolerance[e.ID] {
				at = i
			}
		}
		if at < 0 {
			return decimal.Decimal{}, "", false
		}
		points, most = points+at, most+len(e.Choices)-1
	}
	score := decimal.NewFromInt(int64(points)*100).DivRound(decimal.NewFromInt(int64(most)), 0)
	switch {
	case 3*points < most:
		return score, ToleranceLow, true
	case 3*points < 2*most:
		return score, ToleranceMedium, true
	}
	return score, ToleranceHigh, true
}
