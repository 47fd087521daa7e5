package toolkit

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Answer is what a tool found, as one struct. The JSON names of its fields are those of --json;
// its other tags, and the optional interfaces Titled, Explainer and Charter, say how Render
// shows them:
//
//	label:"total return"   the field is a row for people and, if it is a number, a figure
//	key:"1"                one of the four key figures, the first
//	as:"percent"           a Style; the default depends on the type
//	unit:"bars"            what a number counts
//	basis:"actual/365"     what a number rests on; formula:"a / b" how it was computed
//	input:"principal"      what the caller gave: every figure names it among its inputs
//	table:"Schedule" max:"60"  a list of structs as a table; max bounds the rows for the model
//	sensitive:"amount"     removed for the model if the user hides amounts
//	model:"-"              never sent to the model; model:"exact" sends every digit
//
// A label on a nested struct stands in front of the labels in it. A field of type Notes, Origin
// or []NamedOrigin is shown below the tables.
type Answer interface {
	// Headline is the answer in one plain sentence with its numbers; lang is "en" or "zh".
	Headline(lang string) string
}

// Titled is an Answer that says in a few words what was asked.
type Titled interface{ Title() string }

// Explainer is an Answer that explains a field by more than its tags. The field is its JSON path
// without indexes: "payment", "schedule.interest".
type Explainer interface {
	Explain(field string) Explanation
}

// Explanation replaces what the tags of a field say; what is empty leaves the tag as it is.
type Explanation struct {
	Label, Basis, Formula, Unit, Source string

	Inputs []string // beyond the fields tagged input
	AsOf   time.Time
	Key    int
	Omit   bool // no row and no figure in this answer
}

// Charter is an Answer with a chart, nil if there is nothing to draw.
type Charter interface{ Chart() *chart.Spec }

// Notes are what an answer says about its numbers. As JSON they are the sentences of the
// warnings among them.
type Notes []tool.Note

// Warn adds a warning: the result may mislead.
func (n *Notes) Warn(code, format string, args ...any) {
	*n = append(*n, tool.Note{Code: code, Text: fmt.Sprintf(format, args...), Warning: true})
}

// Note adds background, which only people read.
func (n *Notes) Note(code, format string, args ...any) {
	*n = append(*n, tool.Note{Code: code, Text: fmt.Sprintf(format, args...)})
}

// MarshalJSON implements json.Marshaler.
func (n Notes) MarshalJSON() ([]byte, error) {
	texts := []string{}
	for _, note := range n {
		if note.Warning {
			texts = append(texts, note.Text)
		}
	}
	return json.Marshal(texts)
}

