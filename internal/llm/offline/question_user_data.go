package offline

import (
	"slices"
	"strconv"
	"strings"
)

// UserDataQuery is a question about what the user keeps; without a tool it is none.
type UserDataQuery struct {
	Tool      string // that answers it
	Changes   bool   // it wants something written, which rules do not do
	Kind      string // of lots
	Benchmark string
	Excludes  bool // something is to be left out, which no tool does
	stated    bool // it says whose: without that it is one only after another such
}

// findUserData reads whether a sentence asks for what the user keeps.
func findUserData(s sentence, q Question) UserDataQuery {
	if q.Investment.Amount != "" || s.isHypothetical() {
		return UserDataQuery{}
	}
	query := UserDataQuery{Changes: s.begins(writeVerbs...), Tool: toolByWord[s.onlyWord()]}
	mine := s.has(portfolioWords...)
	query.stated = mine || query.Tool != ""
	for _, w := range userDataWords {
		if plain := s.has(w.plain...); query.Tool == "" && (plain || s.has(w.loose...)) {
			query.Tool, query.stated = w.tool, plain || mine
		}
	}
	switch {
	case query.Tool != "":
	case mine && s.asksPerformance():
		query.Tool = ToolPerformance
	case mine && (query.Changes || s.asksToSee()), s.has("how much", "how many") && s.has("do i have", "have i got"):
		query.Tool, query.stated = ToolPositions, true
	case !mine && s.has("portfolio", "positions", "holdings"):
		query.Tool = ToolPositions
	}
	return query.withDetails(s, q)
}

// onlyWord is the only word of a sentence, or what is left of a command to show it.
func (s sentence) onlyWord() string {
	words := s.words
	for len(words) > 1 && slices.Contains(showVerbs, words[0].low) {
		words = words[1:]
	}
	if len(words) != 1 {
		return ""
	}
	return words[0].low
}

// isHypothetical reports whether the sentence asks about a hypothetical case, which the recorded
// portfolio cannot answer.
func (s sentence) isHypothetical() bool {
	return s.has("would", "could", "might", "what if", "what happens", "würde", "könnte", "pourrait", "podría") &&
		!s.has("would you", "could you", "i would like", "i would love")
}

// asksToSee reports whether the sentence asks for nothing but a look at the portfolio.
func (s sentence) asksToSee() bool {
	if s.has("risk*", "volatil*", "drawdown*", "crash*", "crisis", "stress*", "dividend*", "fee", "fees", "sharpe*", "beta", "optimi*", "hedg*", "news", "tax*", "risiko", "risque*", "riesgo*", "风险") {
		return false
	}
	const command = 4 // words
	return len(s.words) <= command || s.has("show*", "list", "see", "display", "worth", "value", "in my", "what are my", "how much", "how many", "do i", "give me", "tell me",
		"zeige", "zeig", "wert", "was ist in", "montre*", "vaut", "valeur", "muestra*", "enseña*", "vale", "valor", "多少", "显示", "看看")
}

// withDetails reads the arguments of the tool from the sentence. It returns a query without a tool
// for what only sounds like a question for the tool.
func (query UserDataQuery) withDetails(s sentence, q Question) UserDataQuery {
	compares := s.has("against", "vs", "versus", "than", "beat", "beaten", "compare*", "benchmark*", "outperform*", "gegen", "vergleich*", "verglichen", "contre", "comparé*", "frente a", "comparad*", "相比", "对比")
	query.Excludes = s.has("without", "except", "excluding", "other than", "apart from", "leaving out", "ohne", "außer", "sauf", "excepté", "sin", "excepto")
	switch {
	case query.Tool == ToolLots:
		query.Kind = lotsKind(s)
		if query.Kind == LotsHarvest && s.has("my losses") && q.Period.To != "" {
			query.Kind = LotsClosed // those of a year that is named were sold
		}
	case query.Tool == ToolJournal:
		query.stated = query.stated || s.begins("review", "score")
	case query.Tool == ToolPositions && q.Period.From != "" && q.Period.To == "", query.Tool == ToolPositions && q.Period.Range != "":
		query.Tool = ToolPerformance // "since" is asked of what was earned
	case query.Tool != ToolPerformance || len(q.Symbols) == 0:
	case compares && (query.stated || len(q.Symbols) == 1):
		query.Benchmark = q.Symbols[0]
	case query.stated && q.Period.Empty():
		query.Tool = ToolPositions // which tells the gain of each
	default:
		return UserDataQuery{}
	}
	return query
}

