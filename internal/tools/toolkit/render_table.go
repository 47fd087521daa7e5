package toolkit

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// addTable adds a table for a list of structs, unless it is silent. The numbers in the rows that the
// model receives become figures.
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
	if f.across {
		heads, cells = transposed(heads, cells)
	}
	r.tables = append(r.tables, Table{Title: f.table, Columns: heads, Rows: cells, more: more})
}

// transposed turns the rows of a table into columns.
func transposed(heads []string, cells [][]string) (columns []string, rows [][]string) {
	columns = []string{"measure"}
	for _, head := range heads[1:] {
		rows = append(rows, []string{head})
	}
	for _, row := range cells {
		columns = append(columns, row[0]+":")
		for j, text := range row[1:] {
			rows[j] = append(rows[j], text)
		}
	}
	return columns, rows
}

// absentIn reports whether no row has a value of the field.
func (p *fieldPlan) absentIn(rows []scope) bool {
	return !slices.ContainsFunc(rows, func(s scope) bool {
		v, known := p.value(s.v)
		return known && !p.absent(v)
	})
}

// columnCurrency returns the currency of a column; same is false if its rows differ. Blank cells of
// a sparse column are ignored.
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
				r.addMapFigures(c, s, v, path+"."+c.name, fmt.Sprintf("%s.%d.%s", path, i, c.name), name+" ")
			}
		}
	}
}

// addNestedFigures adds figures for the numbers in nested structs and lists, which have neither rows
// nor columns. For a list it uses the elements that the model receives. path is the path of the struct
// without indexes, id the path with indexes, name the name of the row.
func (r *renderer) addNestedFigures(s scope, path, id, prefix, name string) {
	for i := range s.plan.fields {
		f := &s.plan.fields[i]
		v, known := f.value(s.v)
		if !known || f.nested == nil {
			continue
		}
		plan, at, label := f.nested(), path+f.name+".", prefix+f.prefix()
		if v.Kind() != reflect.Slice {
			r.addInnerFigures(s.inner(plan, v, at), at, id+f.name+".", label, name)
			continue
		}
		sent := f.sent(v.Len())
		for j := range v.Len() {
			if element, known := deref(v.Index(j)); known && sent(j) {
				r.addInnerFigures(s.inner(plan, element, at), at, fmt.Sprintf("%s%s.%d.", id, f.name, j), label, plan.rowName(element)+", "+name)
			}
		}
	}
}

func (r *renderer) addInnerFigures(s scope, path, id, prefix, name string) {
	for i := range s.plan.fields {
		f := &s.plan.fields[i]
		v, known := f.value(s.v)
		if !known || f.nested != nil || f.list || f.label == "" || f.absent(v) {
			continue
		}
		if e := f.explained(s.explain(path + f.name)); !e.Omit {
			r.addFigure(f, e, s, v, id+f.name, e.labelAfter(prefix)+", "+name)
		}
	}
	r.addNestedFigures(s, path, id, prefix, name)
}

// addMapFigures adds figures for the numbers in a map, labeled with their names.
func (r *renderer) addMapFigures(f *fieldPlan, s scope, v reflect.Value, field, id, prefix string) {
	e := f.explained(s.explain(field))
	names := v.MapKeys()
	slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, name := range names {
		r.addFigure(f, e, s, v.MapIndex(name), id+"."+name.String(), prefix+e.Label+" of "+name.String())
	}
}

func (r *renderer) addFigure(f *fieldPlan, e Explanation, s scope, v reflect.Value, id, label string) {
	if figure := r.figure(f, e, s, v, id, label); figure != nil {
		r.tableFigures = append(r.tableFigures, *figure)
	}
}
