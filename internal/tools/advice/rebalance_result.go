package advice

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// hidden is the answer without any sum or quantity.
func (a rebalanceAnswer) hidden() rebalanceAnswer {
	a.Amounts, a.Total, a.Cash = toolkit.AmountsHiddenNote, nil, nil
	a.Cost.Fees, a.Cost.Tax, a.Cost.Unknown = nil, nil, nil
	a.Cost.Gains, a.Drift = slices.Clone(a.Cost.Gains), slices.Clone(a.Drift)
	a.Trades, a.LeftOut = slices.Clone(a.Trades), slices.Clone(a.LeftOut)
	for i := range a.Cost.Gains {
		a.Cost.Gains[i].Gain = nil
	}
	for i := range a.Drift {
		a.Drift[i].Value, a.Drift[i].ValueAfter = nil, nil
	}
	for i := range a.LeftOut {
		a.LeftOut[i].Value = nil
	}
	for i := range a.Trades {
		t := &a.Trades[i]
		t.Quantity, t.Price, t.Value, t.Fee, t.Gain, t.Tax = nil, nil, nil, nil, nil, nil
		t.Lots = slices.Clone(t.Lots)
		for j := range t.Lots {
			t.Lots[j] = lotJSON{Acquired: t.Lots[j].Acquired, Term: t.Lots[j].Term}
		}
	}
	a.judged = a.judged.hidden()
	a.Verdict.Basis = a.judged.basis()
	a.Verdict.Rules = slices.Clone(a.Verdict.Rules)
	for i, r := range a.judged.Rows {
		a.Verdict.Rules[i].Why = r.Sentence
	}
	return a
}

// result gives the answer. One that the limits refuse is an error that shows all
// the same what was refused.
func (a rebalanceAnswer) result(hide bool) (tool.Result, error) {
	model := a
	if hide {
		model = a.hidden()
	}
	res := tool.Result{
		Title: toolkit.Abbreviate("rebalance · " + a.AsOf), Summary: a.summary(), ForUser: a.markdown(), Figures: model.figures(),
	}
	if a.Verdict.Refused {
		res.IsError, res.Code = true, tool.CodeRefused
		// A step of a skill tells a model the text of an error.
		a.Error, a.Code = model.markdown(), tool.CodeRefused
		model.Error, model.Code = a.Verdict.Decision, tool.CodeRefused
	}
	res.Value = a
	var err error
	res.ForModel, err = model.fitForModel()
	return res, err
}

// fitForModel is the answer as a model reads it: what it can do without is left out where
// the answer is too long, first the lots, then what is within its band, then the
// small trades.
func (a rebalanceAnswer) fitForModel() (string, error) {
	text, err := toolkit.EncodeResult(a)
	if err != nil || len(text) <= toolkit.MaxEncodedBytes {
		return text, err
	}
	a.Warnings = append(slices.Clone(a.Warnings), "this is too long to be given whole: lots, holdings within their bands or small trades are left out; the user sees all")
	a.Trades = slices.Clone(a.Trades)
	for i := range a.Trades {
		a.Trades[i].Lots = nil
	}
	if text, err = toolkit.EncodeResult(a); err != nil || len(text) <= toolkit.MaxEncodedBytes {
		return text, err
	}
	a.Drift = slices.DeleteFunc(slices.Clone(a.Drift), func(d driftJSON) bool { return !d.Outside && !d.OutsideAfter })
	slices.SortStableFunc(a.Drift, func(x, y driftJSON) int { return y.Drift.Abs().Cmp(x.Drift.Abs()) })
	slices.SortStableFunc(a.Trades, func(x, y tradeJSON) int { return y.Part.Cmp(x.Part) })
	for {
		if text, err = toolkit.EncodeResult(a); err != nil || len(text) <= toolkit.MaxEncodedBytes || len(a.Drift)+len(a.Trades)+len(a.LeftOut)+len(a.Warnings) < 8 {
			return text, err
		}
		a.Drift, a.Trades, a.LeftOut = a.Drift[:len(a.Drift)*3/4], a.Trades[:len(a.Trades)*3/4], a.LeftOut[:len(a.LeftOut)*3/4]
		a.Warnings = slices.Concat(a.Warnings[:(len(a.Warnings)-1)*3/4], a.Warnings[len(a.Warnings)-1:])
	}
}
