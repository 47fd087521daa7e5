package widget

import (
	"github.com/nfa-cli/nfa/internal/markdown"
)

// browserPage is Markdown with its rendered lines.
type browserPage struct {
	text      string
	err       error
	loaded    bool // text or err is set
	rendering bool // a PageJob is running

	lines        []string
	width, theme int // of the lines
}

// fits reports whether the lines were rendered for this width and theme.
func (p *browserPage) fits(width, theme int) bool {
	return p.loaded && (p.err != nil || p.width == width && p.theme == theme)
}

// maxPages is the maximum number of pages kept.
const maxPages = 32

// browserPane shows the page of the row at the cursor, or a page in front of it.
type browserPane struct {
	key   string // of the row
	pages map[string]*browserPage
	from  int // the first visible line

	front *browserPage
	title string // of the page in front
}

// turnTo changes to the page of a row and closes the page in front.
func (p *browserPane) turnTo(key string) {
	if key != p.key {
		p.key, p.front, p.from = key, nil, 0
	}
}

func (p *browserPane) show(title, text string) {
	p.front, p.title, p.from = &browserPage{text: text, loaded: true}, title, 0
}

func (p *browserPane) closeFront() { p.front, p.from = nil, 0 }

// invalidate makes all pages outdated. The visible page keeps its lines until it is read again.
func (p *browserPane) invalidate(key string) {
	current := p.pages[key]
	p.pages = nil
	if current != nil {
		p.pages = map[string]*browserPage{key: {lines: current.lines}}
	}
	if key != p.key && p.front == nil {
		p.from = 0
	}
	p.key = key
}

// page returns the page to show, or nil without a row.
func (p *browserPane) page(hasRow bool) *browserPage {
	if p.front != nil {
		return p.front
	}
	if !hasRow {
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

// PageJob reads a page and renders it. NextPageJob returns it, any goroutine may run it, and
// ApplyPage takes its PageResult.
type PageJob struct {
	page         *browserPage
	key          string
	text         string
	known        bool
	width, theme int
	options      markdown.Options
}

// PageResult is the result of a PageJob.
type PageResult struct {
	job   PageJob
	text  string
	err   error
	lines []string
}

// NextPageJob returns a job if the visible page needs one, and each job only once.
func (b *Browser) NextPageJob() (PageJob, bool) {
	_, hasRow := b.Current()
	_, width := b.columns()
	p := b.pane.page(hasRow)
	if width < 1 || p == nil || p.rendering || p.fits(width, b.st.version) {
		return PageJob{}, false
	}
	p.rendering = true
	return PageJob{page: p, key: b.pane.key, text: p.text, known: p.loaded, width: width, theme: b.st.version, options: b.st.Markdown(width)}, true
}

// Do renders the page. It calls read only if the page was not read yet.
func (j PageJob) Do(read func(key string) (string, error)) PageResult {
	d := PageResult{job: j, text: j.text}
	if !j.known {
		d.text, d.err = read(j.key)
	}
	if d.err == nil {
		d.lines = markdown.Render(d.text, j.options)
	}
	return d
}

// ApplyPage sets the rendered page.
func (b *Browser) ApplyPage(d PageResult) {
	p := d.job.page
	p.text, p.err, p.loaded, p.rendering = d.text, d.err, true, false
	p.lines, p.width, p.theme = d.lines, d.job.width, d.job.theme
}

// lines returns the lines of the current page, if it has any yet.
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

// visible returns at most height lines of all, from the scroll position.
func (p *browserPane) visible(all []string, height int) []string {
	height = max(height, 0)
	p.from = max(min(p.from, len(all)-height), 0)
	return all[p.from:min(p.from+height, len(all))]
}
