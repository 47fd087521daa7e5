package checkup

import "fmt"

// Check holds the book against every rule. There is a row for each, in the same
// order each time.
func (b Book) Check(l Limits) []Row {
	rows := []Row{b.priced(), b.fresh(l)}
	weighed := []Row{b.largest(l), b.topFive(l), b.effective(l)}
	weighed = append(weighed, b.classes(l)...)
	weighed = append(weighed, b.foreign(l), b.region(l), b.fee(l), b.reserve(), b.idle(l), b.drift(l))
	for i, r := range weighed {
		weighed[i] = b.whole(r)
	}
	rows = append(append(rows, weighed...), b.overlap(l), b.whole(b.payer(l)), b.whole(b.yield(l)))
	for i := range rows {
		rows[i].Inputs = shortened(rows[i].Inputs)
	}
	return rows
}

// mostInputs bounds what a row lists.
const mostInputs = 12

func shortened(inputs []string) []string {
	if len(inputs) <= mostInputs {
		return inputs
	}
	return append(inputs[:mostInputs:mostInputs], fmt.Sprintf("and %d more", len(inputs)-mostInputs))
}

// whole takes back a judgement of weights that are of a part of the book, or of
// nothing.
func (b Book) whole(r Row) Row {
	switch {
	case b.Weightless != "":
		r.Number.Valid = false
		return r.unjudged(b.Weightless, "")
	case len(b.Unpriced) > 0 && r.Outcome != NotJudged:
		return r.unjudged("the number is of a part of the book, as there is no worth of "+reasons(b.Unpriced), "see the rule "+string(RulePriced))
	}
	return r
}

// Count tells how many rows have an outcome.
func Count(rows []Row, o Outcome) int {
	n := 0
	for _, r := range rows {
		if r.Outcome == o {
			n++
		}
	}
	return n
}
