package advice

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// JournalDeps holds the decision journal and the price sources.
type JournalDeps struct {
	toolkit.LatestPrices
	// Journal stores the decisions. If nil, there is no journal tool.
	Journal investor.Decisions
	// NewID returns a unique ID of letters, digits, - and _. If nil, there is no journal tool.
	NewID func() (string, error)
	// Benchmark is the default benchmark of a decision, or "".
	Benchmark string
	// Alerts adds a rule for a break point with a figure. Without Open there are no rules.
	Alerts AlertDeps
}

// JournalTools returns the tools of the decision journal.
func JournalTools(d JournalDeps) []tool.Tool {
	if d.Journal == nil || d.NewID == nil {
		return nil
	}
	return []tool.Tool{newDecisionJournal(d)}
}

const decisionJournalDescription = `The user's decision journal: records why they buy, sell, hold or avoid something after they confirm, and later scores decisions against a benchmark. Use for "I decided to sell X" or "were my decisions right". Ask what would disprove it; never invent it.`

const decisionJournalDetails = `record saves a decision with thesis and disproof in the user's words, and the latest price unless the user gives one. benchmark is the alternative investment, such as a broad fund, or none. review_on is the review date; confidence is the user's probability from 0 to 1. A part of disproof that is an alert rule, such as gross margin below 40% or AAPL below 120, also adds the rule. close ends a decision with its result. remove deletes one that was recorded by mistake.
list returns the latest decisions; with id, one in full. review scores all decisions, or only the one with id: return of each asset since the decision compared with its benchmark over the same period, hit rate with its 95% interval, and decisions that are due. Go through the disproof of each due decision with the user.
Fields that end in _pct are in percent. return_kind says whether dividends are included. edge_pct is the excess return in the direction of the decision: a sale was right if the asset did worse than its benchmark. Annual figures require at least one year, rates and means at least 5 judged decisions; with fewer, the result is mostly chance. Past hits say little about the next decision. null means unknown; notes give the reason.`

const decisionJournalKeywords = "decision decisions journal diary thesis reason why decided record review score hindsight hit rate disproof wrong right mistake confidence due 决定 决策 日志 复盘 理由 判断 胜率"

var decisionJournalPhrasings = []string{
	"I decided to buy <sym> because earnings will grow",
	"write down why I sold <sym>",
	"how good were my decisions",
	"which of my decisions are due for review",
	"close my decision on <sym>",
	"记录我买入<sym>的理由",
	"复盘一下我过去的决策",
	"我的判断胜率有多高",
}

type decisionInput struct {
	Action     string       `json:"action,omitempty" jsonschema:"list, record, close, review or remove. Default list."`
	ID         string       `json:"id,omitempty"`
	Symbols    []string     `json:"symbols,omitempty" arg:"rare" jsonschema:"For record: several symbols, main symbol first."`
	Symbol     string       `json:"symbol,omitempty" jsonschema:"For record: the symbol. For list and review: a filter."`
	Decision   string       `json:"decision,omitempty" jsonschema:"buy, sell, hold, avoid or other."`
	Thesis     string       `json:"thesis,omitempty" jsonschema:"The user's reason."`
	Disproof   string       `json:"disproof,omitempty" jsonschema:"What would prove it wrong."`
	Price      json.Number  `json:"price,omitempty" arg:"rare" jsonschema:"The user's price of the main symbol. Default: the latest price."`
	Currency   string       `json:"currency,omitempty" arg:"rare" jsonschema:"Currency of price. Default: the market's currency."`
	Benchmark  string       `json:"benchmark,omitempty" jsonschema:"Symbol, or none. Default: the user's setting."`
	ReviewOn   string       `json:"review_on,omitempty" jsonschema:"YYYY-MM-DD."`
	Confidence *json.Number `json:"confidence,omitempty" jsonschema:"The user's probability, 0 to 1."`
	Date       string       `json:"date,omitempty" arg:"rare" jsonschema:"For record: date of the decision, YYYY-MM-DD. Default: today."`
	Outcome    string       `json:"outcome,omitempty" jsonschema:"For close: the result."`
	Limit      int          `json:"limit,omitempty" arg:"rare" jsonschema:"For list: at most this many. Default 20."`
}

// journalTool is the decision journal tool.
type journalTool struct {
	JournalDeps
	saving sync.Mutex
}

func newDecisionJournal(d JournalDeps) tool.Tool {
	j := &journalTool{JournalDeps: d}
	return toolkit.NewMutationTool("decision_journal", decisionJournalDescription, tool.Reads, j.plan).Asks("Change your decision journal?").WithDetails(decisionJournalDetails).Find("ledger", decisionJournalKeywords, decisionJournalPhrasings...)
}

