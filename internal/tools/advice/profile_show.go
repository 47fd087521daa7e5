package advice

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const (
	profileTitle  = "investor profile"
	profileSource = "investor profile, answered by the user"

	nextQuestions     = "for the next questions, use action questions"
	nextContradiction = "tell the user which answers contradict each other, and ask which one they mean"
	nothingLeft       = "every question is answered"
)

type answeredQuestion struct {
	ID     string     `json:"id"`
	Answer answerText `json:"answer"`
}

// factorAnswers is one of the nine factors, or the limits.
type factorAnswers struct {
	Factor  investor.Factor    `json:"factor"`
	Answers []answeredQuestion `json:"answers"`
	Unknown []string           `json:"unknown"` // IDs of unanswered questions
}

type tolerance struct {
	Score decimal.Decimal    `json:"score" label:"risk tolerance" as:"exact" unit:"of 100" key:"1" basis:"0 careful, 100 aggressive" formula:"points of the answers / maximum points * 100; each answer is worth 0 (careful) to 3 (aggressive) points"`
	Level investor.Tolerance `json:"level"`
}

// inconsistency is a set of answers that contradict each other.
type inconsistency struct {
	investor.Inconsistency
	Message answerText `json:"says"`
}

// adviceBasis reports whether one kind of advice may be personal.
type adviceBasis struct {
	investor.AdviceBasis
	Sentence answerText `json:"sentence"`
}

type profileAnswer struct {
	Known           bool              `json:"known"` // whether there is an answer
	Factors         []factorAnswers   `json:"factors"`
	UnknownFactors  []investor.Factor `json:"unknown_factors"` // factors without an answer
	RiskTolerance   *tolerance        `json:"risk_tolerance"`
	Age             int               `json:"age_this_year,omitempty" label:"age this year" unit:"years" key:"3" formula:"this year - year of birth"`
	HorizonYears    *int              `json:"horizon_years,omitempty" label:"years until the horizon" unit:"years" key:"2" formula:"horizon - this year"`
	Inconsistencies []inconsistency   `json:"inconsistencies"`
	Personal        bool              `json:"advice_may_be_personal" label:"advice may be personal" key:"4" basis:"advice of every kind"`
	Advice          []adviceBasis     `json:"advice"`
	Next            string            `json:"next,omitempty"`
	toolkit.Origin

	profile     investor.Profile
	year        int // this year
	left, total int // number of unanswered questions, and of all
}

// showResult returns the profile.
func (p *profileTool) showResult(ctx context.Context) (tool.Result, error) {
	have, err := p.load(ctx)
	if err != nil {
		return toolkit.RefusalResult(err)
	}
	return toolkit.Render(p.newProfileAnswer(have)), nil
}

func (p *profileTool) newProfileAnswer(have loadedProfile) profileAnswer {
	answers := answerTexts(have.Profile)
	a := profileAnswer{
		Known: len(answers) > 0, UnknownFactors: append([]investor.Factor{}, have.UnansweredFactors()...), Inconsistencies: p.inconsistencies(have.Profile),
		Personal: have.AllowsPersonalAdvice(p.Today()), Advice: p.advice(have.Profile), Origin: p.profileOrigin(have),
		profile: have.Profile, year: p.Today().Year(),
	}
	for _, q := range p.interview().Questions() {
		f := a.factor(q.Factor)
		a.total++
		if answer, ok := answers[q.ID]; ok {
			f.Answers = append(f.Answers, answeredQuestion{q.ID, answer})
			continue
		}
		f.Unknown = append(f.Unknown, q.ID)
		a.left++
	}
	// The currency is asked early but shown with the limits.
	slices.SortStableFunc(a.Factors, func(x, y factorAnswers) int { return compareLimitsLast(x) - compareLimitsLast(y) })
	if score, level, ok := have.Score(); ok {
		a.RiskTolerance = &tolerance{score, level}
	}
	if have.BirthYear != 0 {
		a.Age = a.year - have.BirthYear
	}
	if have.HorizonYear != 0 {
		a.HorizonYears = new(have.HorizonYear - a.year)
	}
	switch {
	case have.savedLater:
		a.Next = "the profile was saved after the --as-of date, so it is not used"
	case !a.Known:
		a.Next = "the profile is empty: offer an interview (action questions); the user can also fill it in with nfa profile edit"
	case len(a.Inconsistencies) > 0:
		a.Next = nextContradiction
	case a.left > 0:
		a.Next = nextQuestions
	}
	return a
}

func compareLimitsLast(f factorAnswers) int {
	if f.Factor == investor.FactorLimits {
		return 1
	}
	return 0
}

// factor returns the entry of a factor. It adds a missing one.
func (a *profileAnswer) factor(name investor.Factor) *factorAnswers {
	i := slices.IndexFunc(a.Factors, func(f factorAnswers) bool { return f.Factor == name })
	if i < 0 {
		i = len(a.Factors)
		a.Factors = append(a.Factors, factorAnswers{Factor: name, Answers: []answeredQuestion{}, Unknown: []string{}})
	}
	return &a.Factors[i]
}

func (d ProfileDeps) advice(p investor.Profile) []adviceBasis {
	var out []adviceBasis
	for _, kind := range investor.SuggestionKinds() {
		b := p.Basis(kind, d.Today())
		out = append(out, adviceBasis{b, answerText{text: b.Sentence, public: b.Public}})
	}
	return out
}