func lotsKind(s sentence) string {
	switch {
	case s.has("wash sale*"):
		return LotsWash
	case s.has("harvest*", "tax loss*", "tax-loss*", "at a loss", "my losses", "verlust*", "moins-value*", "minusvalía*"):
		return LotsHarvest
	case s.has("capital gain*", "realised", "realized", "closed", "sold", "sales", "kapitalgewinn*", "plus-value*", "plusvalía*", "ganancias de capital", "资本利得"):
		return LotsClosed
	}
	return ""
}

// Name says what the question is about, in the words of the user's side.
func (query UserDataQuery) Name() string {
	switch query.Tool {
	case ToolWatchlist:
		return "your watchlist"
	case ToolJournal:
		return "your decisions"
	case ToolProfile:
		return "your profile as an investor"
	case ToolLots:
		return "tax lots"
	default:
		return "a portfolio"
	}
}

// Command is how the user changes what is asked about.
func (query UserDataQuery) Command() string {
	switch query.Tool {
	case ToolWatchlist:
		return "nfa watch"
	case ToolJournal:
		return "nfa journal"
	case ToolProfile:
		return "nfa profile"
	default:
		return "nfa portfolio"
	}
}

// resolveUserData reads a follow-up to a question about what the user keeps; false where
// it is none.
func (q Question) resolveUserData(previous Question) (Question, bool) {
	if previous.Topic != TopicUserData || q.Topic == TopicUserData {
		return q, false
	}
	repeats := q.Topic == TopicOpen && (q.isFollowUp || q.words <= 4)
	ofThat := q.isFollowUp || q.words <= 3 && parseSentence(q.Text).begins("of", "for", "von", "de", "für", "pour")
	perSymbol := slices.Contains([]string{ToolPositions, ToolLots, ToolWatchlist, ToolJournal}, previous.UserData.Tool)
	switch {
	case q.isFollowUp && q.UserData.Tool != "" && slices.Contains([]Topic{TopicOpen, TopicUnknown, TopicSubject, TopicReturns, TopicOverview, TopicCompare, TopicQuote}, q.Topic):
	case q.isFollowUp && len(q.Symbols)+len(q.UnknownNames) == 0 && (q.Topic == TopicReturns || q.Topic == TopicOverview):
		q.UserData = UserDataQuery{Tool: ToolPerformance}
	case repeats && len(q.Symbols) == 0 && (!q.Period.Empty() || q.Currency != ""), repeats && ofThat && len(q.Symbols) > 0 && perSymbol:
		q.UserData = previous.UserData
	default:
		return q, false
	}
	q.Topic, q.Subject = TopicUserData, Subject{Name: q.UserData.Name(), Reason: noRule}
	if q.Currency == "" {
		q.Currency = previous.Currency
	}
	if q.Period.Empty() && q.UserData.Tool == previous.UserData.Tool {
		q.Period = previous.Period
	}
	return q, true
}

// TaxYear is the calendar year that sales are asked for, or 0 for all.
func (q Question) TaxYear() int {
	if q.UserData.Kind != LotsClosed && q.UserData.Kind != LotsWash {
		return 0
	}
	if q.Period.Range == "ytd" {
		return q.today.Year()
	}
	first, isFirst := strings.CutSuffix(q.Period.From, "-01-01")
	last, isLast := strings.CutSuffix(q.Period.To, "-12-31")
	year, err := strconv.Atoi(first)
	if !isFirst || !isLast || first != last || err != nil {
		return 0
	}
	return year
}
