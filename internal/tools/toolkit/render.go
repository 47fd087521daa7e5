package toolkit

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/shopspring/decimal"

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

// Render makes the result of an answer: its value, the text for the model, the text for people,
// its figures and its key figures.
func Render(a Answer) tool.Result {
	v := reflect.Indirect(reflect.ValueOf(a))
	plan := planOf(v.Type())
	r := renderer{root: scope{plan: plan, v: v}}
	r.root.answer, _ = a.(Explainer)
	r.root.explainer = r.root.answer
	r.root.currency = plan.currency(v)
	r.collect(plan, v)
	redacts := plan.sensitive || slices.ContainsFunc(r.notes, func(n tool.Note) bool { return n.Public != n.Text })
	r.notes = distinctNotes(r.notes)
	if len(r.origins) > 0 {
		r.root.source, r.root.asOf = JoinSources(r.origins), newest(r.origins)
	}
	r.addFields(r.root, "", "")
	if t, ok := a.(Tabler); ok {
		for _, table := range t.Tables() {
			r.tables = append(r.tables, table)
			r.tableFigures = append(r.tableFigures, table.Figures...)
		}
	}

	slices.SortStableFunc(r.rows, func(a, b row) int { return keyOrder(a.key) - keyOrder(b.key) })
	res := tool.Result{
		Value: a, ForModel: modelText(plan, v, false), Headline: a.Headline("en"), HeadlineZH: a.Headline("zh"),
		Figures: r.figures(), Notes: r.notes,
	}
	if redacts {
		res.Redacted = modelText(plan, v, true)
	}
	var title []string
	if r.flag != "" {
		title = append(title, r.flag)
	}
	if t, ok := a.(Titled); ok {
		res.Title = t.Title()
		title = append(title, res.Title)
	}
	var summary []string
	for _, row := range r.rows {
		if row.key > 0 && len(res.Keys) < maxKeys {
			res.Keys = append(res.Keys, tool.KeyFigure{Label: row.label, Text: row.text, Sign: row.sign})
		}
	}
	if k, ok := a.(Keyed); ok {
		res.Keys = k.KeyFigures()
	}
	for _, k := range res.Keys[:min(len(res.Keys), 2)] {
		summary = append(summary, k.Text+" "+k.Label)
	}
	if s, ok := a.(Summarizer); ok {
		summary = []string{s.Summary()}
	}
	res.Summary = firstNonEmpty(strings.Join(summary, ", "), res.Headline)
	if r.flag != "" {
		res.Summary = r.flag + ": " + res.Summary
	}
	if flags := CombinedFlagText(r.origins); flags != "" {
		res.Summary += " " + flags
	}
	if c, ok := a.(Charter); ok {
		res.Chart = c.Chart()
	}
	text := ""
	if t, ok := a.(Texter); ok {
		text = t.Text()
	}
	res.ForUser = r.forUser(strings.Join(title, " · "), res.Headline, text)
	return res
}

// maxKeys is how many figures people see first.
const maxKeys = 4

// row is one labelled value.
type row struct {
	label, text, basis string
	key, sign          int
	silent             bool // a figure that is not shown
	figure             *tool.Figure
}

// keyOrder sorts key figures before all others.
func keyOrder(key int) int {
	if key == 0 {
		return 100
	}
	return key
}

// scope is a struct of the answer with what holds for the numbers in it.
type scope struct {
	plan             *typePlan
	v                reflect.Value
	currency, source string
	asOf             time.Time
	answer           Explainer // nil if there is none
	explainer        Explainer // the answer, or the struct itself
	base             string    // the path of the struct that it explains
}

// explain is what the answer, or the struct itself, says of a field beyond its tags.
func (s scope) explain(field string) Explanation {
	if s.explainer == nil {
		return Explanation{}
	}
	e := s.explainer.Explain(strings.TrimPrefix(field, s.base))
	if s.answer != nil && s.base != "" {
		whole := s.answer.Explain(field)
		e.Source = firstNonEmpty(e.Source, whole.Source)
		if e.AsOf.IsZero() {
			e.AsOf = whole.AsOf
		}
	}
	return e
}

