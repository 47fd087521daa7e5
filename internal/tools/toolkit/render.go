package toolkit

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/tool"
)

// Render returns the result of an answer: its value, the text for the model, the text for people,
// the figures and the key figures.
func Render(a Answer) tool.Result {
	if s, ok := a.(Sampler); ok {
		res := render(s.Sampled())
		res.Value = a
		return res
	}
	return render(a)
}

func render(a Answer) tool.Result {
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
		if row.key > 0 && !row.silent && len(res.Keys) < maxKeys {
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
	res.Summary = cmp.Or(strings.Join(summary, ", "), res.Headline)
	res.About = tool.KeyAbout{Subject: subjectOf(res.Title)}
	if b, ok := a.(Abouter); ok {
		res.About = b.About()
	}
	res.Source = sourceOf(r.origins)
	if r.flag != "" {
		res.Summary = r.flag + ": " + res.Summary
		res.Source.Marker = r.flag
	}
	if flags := CombinedFlagText(r.origins); flags != "" {
		res.Summary += " " + flags
	}
	res.Notes = append(res.Notes, originNotes(r.origins)...)
	if c, ok := a.(Charter); ok {
		res.Chart = c.Chart()
	}
	text := ""
	if t, ok := a.(Texter); ok {
		text = t.Text()
	}
	r.rows = slices.DeleteFunc(r.rows, func(r row) bool { return r.silent })
	heading := strings.Join(title, " · ")
	res.ForUser = r.forUser(heading, res.Headline, text)
	res.Body = res.ForUser
	if len(res.Keys) > 0 {
		r.dropKeys(a)
		res.Body = r.forUser("", "", text)
	}
	return res
}

// subjectOf returns the first part of a title.
func subjectOf(title string) string {
	subject, _, _ := strings.Cut(title, " · ")
	return subject
}

// dropKeys removes what the key figures show: their rows, or the table of an answer whose key figures
// are its only row.
func (r *renderer) dropKeys(a Answer) {
	shown := 0
	r.rows = slices.DeleteFunc(r.rows, func(row row) bool {
		if row.key == 0 || shown == maxKeys {
			return false
		}
		shown++
		return true
	})
	if s, ok := a.(interface{ KeysShowTable() bool }); ok && s.KeysShowTable() {
		r.tables = slices.Delete(r.tables, 0, 1)
	}
}

// maxKeys is the most key figures of an answer.
const maxKeys = 4

// row is one labeled value.
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

// scope is a struct of the answer with what applies to its numbers.
type scope struct {
	plan             *typePlan
	v                reflect.Value
	currency, source string
	asOf             time.Time
	answer           Explainer // nil if there is none
	explainer        Explainer // the answer, or the struct itself
	base             string    // the path of the struct that explainer explains
}

// explain returns what the answer, or the struct itself, adds to the tags of a field.
func (s scope) explain(field string) Explanation {
	if s.explainer == nil {
		return Explanation{}
	}
	e := s.explainer.Explain(strings.TrimPrefix(field, s.base))
	if s.answer != nil && s.base != "" {
		whole := s.answer.Explain(field)
		e.Source = cmp.Or(e.Source, whole.Source)
		if e.AsOf.IsZero() {
			e.AsOf = whole.AsOf
		}
	}
	return e
}

// inner returns the scope of a nested struct. Its own currency and origin apply, if it has any.
func (s scope) inner(plan *typePlan, v reflect.Value, path string) scope {
	s.plan, s.v = plan, v
	if e, ok := v.Interface().(Explainer); ok {
		s.explainer, s.base = e, path
	}
	s.currency = cmp.Or(plan.currency(v), s.currency)
	for _, o := range plan.originsOf(v) {
		s.source, s.asOf = o.Source, newest([]NamedOrigin{{Origin: o}})
	}
	return s
}

// text returns a text field of the scope by its JSON name.
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

// collect gathers what applies to all figures: inputs, notes and origins.
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
			r.inputs = append(r.inputs, f.input+" "+WithUnit(f.format(value, r.currencyOf(f, r.root)), f.unit))
		case f.nested != nil && value.Kind() == reflect.Struct:
			for _, o := range f.nested().originsOf(value) {
				r.origins = append(r.origins, NamedOrigin{Name: f.label, Origin: o})
			}
		case f.table != "":
			r.collectRows(f.nested(), value)
		}
	}
}

