package investor

import "github.com/shopspring/decimal"

// riskQuestions returns the questions about risk tolerance. Their choices are ordered from the most
// cautious, 0 points, to the boldest, 3 points.
func riskQuestions() []questionEntry {
	return []questionEntry{
		riskEntry(Question{ID: QuestionRiskFall, Text: "Your portfolio has lost a quarter of its value in six months. What do you do?",
			Why: "Your reaction to the last large loss, real or imagined, says the most about your risk tolerance.",
			Choices: []Choice{
				{"sell_all", "sell all of it"}, {"sell_some", "sell some of it"},
				{"wait", "nothing"}, {"buy", "buy more"},
			}}),
		riskEntry(Question{ID: QuestionRiskRange, Text: "Which range of yearly returns would you choose?",
			Why: "A chance of a higher return comes with the risk of a larger loss.",
			Choices: []Choice{
				{"tight", "-2% to +5%"}, {"moderate", "-10% to +12%"},
				{"wide", "-25% to +25%"}, {"widest", "-40% to +45%"},
			}}),
		riskEntry(Question{ID: QuestionRiskLoss, Text: "How large a loss in a year would make you lose sleep?",
			Why: "Asking in several ways makes the answer more reliable.",
			Choices: []Choice{
				{"any", "any loss"}, {"tenth", "a tenth"},
				{"quarter", "a quarter"}, {"half", "half, or even more"},
			}}),
		riskEntry(Question{ID: QuestionRiskRegret, Text: "Which would bother you more: a loss, or a missed gain?",
			Why: "Fear of missing gains makes people take more risk than they can handle.",
			Choices: []Choice{
				{"loss_much", "a loss, by far"}, {"loss", "a loss, somewhat"},
				{"missed", "a missed gain, somewhat"}, {"missed_much", "a missed gain, by far"},
			}}),
		riskEntry(Question{ID: QuestionRiskNews, Text: "How would you feel about having most of your savings in stocks?",
			Why: "Stocks have gained the most over decades and lost the most in single years.",
			Choices: []Choice{
				{"wrong", "it would be wrong for me"}, {"uneasy", "uneasy"},
				{"fine", "fine"}, {"right", "I want that"},
			}}),
	}
}

// Tolerance is the risk that the investor is willing to take.
type Tolerance string

// Risk tolerance levels.
const (
	ToleranceLow    Tolerance = "low"
	ToleranceMedium Tolerance = "medium"
	ToleranceHigh   Tolerance = "high"
)

// Score returns the risk tolerance from 0, the most cautious, to 100: the points of all answers
// divided by the maximum. Each level is a third of the range. If a question is unanswered, Score
// returns false.
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
