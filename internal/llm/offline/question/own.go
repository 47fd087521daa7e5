package question

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

// Own is a question about what the user keeps; without a tool it is none.
type Own struct {
	Tool      string // that answers it
	Changes   bool   // it wants something written, which rules do not do
	Kind      string // of lots
	Benchmark string
	Without   bool // something is to be left out, which no tool does
	stated    bool // it says whose: without that it is one only after another such
}

// findOwn reads whether a sentence asks for what the user keeps.
func findOwn(s sentence, q Question) Own {
	if q.Stake.Amount != "" || s.supposes() {
		return Own{}
	}
	own := Own{Changes: s.begins(writing...), Tool: bareTools[s.bare()]}
	mine := s.has(bookWords...)
	own.stated = mine || own.Tool != ""
	for _, w := range ownWords {
		if plain := s.has(w.plain...); own.Tool == "" && (plain || s.has(w.loose...)) {
			own.Tool, own.stated = w.tool, plain || mine
		}
	}
	switch {
	case own.Tool != "":
	case mine && s.howDone():
		own.Tool = toolname.Performance
	case mine && (own.Changes || s.asksToSee()), s.has("how much", "how many") && s.has("do i have", "have i got"):
		own.Tool, own.stated = toolname.Positions, true
	case !mine && s.has("portfolio", "positions", "holdings"):
		own.Tool = toolname.Positions
	}
	return own.detailed(s, q)
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
func (own Own) detailed(s sentence, q Question) Own {
	compares := s.has("against", "vs", "versus", "than", "beat", "beaten", "compare*", "benchmark*", "outperform*", "gegen", "vergleich*", "verglichen", "contre", "comparé*", "frente a", "comparad*", "相比", "对比")
	own.Without = s.has("without", "except", "excluding", "other than", "apart from", "leaving out", "ohne", "außer", "sauf", "excepté", "sin", "excepto")
	switch {
	case own.Tool == toolname.Lots:
		own.Kind = lotsKind(s)
		if own.Kind == toolname.LotsHarvest && s.has("my losses") && q.Span.To != "" {
			own.Kind = toolname.LotsClosed // those of a year that is named were sold
		}
	case own.Tool == toolname.Journal:
		own.stated = own.stated || s.begins("review", "score")
	case own.Tool == toolname.Positions && q.Span.From != "" && q.Span.To == "", own.Tool == toolname.Positions && q.Span.Back != "":
		own.Tool = toolname.Performance // "since" is asked of what was earned
	case own.Tool != toolname.Performance || len(q.Symbols) == 0:
	case compares && (own.stated || len(q.Symbols) == 1):
		own.Benchmark = q.Symbols[0]
	case own.stated && q.Span.Empty():
		own.Tool = toolname.Positions // which tells the gain of each
	default:
		return Own{}
	}
	return own
}

func lotsKind(s sentence) string {
	switch {
	case s.has("wash sale*"):
		return toolname.LotsWash
	case s.has("harvest*", "tax loss*", "tax-loss*", "at a loss", "my losses", "verlust*", "moins-value*", "minusvalía*"):
		return toolname.LotsHarvest
	case s.has("capital gain*", "realised", "realized", "closed", "sold", "sales", "kapitalgewinn*", "plus-value*", "plusvalía*", "ganancias de capital", "资本利得"):
		return toolname.LotsClosed
	}
	return ""
}

// Name says what the question is about, in the words of the user's side.
func (own Own) Name() string {
	switch own.Tool {
	case toolname.Watchlist:
		return "your watchlist"
	case toolname.Journal:
		return "your decisions"
	case toolname.Profile:
		return "your profile as an investor"
	case toolname.Lots:
		return "tax lots"
	default:
		return "a portfolio"
	}
}

// Command is how the user changes what is asked about.
func (own Own) Command() string {
	switch own.Tool {
	case toolname.Watchlist:
		return "nfa watch"
	case toolname.Journal:
		return "nfa journal"
	case toolname.Profile:
		return "nfa profile"
	default:
		return "nfa portfolio"
	}
}

// afterOwn reads a follow-up to a question about what the user keeps; false where
// it is none.
func (q Question) afterOwn(before Question) (Question, bool) {
	if before.Topic != TopicOwn || q.Topic == TopicOwn {
		return q, false
	}
	again := q.Topic == TopicOpen && (q.follows || q.words <= 4)
	ofThat := q.follows || q.words <= 3 && parseSentence(q.Text).begins("of", "for", "von", "de", "für", "pour")
	perSymbol := slices.Contains([]string{toolname.Positions, toolname.Lots, toolname.Watchlist, toolname.Journal}, before.Own.Tool)
	switch {
	case q.follows && q.Own.Tool != "" && slices.Contains([]Topic{TopicOpen, TopicUnknown, TopicSubject, TopicReturns, TopicOverview, TopicCompare, TopicQuote}, q.Topic):
	case q.follows && len(q.Symbols)+len(q.Strangers) == 0 && (q.Topic == TopicReturns || q.Topic == TopicOverview):
		q.Own = Own{Tool: toolname.Performance}
	case again && len(q.Symbols) == 0 && (!q.Span.Empty() || q.Currency != ""), again && ofThat && len(q.Symbols) > 0 && perSymbol:
		q.Own = before.Own
	default:
		return q, false
	}
	q.Topic, q.Subject = TopicOwn, Subject{Name: q.Own.Name(), Cannot: noRule}
	if q.Currency == "" {
		q.Currency = before.Currency
	}
	if q.Span.Empty() && q.Own.Tool == before.Own.Tool {
		q.Span = before.Span
	}
	return q, true
}

// TaxYear is the calendar year that sales are asked for, or 0 for all.
func (q Question) TaxYear() int {
	if q.Own.Kind != toolname.LotsClosed && q.Own.Kind != toolname.LotsWash {
		return 0
	}
	if q.Span.Back == "ytd" {
		return q.today.Year()
	}
	first, isFirst := strings.CutSuffix(q.Span.From, "-01-01")
	last, isLast := strings.CutSuffix(q.Span.To, "-12-31")
	year, err := strconv.Atoi(first)
	if !isFirst || !isLast || first != last || err != nil {
		return 0
	}
	return year
}
