package widget

import (
	"github.com/nfa-cli/nfa/internal/markdown"
)

// browserPage is Markdown with the lines that were last made of it.
type browserPage struct {
	text      string
	err       error
	loaded    bool // text or err is there
	rendering bool // a Job is at it

	lines []string
	width int     // what the lines
	st    *Styles // were made for
}

// fits says whether the lines are those for this width and theme.
func (p *browserPage) fits(width int, st *Styles) bool {
	return p.loaded && (p.err != nil || p.width == width && p.st == st)
}

// maxPages is how many pages are kept.
const maxPages = 32

// browserPane holds the page of the row at the cursor, or one that is shown in front.
type browserPane struct {
	key   string // of the row
	pages map[string]*browserPage
	from  int // the first line in sight

	front *browserPage
	title string // of the page in front
}

// turnTo goes to the page of a row. What was shown in front is put away.
func (p *browserPane) turnTo(key string) {
	if key != p.key {
		p.key, p.front, p.from = key, nil, 0
	}
}

func (p *browserPane) show(title, text string) {
	p.front, p.title, p.from = &browserPage{text: text, loaded: true}, title, 0
}

func (p *browserPane) closeFront() { p.front, p.from = nil, 0 }

// invalidate has the pages read again. That of the row in sight keeps its lines
// until then.
func (p *browserPane) invalidate(key string) {
	kept := p.pages[key]
	p.pages = nil
	if kept != nil {
		p.pages = map[string]*browserPage{key: {lines: kept.lines}}
	}
	if key != p.key && p.front == nil {
		p.from = 0
	}
	p.key = key
}

// page is the one to be read; nil without a row.
func (p *browserPane) page(there bool) *browserPage {
	if p.front != nil {
		return p.front
	}
	if !there {
		return nil
	}
	if p.pages[p.key] == nil {
		if p.pages == nil || len(p.pages) >= maxPages {
			p.pages = map[string]*browserPage{}
		}
		p.pages[p.key] = &browserPage{}
	}
	return p.pages[p.key]
}

// PageJob reads a page and lays it out. It is made by Wanted, done anywhere, and its
// Draft is given to Take.
type PageJob struct {
	page  *browserPage
	key   string
	text  string
	known bool
	width int
	st    *Styles
}

// PageResult is what came of a Job.
type PageResult struct {
	job   PageJob
	text  string
	err   error
	lines []string
}

// NextPageJob gives the Job that the page in sight waits for, once.
func (b *Browser) NextPageJob() (PageJob, bool) {
	_, there := b.Current()
	_, width := b.columns()
	p := b.pane.page(there)
	if width < 1 || p == nil || p.rendering || p.fits(width, b.st) {
		return PageJob{}, false
	}
	p.rendering = true
	return PageJob{page: p, key: b.pane.key, text: p.text, known: p.loaded, width: width, st: b.st}, true
}

// Do makes the page. It reads with read what was not read before.
func (j PageJob) Do(read func(key string) (string, error)) PageResult {
	d := PageResult{job: j, text: j.text}
	if !j.known {
		d.text, d.err = read(j.key)
	}
	if d.err == nil {
		d.lines = markdown.Render(d.text, j.st.Markdown(j.width))
	}
	return d
}

// ApplyPage puts a page in its place.
func (b *Browser) ApplyPage(d PageResult) {
	// A page that was dropped meanwhile is in nobody's sight any more.
	p := d.job.page
	p.text, p.err, p.loaded, p.rendering = d.text, d.err, true, false
	p.lines, p.width, p.st = d.lines, d.job.width, d.job.st
}

// lines are those of the page in sight, as far as it has any yet.
func (p *browserPane) lines() []string {
	switch {
	case p.front != nil:
		return p.front.lines
	case p.pages[p.key] != nil:
		return p.pages[p.key].lines
	default:
		return nil
	}
}

// visible gives the lines of all that are seen through height of them.
func (p *browserPane) visible(all []string, height int) []string {
	height = max(height, 0)
	p.from = max(min(p.from, len(all)-height), 0)
	return all[p.from:min(p.from+height, len(all))]
}