// Render makes the result of an answer: its value, the text for the model, the text for people,
// its figures and its key figures.
func Render(a Answer) tool.Result {
	r := renderer{explain: func(string) Explanation { return Explanation{} }}
	if e, ok := a.(Explainer); ok {
		r.explain = e.Explain
	}
	v := reflect.Indirect(reflect.ValueOf(a))
	plan := planOf(v.Type())
	r.currency = plan.currency(v)
	r.collect(plan, v)
	if len(r.origins) > 0 {
		r.source, r.asOf = JoinSources(r.origins), newest(r.origins)
	}
	r.addFields(plan, v, "", "")

	slices.SortStableFunc(r.rows, func(a, b row) int { return keyOrder(a.key) - keyOrder(b.key) })
	res := tool.Result{
		Value: a, ForModel: modelText(plan, v, false), Headline: a.Headline("en"), HeadlineZH: a.Headline("zh"),
		Figures: r.figures(), Notes: r.notes,
	}
	if plan.sensitive {
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
	for _, k := range res.Keys[:min(len(res.Keys), 2)] {
		summary = append(summary, k.Text+" "+k.Label)
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
	res.ForUser = r.forUser(strings.Join(title, " · "), res.Headline)
	return res
}

// maxKeys is how many figures people see first.
const maxKeys = 4

// row is one labelled value.
type row struct {
	label, text, basis string
	key, sign          int
	figure             *tool.Figure
}

// keyOrder puts what is no key figure behind the key figures.
func keyOrder(key int) int {
	if key == 0 {
		return 100
	}
	return key
}

type renderer struct {
	explain  func(field string) Explanation
	currency string
	source   string
	asOf     time.Time
	inputs   []string

	flag         string // "HYPOTHETICAL"
	rows         []row
	tables       []string
	tableFigures []tool.Figure
	notes        []tool.Note
	origins      []NamedOrigin
}

var (
	typeNotes        = reflect.TypeFor[Notes]()
	typeOrigin       = reflect.TypeFor[Origin]()
	typeNamedOrigins = reflect.TypeFor[[]NamedOrigin]()
)

// collect gathers what holds for all figures: inputs, notes and origins.
func (r *renderer) collect(plan *typePlan, v reflect.Value) {
	for _, o := range plan.origins {
		r.origins = append(r.origins, NamedOrigin{Origin: v.FieldByIndex(o).Interface().(Origin)})
	}
	for i := range plan.fields {
		f := &plan.fields[i]
		value, known := deref(v.FieldByIndex(f.index))
		if !known || f.absent(value) {
			continue
		}
		switch {
		case value.Type() == typeNotes:
			r.notes = append(r.notes, value.Interface().(Notes)...)
		case value.Type() == typeOrigin:
			r.origins = append(r.origins, NamedOrigin{Origin: value.Interface().(Origin)})
		case value.Type() == typeNamedOrigins:
			r.origins = append(r.origins, value.Interface().([]NamedOrigin)...)
		case f.style == styleNotes:
			for _, text := range value.Interface().([]string) {
				r.notes = append(r.notes, tool.Note{Code: f.name, Text: text})
			}
		case f.style == styleFlag:
			r.flag = value.String()
		case f.input != "":
			r.inputs = append(r.inputs, f.input+" "+withUnit(Format(value.Interface(), f.style, r.currency), f.unit))
		}
	}
}

// addFields makes rows of the labelled fields of a struct, and tables of its lists.
func (r *renderer) addFields(plan *typePlan, v reflect.Value, path, prefix string) {
	for i := range plan.fields {
		f := &plan.fields[i]
		value, known := deref(v.FieldByIndex(f.index))
		switch {
		case f.table != "" && known:
			r.addTable(f, value, path+f.name)
		case f.nested != nil && known && value.Kind() == reflect.Struct:
			inner := prefix
			if f.label != "" {
				inner += f.label + " "
			}
			r.addFields(f.nested(), value, path+f.name+".", inner)
		case f.label == "" || f.nested != nil || f.absent(value):
		case f.list && known:
			for j := range value.Len() {
				number := ""
				if value.Len() > 1 {
					number = fmt.Sprintf(" %d", j+1)
				}
				r.addRow(f, value.Index(j), path+f.name, fmt.Sprintf("%s%s.%d", path, f.name, j), prefix, number)
			}
		default:
			r.addRow(f, value, path+f.name, path+f.name, prefix, "")
		}
	}
}

// addRow makes a row of one value, and a figure if it is a known number.
func (r *renderer) addRow(f *fieldPlan, v reflect.Value, field, id, prefix, suffix string) {
	e := f.explained(r.explain(field))
	if e.Omit {
		return
	}
	label := prefix + e.Label + suffix
	shown := row{label: label, basis: firstNonEmpty(e.Basis, e.Formula), key: e.Key}
	shown.text = Format(interfaceOf(v), f.style, r.currency)
	if !strings.Contains(label, e.Unit) {
		shown.text = withUnit(shown.text, e.Unit)
	}
	shown.figure, shown.sign = r.figure(f, e, v, id, label)
	r.rows = append(r.rows, shown)
}

// figure is the number of a field as it is traced, nil if it is no number or not known.
func (r *renderer) figure(f *fieldPlan, e Explanation, v reflect.Value, id, label string) (*tool.Figure, int) {
	n, ok := numberOf(interfaceOf(v))
	if !ok || !f.style.numeric() {
		return nil, 0
	}
	sign := 0
	if f.style.signed() {
		sign = n.Sign()
	}
	unit := e.Unit
	switch {
	case f.style == Points:
		n, unit = n.Shift(2), "points"
	case f.style.fraction():
		n, unit = n.Shift(2), "%"
	case f.style.money():
		unit = strings.TrimSpace(firstNonEmpty(r.currency, noCurrency) + " " + e.Unit)
	}
	out := &tool.Figure{ID: id, Label: label, Value: n, Unit: unit, AsOf: e.AsOf, Source: firstNonEmpty(e.Source, r.source), Formula: e.Formula}
	if out.AsOf.IsZero() {
		out.AsOf = r.asOf
	}
	out.Inputs = slices.Concat(e.Inputs, r.inputs)
	return out, sign
}

// noCurrency is the unit of sums whose currency nobody named.
const noCurrency = "units of money"

// addTable makes a table of a list of structs. Each number is a figure, up to the rows that the
// model gets.
func (r *renderer) addTable(f *fieldPlan, list reflect.Value, path string) {
	plan := f.nested()
	var columns []string
	var fields []*fieldPlan
	var explained []Explanation
	for i := range plan.fields {
		c := &plan.fields[i]
		e := c.explained(r.explain(path + "." + c.name))
		if c.label == "" || e.Omit {
			continue
		}
		head := e.Label
		switch {
		case c.style.money() && r.currency != "":
			head += " (" + strings.TrimSpace(r.currency+" "+e.Unit) + ")"
		case e.Unit != "" && c.style.numeric() && !c.style.fraction():
			head += " (" + e.Unit + ")"
		}
		if c.style.numeric() {
			head += ":"
		}
		fields, columns, explained = append(fields, c), append(columns, head), append(explained, e)
	}
	if list.Len() == 0 || len(fields) == 0 {
		return
	}
	sent := f.sent(list.Len())
	rows := make([][]string, list.Len())
	for i := range rows {
		name := ""
		for j, c := range fields {
			v, _ := deref(list.Index(i).FieldByIndex(c.index))
			text := Format(interfaceOf(v), c.style, "")
			rows[i] = append(rows[i], text)
			if j == 0 {
				name = text
				if c.style.numeric() {
					name = explained[j].Label + " " + text
				}
				continue
			}
			if !sent(i) {
				continue
			}
			if figure, _ := r.figure(c, explained[j], v, fmt.Sprintf("%s.%d.%s", path, i, c.name), strings.ToLower(f.table)+" "+explained[j].Label+", "+name); figure != nil {
				r.tableFigures = append(r.tableFigures, *figure)
			}
		}
	}
	r.tables = append(r.tables, "**"+EscapeMarkdown(f.table)+"**\n\n"+MarkdownTable(columns, rows))
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

// forUser is the answer as people read it. An answer of one value is its headline.
func (r *renderer) forUser(title, headline string) string {
	var parts []string
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
	parts = append(parts, r.tables...)
	var notes strings.Builder
	for _, n := range r.notes {
		mark := "- "
		if n.Warning {
			mark = "- ! "
		}
		notes.WriteString(mark + TableCell(n.Text) + "\n")
	}
	if notes.Len() > 0 {
		parts = append(parts, notes.String())
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
	return markdownEscaper.Replace(strings.Join(strings.Fields(text), " "))
}

var markdownEscaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`)

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
