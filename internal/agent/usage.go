package agent

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
)

// UsageSummary is what a conversation has used of its model, for whoever pays for it.
type UsageSummary struct {
	Turn, Session Usage
	// Context is how many tokens the next request holds, about: what the server
	// counted last and an estimate of what came since. Zero before the first answer.
	Context int
	Window  int // what the model takes, in tokens; zero where that is not known
}

// Usage is what answers of a model used.
type Usage struct {
	Tokens  llm.Usage       // as servers counted
	CostUSD decimal.Decimal // of the answers whose price is known
	// Uncounted says that servers did not count for some answers, Unpriced that no
	// price was known for some: the sums are not the whole then.
	Uncounted, Unpriced bool
	Answers             int // of a model, whole or cut
}

func (u *Usage) add(v Usage) {
	u.Tokens = u.Tokens.Add(v.Tokens)
	u.CostUSD = u.CostUSD.Add(v.CostUSD)
	u.Uncounted = u.Uncounted || v.Uncounted
	u.Unpriced = u.Unpriced || v.Unpriced
	u.Answers += v.Answers
}

// usage is what an answer used, by what was counted of it and what not.
func (s Setup) usage(counted, uncounted llm.Usage) Usage {
	u := Usage{Tokens: counted, Answers: 1, Uncounted: uncounted != llm.Usage{}, Unpriced: s.Cost == nil}
	if s.Cost != nil {
		u.CostUSD = s.Cost(counted)
	}
	return u
}

// recordedUsage is what an answer on record used. One that an earlier version recorded
// says nothing of tokens.
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

// UsageSummary gives what the conversation has used so far. It may be asked at any time,
// also while a turn runs.
func (c *Conversation) UsageSummary() UsageSummary {
	if a := c.usageSummary.Load(); a != nil {
		return *a
	}
	return UsageSummary{}
}

// charge adds an answer to the usage of the turn and of the session.
func (t *turn) charge(u Usage) {
	a := t.UsageSummary()
	a.Turn.add(u)
	a.Session.add(u)
	t.publishUsage(a)
}

// publishUsage publishes a with the size of the next request.
func (t *turn) publishUsage(a UsageSummary) {
	a.Context, a.Window = t.tokens(), t.setup.Window
	t.usageSummary.Store(&a)
}

// countedOrNil is for the record: nothing where nothing was counted.
func countedOrNil(u llm.Usage) *llm.Usage {
	if u == (llm.Usage{}) {
		return nil
	}
	return &u
}
