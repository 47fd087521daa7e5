package shelf

import (
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// page is Markdown with the lines that were last made of it.
type page struct {
	text   string
	err    error
	known  bool // text or err is there
	making bool // a Job is at it

	lines []string
	width int          // what the lines
	st    *draw.Styles // were made for
}

// fits says whether the lines are those for this width and theme.
func (p *page) fits(width int, st *draw.Styles) bool {
	return p.known && (p.err != nil || p.width == width && p.st == st)
}

// most is how many pages are kept.
const most = 32

// pane holds the page of the row at the cursor, or one that is shown in front.
type pane struct {
	key   string // of the row
	pages map[string]*page
	from  int // the first line in sight

	front *page
	title string // of the page in front
}

// turnTo goes to the page of a row. What was shown in front is put away.
func (p *pane) turnTo(key string) {
	if key != p.key {
		p.key, p.front, p.from = key, nil, 0
	}
}

func (p *pane) show(title, text string) {
	p.front, p.title, p.from = &page{text: text, known: true}, title, 0
}

func (p *pane) putAway() { p.front, p.from = nil, 0 }

// outdate has the pages read again. That of the row in sight keeps its lines
// until then.
func (p *pane) outdate(key string) {
	kept := p.pages[key]
	p.pages = nil
	if kept != nil {
		p.pages = map[string]*page{key: {lines: kept.lines}}
	}
	if key != p.key && p.front == nil {
		p.from = 0
	}
	p.key = key
}

// page is the one to be read; nil without a row.
func (p *pane) page(there bool) *page {
	if p.front != nil {
		return p.front
	}
	if !there {
		return nil
	}
	if p.pages[p.key] == nil {
		if p.pages == nil || len(p.pages) >= most {
			p.pages = map[string]*page{}
		}
		p.pages[p.key] = &page{}
	}
	return p.pages[p.key]
}

// Job reads a page and lays it out. It is made by Wanted, done anywhere, and its
// Draft is given to Take.
type Job struct {
	page  *page
	key   string
	text  string
	known bool
	width int
	st    *draw.Styles
}

// Draft is what came of a Job.
type Draft struct {
	job   Job
	text  string
	err   error
	lines []string
}

// Wanted gives the Job that the page in sight waits for, once.
func (b *Browser) Wanted() (Job, bool) {
	_, there := b.Current()
	_, width := b.columns()
	p := b.pane.page(there)
	if width < 1 || p == nil || p.making || p.fits(width, b.st) {
		return Job{}, false
	}
	p.making = true
	return Job{page: p, key: b.pane.key, text: p.text, known: p.known, width: width, st: b.st}, true
}

// Do makes the page. It reads with read what was not read before.
func (j Job) Do(read func(key string) (string, error)) Draft {
	d := Draft{job: j, text: j.text}
	if !j.known {
		d.text, d.err = read(j.key)
	}
	if d.err == nil {
		d.lines = markdown.Render(d.text, j.st.Markdown(j.width))
	}
	return d
}

// Take puts a page in its place.
func (b *Browser) Take(d Draft) {
	// A page that was dropped meanwhile is in nobody's sight any more.
	p := d.job.page
	p.text, p.err, p.known, p.making = d.text, d.err, true, false
	p.lines, p.width, p.st = d.lines, d.job.width, d.job.st
}

// lines are those of the page in sight, as far as it has any yet.
func (p *pane) lines() []string {
	switch {
	case p.front != nil:
		return p.front.lines
	case p.pages[p.key] != nil:
		return p.pages[p.key].lines
	default:
		return nil
	}
}

// sight gives the lines of all that are seen through height of them.
func (p *pane) sight(all []string, height int) []string {
	height = max(height, 0)
	p.from = max(min(p.from, len(all)-height), 0)
	return all[p.from:min(p.from+height, len(all))]
}