func (j *journalTool) plan(ctx context.Context, in decisionInput) toolkit.MutationPlan {
	if err := in.check(); err != nil {
		return toolkit.RefusedPlan(err)
	}
	switch in.Action {
	case "record":
		return j.planRecord(ctx, in)
	case "close":
		return j.planClose(ctx, in)
	case "remove":
		return j.planRemove(ctx, in)
	case "review":
		return toolkit.ReadOnlyPlan(func(ctx context.Context) (tool.Result, error) { return j.review(ctx, in) })
	}
	return toolkit.ReadOnlyPlan(func(ctx context.Context) (tool.Result, error) { return j.listDecisions(ctx, in) })
}

func (in decisionInput) check() error {
	ofRecord := in.Thesis != "" || in.Disproof != "" || in.Price != "" || in.Currency != "" || in.Benchmark != "" ||
		in.ReviewOn != "" || in.Confidence != nil || in.Date != "" || in.Decision != "" || in.Symbols != nil
	switch {
	case !slices.Contains([]string{"", "list", "record", "close", "review", "remove"}, in.Action):
		return toolkit.InvalidArgsf("unknown action %.40q; use list, record, close, review or remove", in.Action)
	case ofRecord && in.Action != "record":
		return toolkit.InvalidArgsf("action %s does not accept fields of action record; to save a decision, use action record", cmp.Or(in.Action, "list"))
	case in.Outcome != "" && in.Action != "close":
		return toolkit.InvalidArgsf("outcome is only for action close")
	case in.Limit != 0 && in.Action != "" && in.Action != "list":
		return toolkit.InvalidArgsf("limit is only for action list")
	case in.Limit < 0:
		return toolkit.InvalidArgsf("limit must be above zero")
	case in.ID != "" && in.Action == "record":
		return toolkit.InvalidArgsf("omit id: a new decision gets one automatically")
	case in.ID == "" && (in.Action == "close" || in.Action == "remove"):
		return toolkit.InvalidArgsf("id is required; find it with action list")
	}
	return nil
}

// loadDecisions returns the decisions as of the clock, oldest first. Decisions made later are
// omitted; decisions closed later are open.
func (j *journalTool) loadDecisions(ctx context.Context) ([]investor.Decision, error) {
	all, err := j.Journal.Decisions(ctx)
	if err != nil {
		return nil, fmt.Errorf("load journal: %w", err)
	}
	var out []investor.Decision
	today := j.Today()
	for _, d := range all {
		if d.Date.After(today) {
			continue
		}
		if d.Closed.After(today) {
			d.Closed, d.Outcome = market.Date{}, ""
		}
		out = append(out, d)
	}
	return out, nil
}

// selectDecisions returns the decisions that a call selects.
func (j *journalTool) selectDecisions(ctx context.Context, in decisionInput) ([]investor.Decision, error) {
	all, err := j.loadDecisions(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, toolkit.NoDataf("the journal is empty; record a decision in the chat or with nfa journal record buy SYMBOL --thesis WHY --disproof WHAT")
	case in.ID != "":
		d, err := findDecision(all, in.ID)
		return []investor.Decision{d}, err
	case in.Symbol == "":
		return all, nil
	}
	sym, err := market.ParseSymbol(in.Symbol)
	if err != nil {
		return nil, toolkit.InvalidArgs(err)
	}
	about := func(d investor.Decision) bool {
		return slices.ContainsFunc(d.Assets, func(m investor.PricedAsset) bool { return m.Symbol == sym })
	}
	all = slices.DeleteFunc(all, func(d investor.Decision) bool { return !about(d) })
	if len(all) == 0 {
		return nil, toolkit.NoDataf("no decisions about %s", sym)
	}
	return all, nil
}

// findDecision returns the decision with an id. If there is none, the error names some open
// decisions.
func findDecision(all []investor.Decision, id string) (investor.Decision, error) {
	var open []string
	for _, d := range slices.Backward(all) {
		if d.ID == id {
			return d, nil
		}
		if d.Closed.IsZero() && len(open) < maxOfferedDecisions {
			open = append(open, headline(d))
		}
	}
	if open == nil {
		return investor.Decision{}, toolkit.InvalidArgsf("no decision with id %.70q; there are no open decisions", id)
	}
	return investor.Decision{}, toolkit.InvalidArgsf("no decision with id %.70q; open decisions: %s", id, strings.Join(open, "; "))
}

const maxOfferedDecisions = 8

// headline identifies a decision: "1r6x8e2 (buy VTI on 2024-01-02)".
func headline(d investor.Decision) string {
	return fmt.Sprintf("%s (%s %s on %s)", d.ID, d.Action, joinSymbols(d), toolkit.FormatDate(d.Date))
}

func joinSymbols(d investor.Decision) string {
	symbols := make([]string, len(d.Assets))
	for i, m := range d.Assets {
		symbols[i] = string(m.Symbol)
	}
	return strings.Join(symbols, ", ")
}