// inner is the scope of a struct inside of another. Its own currency and origin hold, if it has any.
func (s scope) inner(plan *typePlan, v reflect.Value, path string) scope {
	s.plan, s.v = plan, v
	if e, ok := v.Interface().(Explainer); ok {
		s.explainer, s.base = e, path
	}
	s.currency = firstNonEmpty(plan.currency(v), s.currency)
	for _, o := range plan.originsOf(v) {
		s.source, s.asOf = o.Source, newest([]NamedOrigin{{Origin: o}})
	}
	return s
}

// text is a text of the scope by its JSON name.
func (s scope) text(name string) string {
	index, ok := s.plan.strings[name]
	if !ok {
		return ""
	}
	v, ok := fieldAt(s.v, index)
	if !ok {
		return ""
	}
	return v.String()
}

type renderer struct {
	root   scope
	inputs []string

	flag         string // "HYPOTHETICAL"
	rows         []row
	tables       []Table
	tableFigures []tool.Figure
	notes        []tool.Note
	origins      []NamedOrigin
}

var (
	typeNotes        = reflect.TypeFor[Notes]()
	typeBackground   = reflect.TypeFor[BackgroundNotes]()
	typeOrigin       = reflect.TypeFor[Origin]()
	typeNamedOrigins = reflect.TypeFor[[]NamedOrigin]()
)

// collect gathers what holds for all figures: inputs, notes and origins.
func (r *renderer) collect(plan *typePlan, v reflect.Value) {
	for _, o := range plan.originsOf(v) {
		r.origins = append(r.origins, NamedOrigin{Origin: o})
	}
	for i := range plan.fields {
		f := &plan.fields[i]
		value, known := f.value(v)
		if !known || f.absent(value) {
			continue
		}
		switch {
		case value.Type() == typeNotes:
			r.notes = append(r.notes, value.Interface().(Notes)...)
		case value.Type() == typeBackground:
			r.notes = append(r.notes, value.Interface().(BackgroundNotes)...)
		case value.Type() == typeOrigin:
			r.origins = append(r.origins, NamedOrigin{Name: f.label, Origin: value.Interface().(Origin)})
		case value.Type() == typeNamedOrigins:
			r.origins = append(r.origins, value.Interface().([]NamedOrigin)...)
		case f.style == styleNotes:
			for _, text := range value.Interface().([]string) {
				r.notes = append(r.notes, tool.Note{Code: f.name, Text: text, Public: text})
			}
		case f.style == styleFlag:
			r.flag = value.String()
		case f.input != "":
			r.inputs = append(r.inputs, f.input+" "+withUnit(f.format(value, r.currencyOf(f, r.root)), f.unit))
		case f.nested != nil && value.Kind() == reflect.Struct:
			for _, o := range f.nested().originsOf(value) {
				r.origins = append(r.origins, NamedOrigin{Name: f.label, Origin: o})
			}
		case f.table != "":
			r.collectRows(f.nested(), value)
		}
	}
}

