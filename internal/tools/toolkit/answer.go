package toolkit

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Answer is the result of a tool as one struct. Its JSON field names are those of --json; the other
// tags and the optional interfaces below control how Render shows the fields:
//
//	label:"total return"   the field is a row for people and, if it is a number, a figure
//	key:"1"                the first of up to four key figures
//	as:"percent"           a Style; the default depends on the type
//	unit:"bars"            what a number counts
//	basis:"actual/365"     the convention behind a number; formula:"a / b" how it was computed
//	input:"principal"      an argument of the call: every figure lists it among its inputs
//	table:"Schedule" max:"60"  a list of structs as a table; max limits the rows for the model to
//	                       the first three quarters and the last quarter, or "20 first", "40 last"
//	table:"Lots" show:"24" people see the first rows and how many more there are
//	table:"Lots" max:"fit" the model receives as many of the first rows as fit into a result
//	table:"Assets" across:"true"  a column for each struct of the list and a row for each field
//	table:"-"              no table: the answer draws the list itself, as a Tabler. Its numbers
//	                       are still figures, and its origins are named
//	sparse:"true"          a cell is blank if JSON omits its value; the column is omitted if no row
//	                       has a value
//	in:"percent"           the number is already in percent, not a fraction
//	currency:"cost_currency"  the field with the currency of an amount, "/currency" if it belongs to
//	                       the answer and not to the same struct; default: a field Currency
//	sensitive:"amount"     removed for the model if the user hides amounts
//	model:"-"              never sent to the model; model:"exact" sends every digit
//	json:"-" label:"trend" shown only to people
//	row:"-"                a figure without a row or a column
//
// A label on a map of numbers turns them into figures without rows: "weight of AAPL".
//
// The label of a nested struct precedes the labels of its fields; a field with label:"." has only
// the label of the struct. Labeled numbers nested in the rows of a table are figures without rows. A
// field of type Notes, BackgroundNotes, Origin or []NamedOrigin is shown below the tables. A value
// with a method Redacted() string is sent as that text if the user hides amounts.
type Answer interface {
	// Headline returns the result in one plain sentence with its numbers; lang is "en" or "zh".
	Headline(lang string) string
}

// Titled is an Answer with a title: the request in a few words.
type Titled interface{ Title() string }

// Explainer is an Answer that describes its fields beyond their tags. A field is named by its JSON
// path without indexes: "payment", "schedule.interest". A struct inside an answer, such as a table
// row, may describe its own fields: "interest". Source and date then default to those of the answer.
type Explainer interface {
	Explain(field string) Explanation
}

// Explanation overrides the tags of a field; an empty value keeps the tag.
type Explanation struct {
	Label, Basis, Formula, Unit, Source string

	Inputs  []string // in addition to the fields tagged input
	AsOf    time.Time
	Key     int
	Undated bool // the date of the answer does not apply
	Omit    bool // no row, no figure and no table in this answer
	Silent  bool // figures without a row or a table
}

// labelAfter returns the label with the prefix of the enclosing structs.
func (e Explanation) labelAfter(prefix string) string {
	if e.Label == "." {
		return strings.TrimSpace(prefix)
	}
	return prefix + e.Label
}

// Sampler is an Answer that shows people and models only a part. Its JSON value is complete.
type Sampler interface{ Sampled() Answer }

// Charter is an Answer with a chart; nil if there is nothing to draw.
type Charter interface{ Chart() *chart.Spec }

// Summarizer is an Answer whose one-line summary is not its first two key figures.
type Summarizer interface{ Summary() string }

// Keyed is an Answer whose key figures are not fields with the tag key.
type Keyed interface{ KeyFigures() []tool.KeyFigure }

// Abouter is an Answer whose key figures do not describe the first part of its title.
type Abouter interface{ About() tool.KeyAbout }

// Tabler is an Answer with tables whose columns are known only at run time.
type Tabler interface{ Tables() []Table }

// Texter is an Answer with Markdown below its tables.
type Texter interface{ Text() string }

// Table is a table for people, and the figures in it.
type Table struct {
	Title   string
	Columns []string // a column whose name ends in ":" is right-aligned
	Rows    [][]string
	Figures []tool.Figure

	more int // how many rows are not shown
}
