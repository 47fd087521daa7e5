package trace

import "sort"

// TableColumn is a column of a table, the same one for all of its cells.
type TableColumn struct{ Head string }

// TableCell is a place in a table: its column, and the text of its row's first cell.
type TableCell struct {
	*TableColumn
	Row        string
	start, end int
}

// maxRowName is as much of a row's or a column's head as is read.
const maxRowName = 80

// table follows the rows of a table and notes of each cell its column and its row.
// It gives the columns, or nil where the line is in no table.
func (p *Document) table(start, end int, columns []*TableColumn) []*TableColumn {
	if p.find(start, end, '|') < 0 {
		return nil
	}
	cells := p.cells(start, end)
	if columns == nil {
		columns = make([]*TableColumn, len(cells))
		for i, c := range cells {
			columns[i] = &TableColumn{Head: p.Text(c[0], min(c[1], c[0]+maxRowName))}
		}
		return columns
	}
	if len(cells) == 0 {
		return columns
	}
	row := p.Text(cells[0][0], min(cells[0][1], cells[0][0]+maxRowName))
	for i, c := range cells {
		if i < len(columns) {
			p.tables = append(p.tables, TableCell{TableColumn: columns[i], Row: row, start: c[0], end: c[1]})
		}
	}
	return columns
}

// cells are the bounds of a row's cells.
func (p *Document) cells(start, end int) [][2]int {
	i := p.Space(start, end-start)
	if p.Rune(i) == '|' {
		i++
	}
	var out [][2]int
	for from := i; from < end; {
		to := p.find(from, end, '|')
		if to < 0 {
			to = end
		}
		out = append(out, [2]int{from, to})
		from = to + 1
	}
	return out
}

// CellOf is the cell in which i stands, where it is in a table.
func (p *Document) CellOf(i int) (TableCell, bool) {
	after := sort.Search(len(p.tables), func(k int) bool { return p.tables[k].start > i })
	if after == 0 || p.tables[after-1].end <= i {
		return TableCell{}, false
	}
	return p.tables[after-1], true
}