// distinctNotes are notes as people read them, each once.
func distinctNotes(notes []tool.Note) []tool.Note {
	var out []tool.Note
	for _, n := range notes {
		n.Text = TextForUser(n.Text)
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// collectRows gathers the origins of the rows of a table, each with the name of its row.
func (r *renderer) collectRows(plan *typePlan, list reflect.Value) {
	for i := range list.Len() {
		v, known := deref(list.Index(i))
		if !known {
			continue
		}
		for _, o := range plan.originsOf(v) {
			r.origins = append(r.origins, NamedOrigin{Name: plan.rowName(v), Origin: o})
		}
		for j := range plan.fields {
			if n, known := plan.fields[j].value(v); known && n.Type() == typeNotes {
				for _, note := range n.Interface().(Notes) {
					note.Text, note.Public = plan.rowName(v)+": "+note.Text, plan.rowName(v)+": "+note.Public
					r.notes = append(r.notes, note)
				}
			}
		}
	}
}

// currencyOf is the currency of an amount.
func (r *renderer) currencyOf(f *fieldPlan, s scope) string {
	switch {
	case f.currency == "":
		return s.currency
	case f.currency[0] == '/':
		return r.root.text(f.currency[1:])
	}
	return s.text(f.currency)
}

// addFields makes rows of the labelled fields of a struct, and tables of its lists.
func (r *renderer) addFields(s scope, path, prefix string) {
	for i := range s.plan.fields {
		f := &s.plan.fields[i]
		value, known := f.value(s.v)
		switch {
		case !value.IsValid():
		case f.table != "" && known:
			if e := s.explain(path + f.name); !e.Omit {
				r.addTable(f, s, value, path+f.name, e.Silent || f.table == "-")
			}
		case f.nested != nil && known && value.Kind() == reflect.Struct:
			r.addFields(s.inner(f.nested(), value, path+f.name+"."), path+f.name+".", prefix+f.prefix())
		case f.label == "" || f.nested != nil || f.absent(value):
		case f.byName && known:
			r.tableFigures = append(r.tableFigures, r.mapFigures(f, s, value, path+f.name, path+f.name, prefix)...)
		case f.list && known:
			for j := range value.Len() {
				number := ""
				if value.Len() > 1 {
					number = fmt.Sprintf(" %d", j+1)
				}
				r.addRow(f, s, value.Index(j), path+f.name, fmt.Sprintf("%s%s.%d", path, f.name, j), prefix, number)
			}
		default:
			r.addRow(f, s, value, path+f.name, path+f.name, prefix, "")
		}
	}
}

// addRow makes a row of one value, and a figure if it is a known number.
func (r *renderer) addRow(f *fieldPlan, s scope, v reflect.Value, field, id, prefix, suffix string) {
	e := f.explained(s.explain(field))
	if e.Omit {
		return
	}
	label := e.labelAfter(prefix) + suffix
	shown := row{label: label, basis: firstNonEmpty(e.Basis, e.Formula), key: e.Key}
	shown.text = f.format(v, r.currencyOf(f, s))
	if !strings.Contains(label, e.Unit) {
		shown.text = withUnit(shown.text, e.Unit)
	}
	shown.figure, shown.sign = r.figure(f, e, s, v, id, label)
	shown.silent = f.silent || e.Silent
	r.rows = append(r.rows, shown)
}

// figure is the number of a field as it is traced, nil if it is no number or not known.
func (r *renderer) figure(f *fieldPlan, e Explanation, s scope, v reflect.Value, id, label string) (*tool.Figure, int) {
	n, ok := f.number(v)
	if !ok || !f.style.numeric() {
		return nil, 0
	}
	sign := 0
	if f.style.signed() {
		sign = n.Sign()
	}
	if f.hidden {
		return nil, sign
	}
	unit := e.Unit
	switch {
	case f.style == Points:
		n, unit = n.Shift(2), "points"
	case f.style.fraction():
		n, unit = n.Shift(2), "%"
	case f.style.money():
		unit = strings.TrimSpace(firstNonEmpty(r.currencyOf(f, s), noCurrency) + " " + e.Unit)
	}
	out := &tool.Figure{ID: id, Label: label, Value: n, Unit: unit, AsOf: e.AsOf, Source: firstNonEmpty(e.Source, s.source), Formula: e.Formula}
	if out.AsOf.IsZero() && !e.Undated {
		out.AsOf = s.asOf
	}
	out.Inputs = slices.Concat(e.Inputs, r.inputs)
	return out, sign
}

// mapFigures are the numbers of a map by their names.
func (r *renderer) mapFigures(f *fieldPlan, s scope, v reflect.Value, field, id, prefix string) []tool.Figure {
	e := f.explained(s.explain(field))
	names := v.MapKeys()
	slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	var out []tool.Figure
	for _, name := range names {
		if figure, _ := r.figure(f, e, s, v.MapIndex(name), id+"."+name.String(), prefix+e.Label+" of "+name.String()); figure != nil {
			out = append(out, *figure)
		}
	}
	return out
}

// noCurrency is the unit of sums whose currency nobody named.
const noCurrency = "units of money"

// addTable makes a table of a list of structs, unless it is silent. Each number is a figure, up to
// the rows that the model gets.
func (r *renderer) addTable(f *fieldPlan, outer scope, list reflect.Value, path string, silent bool) {
	plan := f.nested()
	var rows []scope
	for i := range list.Len() {
		if v, known := deref(list.Index(i)); known {
			rows = append(rows, outer.inner(plan, v, path+"."))
		}
	}
	if len(rows) == 0 {
		return
	}
	var columns []*fieldPlan
	var explained []Explanation
	for i := range plan.fields {
		c := &plan.fields[i]
		if e := c.explained(rows[0].explain(path + "." + c.name)); c.label != "" && c.nested == nil && !c.byName && !e.Omit && !(c.sparse && c.absentIn(rows)) {
			columns, explained = append(columns, c), append(explained, e)
		}
	}
	if len(columns) == 0 {
		return
	}
	heads := make([]string, len(columns))
	cells := make([][]string, len(rows))
	for i := range rows {
		cells[i] = make([]string, len(columns))
	}
	for j, c := range columns {
		e := explained[j]
		heads[j] = e.Label
		currency, same := r.columnCurrency(c, rows)
		switch {
		case c.style.money() && same && currency != "" && !f.across:
			heads[j] += " (" + strings.TrimSpace(currency+" "+e.Unit) + ")"
		case e.Unit != "" && e.Unit != "ratio" && !strings.Contains(e.Label, e.Unit) && c.style.numeric() && !c.style.fraction():
			heads[j] += " (" + e.Unit + ")"
		}
		if c.style.numeric() && !f.across {
			heads[j] += ":"
		}
		for i, s := range rows {
			v, known := c.value(s.v)
			switch {
			case c.sparse && (!known || c.absent(v)):
			case !known || c.absent(v):
				cells[i][j] = NotAvailable
			case same && !f.across:
				cells[i][j] = strings.TrimSuffix(c.format(v, currency), " "+currency)
			default:
				cells[i][j] = c.format(v, r.currencyOf(c, s))
			}
		}
	}
	r.addTableFigures(f, plan, path, columns, rows, cells)
	if silent {
		return
	}
	more := 0
	if f.show > 0 && len(cells) > f.show && !f.across {
		more = len(cells) - f.show
		cells = cells[:f.show]
	}
	for j := len(columns) - 1; j >= 0; j-- {
		unknown := !slices.ContainsFunc(cells, func(row []string) bool { return row[j] != NotAvailable })
		if columns[j].silent || unknown && j > 0 {
			heads = slices.Delete(heads, j, j+1)
			for i := range cells {
				cells[i] = slices.Delete(cells[i], j, j+1)
			}
		}
	}
	if len(heads) == 0 {
		return
	}
	if !f.across {
		r.tables = append(r.tables, Table{Title: f.table, Columns: heads, Rows: cells, more: more})
		return
	}
	head := []string{"measure"}
	across := make([][]string, len(heads)-1)
	for i := range rows {
		head = append(head, cells[i][0]+":")
	}
	for j := range across {
		across[j] = []string{heads[j+1]}
		for i := range rows {
			across[j] = append(across[j], cells[i][j+1])
		}
	}
	r.tables = append(r.tables, Table{Title: f.table, Columns: head, Rows: across})
}

// absentIn reports whether no row has a value of the field.
func (p *fieldPlan) absentIn(rows []scope) bool {
	return !slices.ContainsFunc(rows, func(s scope) bool {
		v, known := p.value(s.v)
		return known && !p.absent(v)
	})
}

// columnCurrency is the currency of a column; same is false if its rows differ. A blank cell of a
// sparse column has none.
func (r *renderer) columnCurrency(c *fieldPlan, rows []scope) (currency string, same bool) {
	first := true
	for _, s := range rows {
		if v, known := c.value(s.v); c.sparse && (!known || c.absent(v)) {
			continue
		}
		own := r.currencyOf(c, s)
		if !first && own != currency {
			return "", false
		}
		currency, first = own, false
	}
	return currency, true
}

func (r *renderer) addTableFigures(f *fieldPlan, plan *typePlan, path string, columns []*fieldPlan, rows []scope, cells [][]string) {
	sent := f.sent(len(rows))
	for i, s := range rows {
		if !sent(i) {
			continue
		}
		name := cells[i][0]
		if columns[0].style.numeric() {
			name = columns[0].explained(s.explain(path+"."+columns[0].name)).Label + " " + name
		}
		for _, c := range columns[1:] {
			v, known := c.value(s.v)
			if !known || c.absent(v) {
				continue
			}
			e := c.explained(s.explain(path + "." + c.name))
			if e.Omit {
				continue
			}
			r.addFigure(c, e, s, v, fmt.Sprintf("%s.%d.%s", path, i, c.name), name+" "+e.Label)
		}
		r.addNestedFigures(s, path+".", fmt.Sprintf("%s.%d.", path, i), "", name)
		for j := range plan.fields {
			c := &plan.fields[j]
			if v, known := c.value(s.v); known && c.byName && c.label != "" {
				r.tableFigures = append(r.tableFigures, r.mapFigures(c, s, v, path+"."+c.name, fmt.Sprintf("%s.%d.%s", path, i, c.name), name+" ")...)
			}
		}
	}
}

func (r *renderer) addFigure(f *fieldPlan, e Explanation, s scope, v reflect.Value, id, label string) {
	if figure, _ := r.figure(f, e, s, v, id, label); figure != nil {
		r.tableFigures = append(r.tableFigures, *figure)
	}
}

// addListFigures makes figures of the numbers in a list that is nested in a row, up to the elements
// that the model gets. Path is that of the field without indexes, id with them; of names the row.
func (r *renderer) addListFigures(f *fieldPlan, outer scope, list reflect.Value, path, id, prefix, of string) {
	plan, sent := f.nested(), f.sent(list.Len())
	for i := range list.Len() {
		v, known := deref(list.Index(i))
		if !known || !sent(i) {
			continue
		}
		r.addStructFigures(outer.inner(plan, v, path+"."), path+".", fmt.Sprintf("%s.%d.", id, i), prefix, plan.rowName(v)+", "+of)
	}
}

// addStructFigures makes figures of the numbers in a struct that has neither rows nor columns.
func (r *renderer) addStructFigures(s scope, path, id, prefix, of string) {
	for i := range s.plan.fields {
		f := &s.plan.fields[i]
		v, known := f.value(s.v)
		if !known || f.nested != nil || f.list || f.label == "" || f.absent(v) {
			continue
		}
		if e := f.explained(s.explain(path + f.name)); !e.Omit {
			r.addFigure(f, e, s, v, id+f.name, e.labelAfter(prefix)+", "+of)
		}
	}
	r.addNestedFigures(s, path, id, prefix, of)
}

// addNestedFigures makes figures of the numbers in the structs and lists of a struct.
func (r *renderer) addNestedFigures(s scope, path, id, prefix, of string) {
	for i := range s.plan.fields {
		f := &s.plan.fields[i]
		v, known := f.value(s.v)
		switch {
		case !known || f.nested == nil:
		case v.Kind() == reflect.Slice:
			r.addListFigures(f, s, v, path+f.name, id+f.name, prefix+f.prefix(), of)
		default:
			at := path + f.name + "."
			r.addStructFigures(s.inner(f.nested(), v, at), at, id+f.name+".", prefix+f.prefix(), of)
		}
	}
}

// markdown is a table below its title, if it has one.
func (t Table) markdown() string {
	text := MarkdownTable(t.Columns, t.Rows)
	if t.Title != "" {
		text = "**" + EscapeMarkdown(t.Title) + "**\n\n" + text
	}
	if t.more > 0 {
		text += fmt.Sprintf("\n%s more\n", Format(t.more, Count, ""))
	}
	return text
}

func (r *renderer) figures() []tool.Figure {
	var out []tool.Figure
	for _, row := range r.rows {
		if row.figure != nil {
			out = append(out, *row.figure)
		}
	}
	return append(out, r.tableFigures...)
}

// forUser is the answer as people read it, without its notes. An answer of one value is its headline.
func (r *renderer) forUser(title, headline, text string) string {
	var parts []string
	r.rows = slices.DeleteFunc(r.rows, func(r row) bool { return r.silent })
	if len(r.rows) <= 1 && len(r.tables) == 0 {
		parts = append(parts, EscapeMarkdown(strings.TrimSpace(r.flag+" "+headline))+"\n")
	} else {
		if title != "" {
			parts = append(parts, "**"+EscapeMarkdown(title)+"**\n")
		}
		columns, rows := []string{"measure", "value:"}, make([][]string, len(r.rows))
		if slices.ContainsFunc(r.rows, func(r row) bool { return r.basis != "" }) {
			columns = append(columns, "basis")
		}
		for i, row := range r.rows {
			rows[i] = []string{row.label, row.text, row.basis}[:len(columns)]
		}
		if len(rows) > 0 {
			parts = append(parts, MarkdownTable(columns, rows))
		}
	}
	if len(r.rows) == 0 && len(r.tables) > 0 && title != "" {
		r.tables[0].Title = "" // the title of the answer says it
	}
	for _, t := range r.tables {
		parts = append(parts, t.markdown())
	}
	if text != "" {
		parts = append(parts, strings.TrimRight(text, "\n")+"\n")
	}
	if len(r.origins) > 0 {
		parts = append(parts, strings.Join(OriginFooters(r.origins), "\n\n")+"\n")
	}
	return strings.Join(parts, "\n")
}

// newest is the latest moment of the origins that name one.
func newest(origins []NamedOrigin) time.Time {
	var out time.Time
	for _, o := range origins {
		for _, layout := range []string{time.DateOnly, time.RFC3339} {
			if t, err := time.Parse(layout, o.AsOf); err == nil && t.After(out) {
				out = t
			}
		}
	}
	return out
}

// withUnit puts a unit behind a number: "1 year", "360 payments". A ratio has none to show.
func withUnit(text, unit string) string {
	switch {
	case unit == "" || unit == "ratio" || text == NotAvailable:
		return text
	case text == "1" && strings.HasSuffix(unit, "s"):
		unit = strings.TrimSuffix(unit, "s")
	}
	return text + " " + unit
}

func firstNonEmpty(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// EscapeMarkdown is a line of plain text as Markdown shows it.
func EscapeMarkdown(text string) string {
	text = markdownEscaper.Replace(strings.Join(strings.Fields(text), " "))
	var b strings.Builder
	runes := []rune(text)
	for i, r := range runes {
		// Inside of a word an underscore is one in Markdown, too.
		inWord := i > 0 && i+1 < len(runes) && isWordRune(runes[i-1]) && isWordRune(runes[i+1])
		if r == '_' && !inWord {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

var markdownEscaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "[", `\[`, "]", `\]`, "<", `\<`)

// deref follows a pointer; known is false for a nil one.
func deref(v reflect.Value) (value reflect.Value, known bool) {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return v, false
		}
		v = v.Elem()
	}
	return v, true
}

func interfaceOf(v reflect.Value) any {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	return v.Interface()
}

// numberOf is a value as a decimal; ok is false for what is no number, or not a known one.
func numberOf(v any) (n decimal.Decimal, ok bool) {
	switch v := v.(type) {
	case decimal.Decimal:
		return v, true
	case decimal.NullDecimal:
		return v.Decimal, v.Valid
	case *decimal.Decimal:
		if v != nil {
			return *v, true
		}
	case float64:
		return fromFloat(v)
	case *float64:
		if v != nil {
			return fromFloat(*v)
		}
	case int:
		return decimal.NewFromInt(int64(v)), true
	}
	if r := reflect.ValueOf(v); r.IsValid() {
		switch {
		case r.CanInt():
			return decimal.NewFromInt(r.Int()), true
		case r.CanUint():
			return decimal.NewFromUint64(r.Uint()), true
		case r.CanFloat():
			return fromFloat(r.Float())
		}
	}
	return decimal.Decimal{}, false
}

func fromFloat(v float64) (decimal.Decimal, bool) {
	if v-v != 0 { // NaN or infinite
		return decimal.Decimal{}, false
	}
	n, err := decimal.NewFromString(strconv.FormatFloat(v, 'g', -1, 64))
	return n, err == nil
}
