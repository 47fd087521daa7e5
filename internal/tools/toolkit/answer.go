package toolkit

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Answer is what a tool found, as one struct. The JSON names of its fields are those of --json;
// its other tags, and the optional interfaces below, tell Render how to show them:
//
//	label:"total return"   the field is a row for people and, if it is a number, a figure
//	key:"1"                one of the four key figures, the first
//	as:"percent"           a Style; the default depends on the type
//	unit:"bars"            what a number counts
//	basis:"actual/365"     what a number rests on; formula:"a / b" how it was computed
//	input:"principal"      what the caller gave: every figure names it among its inputs
//	table:"Schedule" max:"60"  a list of structs as a table; max bounds the rows for the model, to
//	                       the first three quarters and the last quarter, or "20 first", "40 last"
//	table:"Lots" show:"24" people see the first rows and how many more there are
//	table:"Lots" max:"fit" the model gets the first rows, as many as a result may hold
//	table:"Assets" across:"true"  a column for each struct of the list and a row for each field
//	table:"-"              no table: the answer draws the list itself, as a Tabler. Its numbers
//	                       are still figures, and its origins are named
//	sparse:"true"          a cell is blank if JSON omits its value; the column is omitted if no row
//	                       has a value
//	in:"percent"           the number is in percent already, not a fraction
//	currency:"cost_currency"  the field that names the currency of an amount, "/currency" if it is
//	                       one of the answer and not of the same struct; default: a field Currency
//	sensitive:"amount"     removed for the model if the user hides amounts
//	model:"-"              never sent to the model; model:"exact" sends every digit
//	json:"-" label:"trend" shown to people and to nobody else
//	row:"-"                a figure without a row or a column
//
// A label on a map of numbers makes figures of them, without rows: "weight of AAPL".
//
// A label on a nested struct is put before the labels in it; a field in it with label:"." has only
// that label. In what is nested in the rows of a table, labelled numbers are only figures. A field of
// type Notes, BackgroundNotes, Origin or []NamedOrigin is shown below the tables. A value of a type
// with a method Redacted() string is sent as that text if the user hides amounts.
type Answer interface {
	// Headline is the answer in one plain sentence with its numbers; lang is "en" or "zh".
	Headline(lang string) string
}

// Titled is an Answer that says in a few words what was asked.
type Titled interface{ Title() string }

// Explainer is an Answer that explains a field by more than its tags. The field is its JSON path
// without indexes: "payment", "schedule.interest". A struct inside of an answer, such as a row of a
// table, may explain its own fields: "interest". Their source and date are then as the answer says,
// unless the struct says otherwise.
type Explainer interface {
	Explain(field string) Explanation
}

// Explanation replaces what the tags of a field say; what is empty leaves the tag as it is.
type Explanation struct {
	Label, Basis, Formula, Unit, Source string

	Inputs  []string // beyond the fields tagged input
	AsOf    time.Time
	Key     int
	Undated bool // the date of the answer does not hold for it
	Omit    bool // no row, no figure and no table in this answer
	Silent  bool // figures without a row or a table
}

// labelAfter is the label after those of the structs around it.
func (e Explanation) labelAfter(prefix string) string {
	if e.Label == "." {
		return strings.TrimSpace(prefix)
	}
	return prefix + e.Label
}

// Sampler is an Answer of which people and models read a part. The value of its result is all of it.
type Sampler interface{ Sampled() Answer }

// Charter is an Answer with a chart, nil if there is nothing to draw.
type Charter interface{ Chart() *chart.Spec }

// Summarizer is an Answer whose one-line summary is not its first two key figures.
type Summarizer interface{ Summary() string }

// Keyed is an Answer whose key figures are not fields with the tag key.
type Keyed interface{ KeyFigures() []tool.KeyFigure }

// Tabler is an Answer with tables whose columns are known only when it is made.
type Tabler interface{ Tables() []Table }

// Texter is an Answer with Markdown below its tables.
type Texter interface{ Text() string }

// Table is a table for people, and the figures in it.
type Table struct {
	Title   string
	Columns []string // a name that ends in ":" is aligned to the right
	Rows    [][]string
	Figures []tool.Figure

	more int // rows that are not shown
}
