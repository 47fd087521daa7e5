package edgar

// pendingMarks are ids and links that wait for the line they stand in.
type pendingMarks struct {
	ids   []string
	links []int
}

// newPage notes that the next line is the first of a page.
func (w *textWriter) newPage() {
	if w.table() == nil && (len(w.pages) == 0 || w.pages[len(w.pages)-1] != len(w.lines)) {
		w.pages = append(w.pages, len(w.lines))
	}
}

// currentMarks is where marks wait: in the row of the open table, or for the next line.
func (w *textWriter) currentMarks() *pendingMarks {
	if t := w.table(); t != nil {
		return &t.row.marks
	}
	return &w.pending
}

// anchor notes that an id stands here.
func (w *textWriter) anchor(id []byte) {
	if len(id) == 0 || len(id) > maxID || w.ids >= maxIDs {
		return
	}
	w.ids++
	m := w.currentMarks()
	m.ids = append(m.ids, string(id))
}

func (w *textWriter) openLink(target string) {
	w.closeLink()
	w.at = &documentLink{target: target}
}

func (w *textWriter) closeLink() {
	if w.at == nil || len(w.links) >= maxLinks {
		w.at = nil
		return
	}
	m := w.currentMarks()
	m.links = append(m.links, len(w.links))
	w.links, w.at = append(w.links, *w.at), nil
}
