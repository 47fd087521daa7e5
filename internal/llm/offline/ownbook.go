package offline

import (
	"slices"
)

// Tools that answer from what the user keeps: the book, the journal, the profile.
const (
	toolPositions   = "portfolio_positions"
	toolAllocation  = "portfolio_allocation"
	toolPerformance = "portfolio_performance"
	toolCheckup     = "portfolio_checkup"
	toolRebalance   = "rebalance_plan"
	toolLots        = "tax_lots"
	toolWatchlist   = "watchlist"
	toolJournal     = "decision_journal"
	toolProfile     = "investor_profile"
)

// isOwn reports whether a tool answers from what the user keeps.
func isOwn(tool string) bool { return ownAnswers()[tool] != nil }

// Kinds of tax_lots that a question may ask for; "" are the lots that are held.
const (
	lotsClosed  = "closed"
	lotsHarvest = "harvest"
	lotsWash    = "wash"
)

// ownQuestion is a question about what the user keeps; without a tool it is none.
type ownQuestion struct {
	tool      string
	stated    bool   // it says whose: without that it is one only after another such
	changes   bool   // it wants something written, which rules do not do
	kind      string // of lots
	benchmark string
}

// findOwn reads whether a sentence asks for what the user keeps.
func findOwn(s sentence, in intent) ownQuestion {
	if in.stake.amount != "" || s.supposes() {
		return ownQuestion{}
	}
	q := ownQuestion{changes: s.begins(writing...), tool: bareTools[s.bare()]}
	mine := s.has(bookWords...)
	q.stated = mine || q.tool != ""
	for _, w := range ownWords {
		if plain := s.has(w.plain...); q.tool == "" && (plain || s.has(w.loose...)) {
			q.tool, q.stated = w.tool, plain || mine
		}
	}
	switch {
	case q.tool != "":
	case mine && s.howDone():
		q.tool = toolPerformance
	case mine && (q.changes || s.asksToSee()), s.has("how much", "how many") && s.has("do i have", "have i got"):
		q.tool, q.stated = toolPositions, true
	case !mine && s.has("portfolio", "positions", "holdings"):
		q.tool = toolPositions
	}
	return q.detailed(s, in)
}

// bare is the only word of a sentence, or what is left of a command to show it.
func (s sentence) bare() string {
	words := s.words
	for len(words) > 1 && slices.Contains(showing, words[0].low) {
		words = words[1:]
	}
	if len(words) != 1 {
		return ""
	}
	return words[0].low
}

// supposes reports whether the sentence asks what would be: the book tells what is.
func (s sentence) supposes() bool {
	return s.has("would", "could", "might", "what if", "what happens", "würde", "könnte", "pourrait", "podría") &&
		!s.has("would you", "could you", "i would like", "i would love")
}

// asksToSee reports whether the sentence wants no more than to look at the book.
func (s sentence) asksToSee() bool {
	if s.has("risk*", "volatil*", "drawdown*", "crash*", "crisis", "stress*", "dividend*", "fee", "fees", "sharpe*", "beta", "optimi*", "hedg*", "news", "tax*", "risiko", "risque*", "riesgo*", "风险") {
		return false
	}
	const command = 4 // words
	return len(s.words) <= command || s.has("show*", "list", "see", "display", "worth", "value", "in my", "what are my", "how much", "how many", "do i", "give me", "tell me",
		"zeige", "zeig", "wert", "was ist in", "montre*", "vaut", "valeur", "muestra*", "enseña*", "vale", "valor", "多少", "显示", "看看")
}

// detailed reads what a tool is to be told, and leaves out what only sounds like a
// question for it.
func (q ownQuestion) detailed(s sentence, in intent) ownQuestion {
	compares := s.has("against", "vs", "versus", "than", "beat", "beaten", "compare*", "benchmark*", "outperform*", "gegen", "vergleich*", "verglichen", "contre", "comparé*", "frente a", "comparad*", "相比", "对比")
	switch {
	case q.tool == toolLots:
		q.kind = lotsKind(s)
	case q.tool == toolJournal:
		q.stated = q.stated || s.begins("review", "score")
	case q.tool == toolPositions && in.span.from != "" && in.span.to == "", q.tool == toolPositions && in.span.back != "":
		q.tool = toolPerformance // "since" is asked of what was earned
	case q.tool != toolPerformance || len(in.symbols) == 0:
	case compares && (q.stated || len(in.symbols) == 1):
		q.benchmark = in.symbols[0]
	case q.stated && in.span.empty():
		q.tool = toolPositions // which tells the gain of each
	default:
		return ownQuestion{}
	}
	return q
}

func lotsKind(s sentence) string {
	switch {
	case s.has("wash sale*"):
		return lotsWash
	case s.has("harvest*", "tax loss*", "tax-loss*", "at a loss", "my losses", "verlust*", "moins-value*", "minusvalía*"):
		return lotsHarvest
	case s.has("capital gain*", "realised", "realized", "closed", "sold", "sales", "kapitalgewinn*", "plus-value*", "plusvalía*", "ganancias de capital", "资本利得"):
		return lotsClosed
	}
	return ""
}

// name says what the question is about, in the words of the user's side.
func (q ownQuestion) name() string {
	switch q.tool {
	case toolWatchlist:
		return "your watchlist"
	case toolJournal:
		return "your decisions"
	case toolProfile:
		return "your profile as an investor"
	case toolLots:
		return "tax lots"
	default:
		return "a portfolio"
	}
}

// command is how the user changes what is asked about.
func (q ownQuestion) command() string {
	switch q.tool {
	case toolWatchlist:
		return "nfa watch"
	case toolJournal:
		return "nfa journal"
	case toolProfile:
		return "nfa profile"
	default:
		return "nfa portfolio"
	}
}

// afterOwn reads a follow-up to a question about what the user keeps; false where
// it is none.
func (in intent) afterOwn(before intent) (intent, bool) {
	if before.topic != topicOwn || in.topic == topicOwn {
		return in, false
	}
	again := in.topic == topicOpen && (in.follows || in.words <= 4)
	ofThat := in.follows || in.words <= 3 && parseSentence(in.question).begins("of", "for", "von", "de", "für", "pour")
	perSymbol := slices.Contains([]string{toolPositions, toolLots, toolWatchlist, toolJournal}, before.own.tool)
	switch {
	case in.follows && in.own.tool != "" && slices.Contains([]topic{topicOpen, topicUnknown, topicSubject, topicReturns, topicOverview, topicCompare, topicQuote}, in.topic):
	case in.follows && len(in.symbols)+len(in.strangers) == 0 && (in.topic == topicReturns || in.topic == topicOverview):
		in.own = ownQuestion{tool: toolPerformance}
	case again && len(in.symbols) == 0 && (!in.span.empty() || in.currency != ""), again && ofThat && len(in.symbols) > 0 && perSymbol:
		in.own = before.own
	default:
		return in, false
	}
	in.topic, in.subject = topicOwn, subject{in.own.name(), nil, noRule}
	if in.currency == "" {
		in.currency = before.currency
	}
	if in.span.empty() && in.own.tool == before.own.tool {
		in.span = before.span
	}
	return in, true
}
