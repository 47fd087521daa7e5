package toolkit

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
)

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
