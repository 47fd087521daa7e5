package agent

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
)

// UsageSummary is the usage and cost of a conversation.
type UsageSummary struct {
	Turn, Session Usage
	// Context is the approximate number of tokens in the next request. Zero before the first answer.
	Context int
	Window  int // context window in tokens; zero if unknown
}

// Usage is the usage of model responses.
type Usage struct {
	Tokens  llm.Usage       // as reported by servers
	CostUSD decimal.Decimal // without responses of unknown price
	// Uncounted is true if servers did not report the usage of some responses, Unpriced if the price of some
	// is unknown. The sums are then incomplete.
	Uncounted, Unpriced bool
	Answers             int // including partial ones
}

func (u *Usage) add(v Usage) {
	u.Tokens = u.Tokens.Add(v.Tokens)
	u.CostUSD = u.CostUSD.Add(v.CostUSD)
	u.Uncounted = u.Uncounted || v.Uncounted
	u.Unpriced = u.Unpriced || v.Unpriced
	u.Answers += v.Answers
}

// usage returns the usage of a response from its reported and its estimated tokens.
func (s Setup) usage(counted, uncounted llm.Usage) Usage {
	u := Usage{Tokens: counted, Answers: 1, Uncounted: uncounted != llm.Usage{}, Unpriced: s.Cost == nil}
	if s.Cost != nil {
		u.CostUSD = s.Cost(counted)
	}
	return u
}

// recordedUsage returns the usage of a stored response. Entries of earlier versions have no tokens.
func recordedUsage(e session.Entry, d Display) (Usage, bool) {
	byModel := e.Kind == session.KindAssistant && !isUserCall(e.Message) || e.Kind == session.KindSummary
	if !byModel && d.Answers == 0 {
		return Usage{}, false
	}
	u := Usage{Answers: max(d.Answers, 1), Uncounted: d.Usage == nil || d.UncountedUSD != nil, Unpriced: d.CostUSD == nil}
	if d.Usage != nil {
		u.Tokens = *d.Usage
	}
	if d.CostUSD != nil {
		u.CostUSD = *d.CostUSD
	}
	return u, true
}

// UsageSummary returns the usage so far. It may be called while a turn is running.
func (c *Conversation) UsageSummary() UsageSummary {
	if a := c.usageSummary.Load(); a != nil {
		return *a
	}
	return UsageSummary{}
}

// charge adds usage to the turn and to the session.
func (t *turn) charge(u Usage) {
	a := t.UsageSummary()
	a.Turn.add(u)
	a.Session.add(u)
	t.publishUsage(a)
}

// publishUsage adds the size of the next request to a and makes it the current summary.
func (t *turn) publishUsage(a UsageSummary) {
	a.Context, a.Window = t.tokens(), t.setup.Window
	t.usageSummary.Store(&a)
}

// countedOrNil returns nil for zero usage.
func countedOrNil(u llm.Usage) *llm.Usage {
	if u == (llm.Usage{}) {
		return nil
	}
	return &u
}
