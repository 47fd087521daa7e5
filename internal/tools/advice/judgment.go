package advice

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Judgment is the result of checking a suggestion against the user's profile.
type Judgment struct {
	investor.Verdict
	// Note is why there is no profile, "" if there is one.
	Note string
}

// Judge checks a suggestion against the limits of the user. If Refused, do not make the suggestion.
// Without a profile there are no limits: the suggestion is general, and Basis lists what is
// missing.
func (d SuitabilityDeps) Judge(ctx context.Context, s investor.Suggestion) (Judgment, error) {
	profile, err := d.loadProfile(ctx)
	if err != nil {
		return Judgment{}, err
	}
	return profile.judge(s), nil
}

// judge checks a suggestion, with weights rounded to the precision of the limits.
func (p investorProfile) judge(s investor.Suggestion) Judgment {
	const places = 12
	s.Weights = maps.Clone(s.Weights)
	for symbol, weight := range s.Weights {
		s.Weights[symbol] = weight.Round(places)
	}
	s.Cash.Decimal = s.Cash.Decimal.Round(places)
	return Judgment{Verdict: p.Profile.CheckSuggestion(s), Note: p.Note}
}

// Refused reports whether a limit is broken.
func (j Judgment) Refused() bool { return !j.Allowed() }

// verdictLine returns the verdict in one line, with a failure in capitals.
func (j Judgment) verdictLine() string {
	failed, open := j.Count(investor.Fail), j.Count(investor.NotJudged)
	switch {
	case failed > 0:
		return fmt.Sprintf("NO: refused by your limits (%d of %d rules fail)", failed, len(j.Rows))
	case open > 0:
		return fmt.Sprintf("No limit is broken: %d pass, %d could not be checked", j.Count(investor.Pass), open)
	}
	return fmt.Sprintf("Within all of your limits (%d rules pass)", j.Count(investor.Pass))
}

// Lines returns the verdict, the limits that fail or are not judged, and whether the suggestion is
// personal or general.
func (j Judgment) Lines() []string {
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

// basis returns whether the suggestion is personal or general.
func (j Judgment) basis() []string {
	out := []string{j.Basis.Sentence}
	if len(j.Basis.Missing) > 0 {
		out = append(out, fmt.Sprintf("missing from your profile: %s; to add it: nfa profile", joinFew(j.Basis.Missing)))
	}
	if j.Note != "" {
		out = append(out, j.Note)
	}
	return out
}

// hidden returns the judgment without amounts. A sentence with amounts is replaced by the outcome
// of its rule.
func (j Judgment) hidden() Judgment {
	j.Rows = slices.Clone(j.Rows)
	for i := range j.Rows {
		if r := &j.Rows[i]; r.Rule == investor.RuleCashAmount {
			r.Number, r.Threshold, r.Unit, r.Sentence = decimal.NullDecimal{}, decimal.NullDecimal{}, "", "The minimum amount of cash is not shown here."
		}
	}
	j.Basis.Sentence = j.Basis.Public
	return j
}

// JudgeMix judges a new portfolio, given as a fraction for each symbol; the rest is cash. Classes
// are those recorded in the portfolio. The lines hold no amounts, so they may be shown to models.
func (d SuitabilityDeps) JudgeMix(ctx context.Context, weights map[market.Symbol]decimal.Decimal) (lines []string, refused bool, err error) {
	s := investor.Suggestion{Kind: investor.SuggestOptimize, AsOf: d.Now(), Weights: maps.Clone(weights)}
	cash := decimal.NewFromInt(1)
	for _, weight := range weights {
		cash = cash.Sub(weight)
	}
	// Weights are rounded; a rounding remainder is not cash.
	if cash.Abs().LessThan(decimal.New(1, -3)) {
		cash = decimal.Zero
	}
	// Weights above 1 are judged as they are, because negative cash would imply debt that the call does not
	// mention.
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

// JudgeSize judges one purchase by its fraction of the portfolio. The rest is unknown, so rules
// about the whole portfolio are not judged. Without a symbol, rules about the kind of security are
// not judged either.
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
			r.Outcome, r.Sentence = investor.NotJudged, "The symbol is unknown."
		}
	}
	return j.hidden().Lines(), j.Refused(), nil
}

// classes returns the class of each symbol: as recorded by the user, else by the kind of instrument
// in the directory.
func (d SuitabilityDeps) classes(ctx context.Context, weights map[market.Symbol]decimal.Decimal) (map[market.Symbol]portfolio.Class, error) {
	out := map[market.Symbol]portfolio.Class{}
	kinds := map[market.Symbol]string{}
	if d.Directory != nil {
		// If the directory fails, classes are unknown, and rules that need them do not pass.
		all, _ := d.Directory.Instruments(ctx)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("find asset classes: %w", ctx.Err())
		}
		for _, i := range all {
			kinds[i.Symbol] = i.Kind
		}
	}
	facts := map[market.Symbol]portfolio.Security{}
	if d.Store != nil {
		ledger, err := d.Store.Ledger(ctx)
		if err != nil {
			return nil, fmt.Errorf("find asset classes: %w", err)
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

// maxNamed limits a list in a sentence.
const maxNamed = 12

func joinFew(all []string) string {
	if len(all) <= maxNamed {
		return humanize.JoinAnd(all)
	}
	return humanize.JoinAnd(all[:maxNamed]) + fmt.Sprintf(" and %d more", len(all)-maxNamed)
}
