package advice

import (
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

const decisionJournalDescription = `Keeps the user's decisions with the reason and what would prove it wrong, and scores them later against a benchmark.
Use record when the user decides to buy, sell, hold or avoid something: thesis in their words, and disproof, "what would disprove it?": ask for it, never invent it. The price is filled in from the newest known unless they name theirs. benchmark is what the money could have done instead (a broad fund): ask, or "none". review_on is the day to look again, confidence the chance they give it, 0 to 1. close ends a decision with what came of it, remove takes out one that was recorded by mistake. The user is asked before anything is written.
list (the standard) gives the newest decisions, with id one in full. review scores all of them, or the one of id, by what each asset returned since its day against its benchmark over the same days, with the hit rate and its 95 % interval, and lists which are due: go through the disproof of each with the user.
All _pct are per cents. return_kind says whether dividends are in it. edge_pct is the excess in the direction of the decision: a sale is right where the asset lagged. Yearly figures are given from one year on, rates and means from 5 judged decisions on: below that it is chance, say so. Past hits say little of the next decision. null is not known, and notes say why.`

type decisionInput struct {
	Action     string   `json:"action,omitempty" jsonschema:"list (the standard), record, close, review or remove"`
	ID         string   `json:"id,omitempty" jsonschema:"of a decision, for close and remove, and for list and review of one alone"`
	Symbols    []string `json:"symbols,omitempty" jsonschema:"with record: what it is about, the main one first"`
	Symbol     string   `json:"symbol,omitempty" jsonschema:"one symbol instead of symbols; with list and review only decisions about it"`
	Decision   string   `json:"decision,omitempty" jsonschema:"with record: buy, sell, hold, avoid or other"`
	Thesis     string   `json:"thesis,omitempty" jsonschema:"with record: why, in the user's words"`
	Disproof   string   `json:"disproof,omitempty" jsonschema:"with record: what would show it to be wrong"`
	Price      float64  `json:"price,omitempty" jsonschema:"with record: what one unit of the main symbol costs to the user; the newest known price when left out"`
	Currency   string   `json:"currency,omitempty" jsonschema:"of price; that of the market when left out"`
	Benchmark  string   `json:"benchmark,omitempty" jsonschema:"with record: a symbol to hold it against, such as VTI, or none; the user's setting when left out"`
	ReviewOn   string   `json:"review_on,omitempty" jsonschema:"with record: the day to look again, YYYY-MM-DD"`
	Confidence *float64 `json:"confidence,omitempty" jsonschema:"with record: the chance from 0 to 1 that the user gives it of being right"`
	Date       string   `json:"date,omitempty" jsonschema:"with record: an earlier day on which it was decided, YYYY-MM-DD; today when left out"`
	Outcome    string   `json:"outcome,omitempty" jsonschema:"with close: what came of it, in the user's words"`
	Limit      int      `json:"limit,omitempty" jsonschema:"with list: how many at most, the newest; 20 when left out"`

	price, confidence json.Number // digit by digit; "" where none was given
}

// UnmarshalJSON keeps numbers as they were written: a float64 would round them.
func (in *decisionInput) UnmarshalJSON(raw []byte) error {
	type plain decisionInput
	decoded := struct {
		*plain
		Price      json.Number `json:"price"`
		Confidence json.Number `json:"confidence"`
	}{plain: (*plain)(in)}
	err := json.Unmarshal(raw, &decoded)
	in.price, in.confidence = decoded.Price, decoded.Confidence
	return err
}

// journalTool is the tool of the decision journal.
type journalTool struct {
	JournalDeps
	saving sync.Mutex
}

func newDecisionJournal(d JournalDeps) tool.Tool {
	j := &journalTool{JournalDeps: d}
	return toolkit.NewMutationTool("decision_journal", decisionJournalDescription, j.plan)
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
	ofRecord := in.Thesis != "" || in.Disproof != "" || in.price != "" || in.Currency != "" || in.Benchmark != "" ||
		in.ReviewOn != "" || in.confidence != "" || in.Date != "" || in.Decision != "" || in.Symbols != nil
	switch {
	case !slices.Contains([]string{"", "list", "record", "close", "review", "remove"}, in.Action):
		return toolkit.InvalidArgsf("action %.40q: give list, record, close, review or remove", in.Action)
	case ofRecord && in.Action != "record":
		return toolkit.InvalidArgsf("a decision is kept with action record; of the fields of record, %s takes none", orList(in.Action))
	case in.Outcome != "" && in.Action != "close":
		return toolkit.InvalidArgsf("outcome belongs to action close")
	case in.Limit != 0 && in.Action != "" && in.Action != "list":
		return toolkit.InvalidArgsf("limit belongs to action list")
	case in.Limit < 0:
		return toolkit.InvalidArgsf("limit is above zero")
	case in.ID != "" && in.Action == "record":
		return toolkit.InvalidArgsf("a new decision gets its id by itself")
	case in.ID == "" && (in.Action == "close" || in.Action == "remove"):
		return toolkit.InvalidArgsf("no id; action list gives those that there are")
	}
	return nil
}

func orList(action string) string {
	if action == "" {
		return "list"
	}
	return action
}

// loadDecisions are the decisions as they stood at the clock, oldest first: one that was
// made later is not among them, and one that was closed later is open.
func (j *journalTool) loadDecisions(ctx context.Context) ([]investor.Decision, error) {
	all, err := j.Journal.Decisions(ctx)
	if err != nil {
		return nil, fmt.Errorf("loading the journal: %w", err)
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

// selectDecisions are the decisions that a call asks for.
func (j *journalTool) selectDecisions(ctx context.Context, in decisionInput) ([]investor.Decision, error) {
	all, err := j.loadDecisions(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, toolkit.NoDataf("the journal is empty; nfa journal record buy SYMBOL --thesis WHY --disproof WHAT records a decision, and in the chat it is enough to tell it")
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
		return nil, toolkit.NoDataf("no decision is about %s", sym)
	}
	return all, nil
}

// findDecision is the decision of an id. Where there is none the error names some that are
// open.
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
		return investor.Decision{}, toolkit.InvalidArgsf("no decision has the id %.70q, and none is open", id)
	}
	return investor.Decision{}, toolkit.InvalidArgsf("no decision has the id %.70q; open are %s", id, strings.Join(open, "; "))
}

const maxOfferedDecisions = 8

// headline names a decision in a few words: "1r6x8e2 (buy VTI of 2024-01-02)".
func headline(d investor.Decision) string {
	return fmt.Sprintf("%s (%s %s of %s)", d.ID, d.Action, joinSymbols(d), toolkit.FormatDate(d.Date))
}

func joinSymbols(d investor.Decision) string {
	symbols := make([]string, len(d.Assets))
	for i, m := range d.Assets {
		symbols[i] = string(m.Symbol)
	}
	return strings.Join(symbols, ", ")
}