// distinctNotes returns each note once.
func distinctNotes(notes []tool.Note) []tool.Note {
	var out []tool.Note
	for _, n := range notes {
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

// currencyOf returns the currency of an amount.
func (r *renderer) currencyOf(f *fieldPlan, s scope) string {
	switch {
	case f.currency == "":
		return s.currency
	case f.currency[0] == '/':
		return r.root.text(f.currency[1:])
	}
	return s.text(f.currency)
}

// addFields adds a row for each labeled field of a struct and a table for each list.
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
			r.addMapFigures(f, s, value, path+f.name, path+f.name, prefix)
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

// addRow adds a row for one value, and a figure if it is a known number.
func (r *renderer) addRow(f *fieldPlan, s scope, v reflect.Value, field, id, prefix, suffix string) {
	e := f.explained(s.explain(field))
	if e.Omit {
		return
	}
	label := e.labelAfter(prefix) + suffix
	shown := row{label: label, basis: cmp.Or(e.Basis, e.Formula), key: e.Key}
	shown.text = f.format(v, r.currencyOf(f, s))
	if !strings.Contains(label, e.Unit) {
		shown.text = WithUnit(shown.text, e.Unit)
	}
	shown.figure = r.figure(f, e, s, v, id, label)
	if n, ok := f.number(v); ok && (f.style.signed() || f.style.fraction() && n.IsNegative()) {
		shown.sign = n.Sign()
	}
	shown.silent = f.silent || e.Silent
	r.rows = append(r.rows, shown)
}

// figure returns the number of a field for tracing, or nil if it is not a number or unknown.
func (r *renderer) figure(f *fieldPlan, e Explanation, s scope, v reflect.Value, id, label string) *tool.Figure {
	n, ok := f.number(v)
	if !ok || !f.style.numeric() || f.hidden {
		return nil
	}
	unit := e.Unit
	switch {
	case f.style == Points:
		n, unit = n.Shift(2), "points"
	case f.style.fraction():
		n, unit = n.Shift(2), "%"
	case f.style.money():
		unit = strings.TrimSpace(cmp.Or(r.currencyOf(f, s), noCurrency) + " " + e.Unit)
	}
	out := &tool.Figure{ID: id, Label: label, Value: n, Unit: unit, AsOf: e.AsOf, Source: cmp.Or(e.Source, s.source), Formula: e.Formula}
	if out.AsOf.IsZero() && !e.Undated {
		out.AsOf = s.asOf
	}
	out.Inputs = slices.Concat(e.Inputs, r.inputs)
	return out
}

// noCurrency is the unit of amounts without a currency.
const noCurrency = "units of money"

func (r *renderer) figures() []tool.Figure {
	var out []tool.Figure
	for _, row := range r.rows {
		if row.figure != nil {
			out = append(out, *row.figure)
		}
	}
	return append(out, r.tableFigures...)
}

// forUser returns the text for people without the source and the notes. An answer with one value is
// its headline.
func (r *renderer) forUser(title, headline, text string) string {
	var parts []string
	if len(r.rows) <= 1 && len(r.tables) == 0 && headline != "" {
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
	for i, t := range r.tables {
		if i == 0 && len(r.rows) == 0 && title != "" {
			t.Title = "" // same as the title of the answer
		}
		parts = append(parts, t.markdown())
	}
	if text != "" {
		parts = append(parts, strings.TrimRight(text, "\n")+"\n")
	}
	return strings.Join(parts, "\n")
}

// newest returns the latest date of the origins that have one.
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

// deref follows a pointer; known is false if it is nil.
func deref(v reflect.Value) (value reflect.Value, known bool) {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return v, false
		}
		v = v.Elem()
	}
	return v, true
}
