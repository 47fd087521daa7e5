package advice

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Judgement is what the user's profile says of a suggestion.
type Judgement struct {
	investor.Verdict
	// Note says why nothing is known of the user, "" where something is.
	Note string
}

// Judge holds a suggestion against the limits of the user. A suggestion that breaks
// one is not to be made; Refused tells. Who is not known has no limits: then the
// suggestion is general, and the Basis says what is missing.
func (d SuitabilityDeps) Judge(ctx context.Context, s investor.Suggestion) (Judgement, error) {
	profile, err := d.loadProfile(ctx)
	if err != nil {
		return Judgement{}, err
	}
	return profile.judge(s), nil
}

// judge rounds the weights to the digits that the limits look at.
func (p investorProfile) judge(s investor.Suggestion) Judgement {
	const places = 12
	s.Weights = maps.Clone(s.Weights)
	for symbol, weight := range s.Weights {
		s.Weights[symbol] = weight.Round(places)
	}
	s.Cash.Decimal = s.Cash.Decimal.Round(places)
	return Judgement{Verdict: p.Profile.CheckSuggestion(s), Note: p.Note}
}

// Refused reports whether a limit is broken.
func (j Judgement) Refused() bool { return !j.Allowed() }

// verdictLine is the verdict in one line, the no loud.
func (j Judgement) verdictLine() string {
	failed, open := j.Count(investor.Fail), j.Count(investor.NotJudged)
	switch {
	case failed > 0:
		return fmt.Sprintf("NO: refused by your limits (%d of %d rules fail)", failed, len(j.Rows))
	case open > 0:
		return fmt.Sprintf("No limit is broken as far as could be judged: %d pass, %d not judged", j.Count(investor.Pass), open)
	}
	return fmt.Sprintf("Within all of your limits (%d rules pass)", j.Count(investor.Pass))
}

// Lines are the verdict in words: its heading, what fails and is not judged, and
// whether the suggestion is personal or general.
func (j Judgement) Lines() []string {
	out := []string{j.verdictLine()}
	for _, outcome := range []investor.Outcome{investor.Fail, investor.NotJudged} {
		for _, r := range j.Rows {
			if r.Outcome == outcome {
				out = append(out, fmt.Sprintf("%s: %s: %s", r.Outcome, r.Rule, r.Sentence))
			}
		}
	}
	return append(out, j.basis()...)
}

// basis says whom the suggestion is for.
func (j Judgement) basis() []string {
	out := []string{j.Basis.Sentence}
	if len(j.Basis.Missing) > 0 {
		out = append(out, fmt.Sprintf("missing in your profile: %s; to answer: nfa profile", joinFew(j.Basis.Missing)))
	}
	if j.Note != "" {
		out = append(out, j.Note)
	}
	return out
}

// hidden returns the judgement without amounts. The sentence of a rule that has amounts is
// replaced by its outcome.
func (j Judgement) hidden() Judgement {
	j.Rows = slices.Clone(j.Rows)
	for i := range j.Rows {
		if r := &j.Rows[i]; r.Rule == investor.RuleCashAmount {
			r.Number, r.Threshold, r.Unit, r.Sentence = decimal.NullDecimal{}, decimal.NullDecimal{}, "", "The minimum amount of cash is not shown here."
		}
	}
	j.Basis.Sentence = j.Basis.Public
	return j
}

// JudgeMix judges a new mix: weights of a whole portfolio, a fraction for each symbol; the rest
// is cash. The classes of the symbols are those recorded in the portfolio. The lines are for
// every reader and hold no amount.
func (d SuitabilityDeps) JudgeMix(ctx context.Context, weights map[market.Symbol]decimal.Decimal) (lines []string, refused bool, err error) {
	s := investor.Suggestion{Kind: investor.SuggestOptimize, AsOf: d.Now(), Weights: maps.Clone(weights)}
	cash := decimal.NewFromInt(1)
	for _, weight := range weights {
		cash = cash.Sub(weight)
	}
	// Weights are rounded; what rounding leaves is no cash.
	if cash.Abs().LessThan(decimal.New(1, -3)) {
		cash = decimal.Zero
	}
	// More than the whole is no portfolio without debt, which nobody spoke of: the sum
	// is judged as it is, and no cash below zero makes it whole.
	if !cash.IsNegative() {
		s.Cash = decimal.NewNullDecimal(cash)
	}
	if s.Classes, err = d.classes(ctx, weights); err != nil {
		return nil, false, err
	}
	j, err := d.Judge(ctx, s)
	if err != nil {
		return nil, false, err
	}
	return j.hidden().Lines(), j.Refused(), nil
}

// JudgeSize judges one purchase by its part of the whole. Nothing is known of the
// rest, so that rules of the whole are not judged. Without a symbol, neither are
// those of what it is.
func (d SuitabilityDeps) JudgeSize(ctx context.Context, symbol string, part decimal.Decimal) (lines []string, refused bool, err error) {
	name := market.Symbol("the position")
	if symbol != "" {
		if name, err = market.ParseSymbol(symbol); err != nil {
			return nil, false, err
		}
	}
	weights := map[market.Symbol]decimal.Decimal{name: part}
	s := investor.Suggestion{Kind: investor.SuggestSize, AsOf: d.Now(), Weights: weights}
	if s.Classes, err = d.classes(ctx, weights); err != nil {
		return nil, false, err
	}
	j, err := d.Judge(ctx, s)
	if err != nil {
		return nil, false, err
	}
	for i := range j.Rows {
		if r := &j.Rows[i]; symbol == "" && r.Rule == investor.RuleExcludedSymbols && r.Outcome == investor.Pass {
			r.Outcome, r.Sentence = investor.NotJudged, "Which symbol it is was not said."
		}
	}
	return j.hidden().Lines(), j.Refused(), nil
}

// classes are those of symbols: by the user's word, else by the kind of instrument
// where the directory tells it.
func (d SuitabilityDeps) classes(ctx context.Context, weights map[market.Symbol]decimal.Decimal) (map[market.Symbol]portfolio.Class, error) {
	out := map[market.Symbol]portfolio.Class{}
	kinds := map[market.Symbol]string{}
	if d.Directory != nil {
		// A directory that does not answer leaves classes unknown, which no rule passes.
		all, _ := d.Directory.Instruments(ctx)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("classes of a suggestion: %w", ctx.Err())
		}
		for _, i := range all {
			kinds[i.Symbol] = i.Kind
		}
	}
	facts := map[market.Symbol]portfolio.Security{}
	if d.Store != nil {
		ledger, err := d.Store.Ledger(ctx)
		if err != nil {
			return nil, fmt.Errorf("classes of a suggestion: %w", err)
		}
		for _, f := range ledger.Securities {
			if !f.RecordedOn.After(toolkit.Today(d.Now())) {
				facts[f.Symbol] = f
			}
		}
	}
	for sym := range weights {
		if class := classOf(facts[sym], kinds[sym]); class != "" {
			out[sym] = class
		}
	}
	return out, nil
}

// maxNamed bounds a list in a sentence.
const maxNamed = 12

func joinFew(all []string) string {
	if len(all) <= maxNamed {
		return joinAnd(all)
	}
	return joinAnd(all[:maxNamed]) + fmt.Sprintf(" and %d more", len(all)-maxNamed)
}
