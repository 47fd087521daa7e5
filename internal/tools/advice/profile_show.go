package advice

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type answeredQuestion struct {
	ID     string `json:"id"`
	Answer string `json:"answer"`
}

// factorAnswers is one of the nine, or the limits.
type factorAnswers struct {
	Factor  investor.Factor    `json:"factor"`
	Answers []answeredQuestion `json:"answers"`
	Unknown []string           `json:"unknown"` // IDs of its open questions
}

type tolerance struct {
	Score decimal.Decimal    `json:"score"` // from 0, the most careful, to 100
	Level investor.Tolerance `json:"level"`
}

type profileAnswer struct {
	Known           bool                     `json:"known"` // whether anything was said
	Factors         []factorAnswers          `json:"factors"`
	UnknownFactors  []investor.Factor        `json:"unknown_factors"` // of which nothing was said
	RiskTolerance   *tolerance               `json:"risk_tolerance"`
	Inconsistencies []investor.Inconsistency `json:"inconsistencies"`
	Personal        bool                     `json:"advice_may_be_personal"` // of every kind
	Advice          []investor.AdviceBasis   `json:"advice"`
	Amounts         string                   `json:"amounts,omitempty"`
	Next            string                   `json:"next,omitempty"`
	toolkit.Origin

	left int
}

// showResult gives what is known.
func (p *profileTool) showResult(ctx context.Context) (tool.Result, error) {
	have, err := p.load(ctx)
	if err != nil {
		return toolkit.RefusalResult(err)
	}
	a := p.newProfileAnswer(have)
	model, err := toolkit.EncodeResult(p.maskedProfile(a))
	if err != nil {
		return tool.Result{}, err
	}
	total := len(p.interview().Questions())
	summary := fmt.Sprintf("%d of %d answered · advice %s", total-a.left, total, personalOrGeneral(a.Personal))
	if n := len(a.Inconsistencies); n > 0 {
		summary += fmt.Sprintf(" · %d contradictions", n)
	}
	return tool.Result{
		Value: a, ForModel: model, ForUser: a.markdown(), Title: "investor profile", Summary: summary, Figures: p.figures(have.Profile),
	}, nil
}

func personalOrGeneral(personal bool) string {
	if personal {
		return "may be personal"
	}
	return "is general"
}

func (p *profileTool) newProfileAnswer(have loadedProfile) profileAnswer {
	answers := have.Answers()
	a := profileAnswer{
		Known: len(answers) > 0, UnknownFactors: append([]investor.Factor{}, have.UnansweredFactors()...),
		Inconsistencies: append([]investor.Inconsistency{}, have.Inconsistencies(p.Today())...),
		Personal:        have.AllowsPersonalAdvice(p.Today()), Advice: p.advice(have.Profile), Origin: p.profileOrigin(have),
	}
	for _, q := range p.interview().Questions() {
		f := a.factor(q.Factor)
		if text := answers[q.ID]; text != "" {
			f.Answers = append(f.Answers, answeredQuestion{q.ID, text})
			continue
		}
		f.Unknown = append(f.Unknown, q.ID)
		a.left++
	}
	// The currency is asked for early, and belongs to the limits all the same.
	slices.SortStableFunc(a.Factors, func(x, y factorAnswers) int { return compareLimitsLast(x) - compareLimitsLast(y) })
	if score, level, ok := have.Score(); ok {
		a.RiskTolerance = &tolerance{score, level}
	}
	switch {
	case have.savedLater:
		a.Next = "a profile was saved after the clock, which is set back: nothing of it was known then"
	case !a.Known:
		a.Next = "nothing is known of the user: offer to ask, with action questions; they can also fill it in by nfa profile edit"
	case len(a.Inconsistencies) > 0:
		a.Next = "tell the user what contradicts each other, and ask which is meant"
	case a.left > 0:
		a.Next = "action questions gives what to ask next"
	}
	return a
}

func compareLimitsLast(f factorAnswers) int {
	if f.Factor == investor.FactorLimits {
		return 1
	}
	return 0
}

// factor is the entry of a factor, made where it is not there yet.
func (a *profileAnswer) factor(name investor.Factor) *factorAnswers {
	i := slices.IndexFunc(a.Factors, func(f factorAnswers) bool { return f.Factor == name })
	if i < 0 {
		i = len(a.Factors)
		a.Factors = append(a.Factors, factorAnswers{Factor: name, Answers: []answeredQuestion{}, Unknown: []string{}})
	}
	return &a.Factors[i]
}

func (d ProfileDeps) advice(p investor.Profile) []investor.AdviceBasis {
	var out []investor.AdviceBasis
	for _, kind := range investor.SuggestionKinds() {
		out = append(out, p.Basis(kind, d.Today()))
	}
	return out
}

// profileOrigin is where a profile is from: nobody but the user.
func (d ProfileDeps) profileOrigin(have loadedProfile) toolkit.Origin {
	return toolkit.Origin{Source: profileSource, AsOf: toolkit.FormatDate(have.UpdatedAt), FetchedAt: toolkit.FormatInstant(d.Now()), Flags: []market.Flag{}}
}

const profileSource = "investor profile, as the user said"

// maskedProfile is the answer as a model may read it.
func (d ProfileDeps) maskedProfile(a profileAnswer) profileAnswer {
	if !d.HideAmounts {
		return a
	}
	a.Amounts = toolkit.AmountsHiddenNote
	a.Factors = slices.Clone(a.Factors)
	for i := range a.Factors {
		f := &a.Factors[i]
		f.Answers = slices.Clone(f.Answers)
		for j := range f.Answers {
			f.Answers[j].Answer = maskedAnswer(f.Answers[j].ID, f.Answers[j].Answer)
		}
	}
	a.Inconsistencies, a.Advice = maskInconsistencies(a.Inconsistencies), maskAdvice(a.Advice)
	return a
}

func (a profileAnswer) markdown() string {
	var b strings.Builder
	var rows [][]string
	for _, f := range a.Factors {
		for _, answer := range f.Answers {
			rows = append(rows, []string{string(f.Factor), answer.ID, answer.Answer})
		}
		for _, id := range f.Unknown {
			rows = append(rows, []string{string(f.Factor), id, unknownAnswer})
		}
	}
	b.WriteString(toolkit.MarkdownTable([]string{"factor", "question", "answer"}, rows) + "\n")
	if a.RiskTolerance != nil {
		fmt.Fprintf(&b, "Risk tolerance: %s, %s of 100\n\n", a.RiskTolerance.Level, a.RiskTolerance.Score)
	}
	b.WriteString(contradictions(a.Inconsistencies))
	for _, basis := range a.Advice {
		fmt.Fprintf(&b, "%s: %s\n\n", basis.Kind, toolkit.TableCell(basis.Sentence))
	}
	if !a.Known {
		b.WriteString("Nothing was said yet. To begin: `nfa profile edit`, or ask for the interview.\n\n")
	}
	b.WriteString(a.Footer() + "\n")
	return b.String()
}