func (d ProfileDeps) inconsistencies(p investor.Profile) []inconsistency {
	out := []inconsistency{}
	for _, c := range p.Inconsistencies(d.Today()) {
		out = append(out, inconsistency{c, answerText{text: c.Message, public: c.Public}})
	}
	return out
}

// profileOrigin names the user as the source of a profile.
func (d ProfileDeps) profileOrigin(have loadedProfile) toolkit.Origin {
	return toolkit.Origin{Source: profileSource, AsOf: toolkit.FormatDate(have.UpdatedAt), FetchedAt: toolkit.FormatInstant(d.Now()), Flags: []market.Flag{}}
}

// Headline implements [toolkit.Answer].
func (a profileAnswer) Headline(lang string) string {
	zh := lang == "zh"
	switch {
	case !a.Known && zh:
		return "投资者画像是空的，建议只能是一般性的。"
	case !a.Known:
		return "Your investor profile is empty; advice is general."
	}
	risk := ""
	if t := a.RiskTolerance; t != nil && zh {
		risk = fmt.Sprintf("，风险承受能力%s（%s/100）", map[investor.Tolerance]string{investor.ToleranceLow: "低", investor.ToleranceMedium: "中等", investor.ToleranceHigh: "高"}[t.Level], t.Score)
	} else if t != nil {
		risk = fmt.Sprintf(", risk tolerance %s (%s of 100)", t.Level, t.Score)
	}
	if zh {
		return fmt.Sprintf("已回答 %d 个问题中的 %d 个%s；建议%s。", a.total, a.total-a.left, risk, map[bool]string{true: "可以针对个人", false: "只能是一般性的"}[a.Personal])
	}
	return fmt.Sprintf("%d of %d questions answered%s; advice %s.", a.total-a.left, a.total, risk, personalOrGeneral(a.Personal))
}

func personalOrGeneral(personal bool) string {
	if personal {
		return "may be personal"
	}
	return "is general"
}

// Title implements [toolkit.Titled].
func (profileAnswer) Title() string { return profileTitle }

// Summary implements [toolkit.Summarizer].
func (a profileAnswer) Summary() string {
	text := fmt.Sprintf("%d of %d answered · advice %s", a.total-a.left, a.total, personalOrGeneral(a.Personal))
	if n := len(a.Inconsistencies); n > 0 {
		text += " · " + counted(n, "contradiction")
	}
	return text
}

// Explain implements [toolkit.Explainer].
func (a profileAnswer) Explain(field string) (e toolkit.Explanation) {
	thisYear := fmt.Sprintf("this year %d", a.year)
	switch field {
	case "advice_may_be_personal":
		e.Omit = !a.Known
	case "risk_tolerance.score":
		e.Label = "risk tolerance, " + string(a.RiskTolerance.Level)
		for _, q := range investor.NewInterview(time.Time{}).Questions() {
			if choice := a.profile.Tolerance[q.ID]; choice != "" {
				e.Inputs = append(e.Inputs, q.ID+" "+choice)
			}
		}
	case "age_this_year":
		e.Inputs = []string{thisYear, fmt.Sprintf("year of birth %d", a.profile.BirthYear)}
	case "horizon_years":
		e.Inputs = []string{fmt.Sprintf("horizon %d", a.profile.HorizonYear), thisYear}
	}
	return e
}

// Tables implements [toolkit.Tabler]: the answered questions.
func (a profileAnswer) Tables() []toolkit.Table {
	t := toolkit.Table{Columns: []string{"factor", "question", "answer"}, Figures: answerFigures(a.profile)}
	for _, f := range a.Factors {
		for _, answer := range f.Answers {
			t.Rows = append(t.Rows, []string{string(f.Factor), answer.ID, answer.Answer.String()})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []toolkit.Table{t}
}

// Text implements [toolkit.Texter].
func (a profileAnswer) Text() string {
	var b strings.Builder
	b.WriteString(contradictions(a.Inconsistencies))
	for i := 0; i < len(a.Advice); {
		kinds, sentence := "", a.Advice[i].Sentence
		for ; i < len(a.Advice) && a.Advice[i].Sentence == sentence; i++ {
			kinds = joinParts(kinds, string(a.Advice[i].Kind))
		}
		fmt.Fprintf(&b, "- %s: %s\n", kinds, toolkit.EscapeMarkdown(sentence.text))
	}
	var unknown []string
	for _, f := range a.Factors {
		unknown = append(unknown, f.Unknown...)
	}
	if len(unknown) > 0 {
		fmt.Fprintf(&b, "\nNot answered: %s. Answer them one by one with `nfa profile ask`, or in an editor with `nfa profile edit`.\n", toolkit.EscapeMarkdown(strings.Join(unknown, ", ")))
	}
	return b.String()
}

func contradictions(list []inconsistency) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "! %s %s\n\n", toolkit.EscapeMarkdown(c.Message.text), toolkit.EscapeMarkdown(c.Advice))
	}
	return b.String()
}

// counted formats a number with its noun: "1 symbol", "3 symbols".
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return toolkit.Format(n, toolkit.Count, "") + " " + noun
}
