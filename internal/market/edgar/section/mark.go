package section

// marks are ids and links that wait for the line they stand in.
type marks struct {
	ids   []string
	links []int
}

// newPage notes that the next line is the first of a page.
func (w *writer) newPage() {
	if w.table() == nil && (len(w.pages) == 0 || w.pages[len(w.pages)-1] != len(w.lines)) {
		w.pages = append(w.pages, len(w.lines))
	}
}

// here is where marks wait: in the row of the open table, or for the next line.
func (w *writer) here() *marks {
	if t := w.table(); t != nil {
		return &t.row.marks
	}
	return &w.waiting
}

// anchor notes that an id stands here.
func (w *writer) anchor(id []byte) {
	if len(id) == 0 || len(id) > maxID || w.ids >= maxIDs {
		return
	}
	w.ids++
	m := w.here()
	m.ids = append(m.ids, string(id))
}

func (w *writer) openLink(target string) {
	w.closeLink()
	w.at = &link{target: target}
}

func (w *writer) closeLink() {
	if w.at == nil || len(w.links) >= maxLinks {
		w.at = nil
		return
	}
	m := w.here()
	m.links = append(m.links, len(w.links))
	w.links, w.at = append(w.links, *w.at), nil
}
