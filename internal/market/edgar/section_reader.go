package edgar

import (
	"bytes"
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxDepth is the maximum depth of tracked elements. Filings nest about twenty levels. Beyond the limit, a
// tag still breaks lines but cannot hide text.
const maxDepth = 256

// ixHeader represents the inline XBRL header, a hidden element that has no atom.
const ixHeader = ^atom.Atom(0)

// openElement is an open tag.
type openElement struct {
	name   atom.Atom
	from   textPosition // start of its text
	raised bool
	inline bool // a block element displayed inline by its style
}

// documentReader turns tags into lines.
type documentReader struct {
	tags    *html.Tokenizer
	out     textWriter
	open    []openElement
	tooDeep int // number of open elements beyond maxDepth
	hidden  int // index in open of the element that hides its text; -1 for none
}

// readDocument extracts the text of a document.
func readDocument(doc []byte) documentText {
	r := documentReader{tags: html.NewTokenizer(bytes.NewReader(doc)), hidden: -1}
	r.out.anchorLines = make(map[string]int)
	r.out.text = make([]byte, 0, len(doc)/8)
	r.out.verbatim = !isHTML(doc)
	for {
		switch r.tags.Next() {
		case html.ErrorToken:
			return r.out.finish()
		case html.TextToken:
			if r.hidden < 0 {
				r.out.write(r.tags.Text())
			}
		case html.StartTagToken:
			r.start(false)
		case html.SelfClosingTagToken:
			r.start(true)
		case html.EndTagToken:
			name, _ := r.tags.TagName()
			r.end(elementName(name))
		}
	}
}

// isHTML reports whether a document is HTML. Filings before 2001 are plain text in columns.
func isHTML(doc []byte) bool {
	head := bytes.ToLower(doc[:min(len(doc), 64<<10)])
	for _, tag := range []string{"<html", "<body", "<div", "<p>", "<p ", "<td", "<font", "<span", "<br", "<hr", "<ul", "<ol", "<dl", "<tr"} {
		if bytes.Contains(head, []byte(tag)) {
			return true
		}
	}
	return false
}

func elementName(name []byte) atom.Atom {
	if string(name) == "ix:header" {
		return ixHeader
	}
	return atom.Lookup(name)
}

func (r *documentReader) start(closed bool) {
	raw, more := r.tags.TagName()
	name := elementName(raw)
	if name != atom.Script && name != atom.Style || closed {
		// An unclosed title must not swallow the filing as its raw text.
		r.tags.NextIsNotRawText()
	}
	fact := bytes.HasPrefix(raw, []byte("ix:"))
	page := string(raw) == "page" // for plain-text filings
	a := r.attributes(more, fact)
	if page || a.newPage {
		r.out.breakLine()
		r.out.newPage()
	}
	if name == 0 || r.out.verbatim {
		return
	}
	r.closeImplied(name)
	if r.hidden < 0 {
		r.opening(name, a)
	}
	if closed || isVoidElement(name) {
		if r.hidden < 0 {
			r.closing(name)
		}
		return
	}
	r.push(name, a)
}

func (r *documentReader) push(name atom.Atom, a attributes) {
	if len(r.open) >= maxDepth {
		r.tooDeep++
		return
	}
	r.open = append(r.open, openElement{name: name, from: r.out.mark(), raised: name == atom.Sup || a.raised, inline: a.inline})
	if r.hidden < 0 && (a.hidden || isInvisibleElement(name)) {
		r.hidden = len(r.open) - 1
	}
}

// end closes the nearest open element with that name and all elements inside it. An end tag without
// an open element is ignored.
func (r *documentReader) end(name atom.Atom) {
	if name == 0 || r.out.verbatim {
		return
	}
	if r.tooDeep > 0 {
		r.tooDeep--
		if r.hidden < 0 {
			r.closing(name)
		}
		return
	}
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i].name == name {
			r.popTo(i)
			return
		}
		// A stray end tag does not close elements outside its cell, and a cell's end tag does not close
		// elements outside its table.
		if isScopeElement(r.open[i].name) && (!isScopeElement(name) || r.open[i].name == atom.Table) {
			return
		}
	}
}

// popTo closes the open elements from index i on.
func (r *documentReader) popTo(i int) {
	for len(r.open) > i {
		last := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		if r.hidden >= len(r.open) {
			r.hidden = -1
			continue
		}
		if r.hidden >= 0 {
			continue
		}
		if last.raised {
			r.out.footnote(last.from)
		}
		if !last.inline {
			r.closing(last.name)
		}
	}
}

// closeImplied closes elements that the opening tag ends: a block ends a paragraph, a cell ends the
// previous cell.
func (r *documentReader) closeImplied(name atom.Atom) {
	if !isBlockElement(name) || name == atom.Br {
		return
	}
	for i := len(r.open) - 1; i >= 0 && r.tooDeep == 0; i-- {
		within := r.open[i].name
		if within == name && hasImpliedEnd(name) || within == atom.P || endsElement(name, within) {
			r.popTo(i)
			continue
		}
		if isBlockElement(within) {
			return
		}
	}
}

// opening applies the start of a visible element to the text.
func (r *documentReader) opening(name atom.Atom, a attributes) {
	switch name {
	case atom.Table:
		r.out.openTable()
	case atom.Tr:
		r.out.endRow()
	case atom.Td, atom.Th:
		r.out.openCell(a.columns, a.rows)
	case atom.Li:
		r.out.breakLine()
		r.out.write([]byte("• "))
	case atom.A:
		if a.target != "" {
			r.out.openLink(a.target)
		}
	case atom.Pre:
		r.out.breakLine()
		r.out.preformattedDepth++
	default:
		if isBlockElement(name) && !a.inline {
			r.out.breakLine()
		}
	}
}

// closing applies the end of a visible element to the text.
func (r *documentReader) closing(name atom.Atom) {
	switch {
	case name == atom.Table:
		r.out.closeTable()
	case name == atom.Tr:
		r.out.endRow()
	case name == atom.Td || name == atom.Th:
		r.out.endCell()
	case name == atom.A:
		r.out.closeLink()
	case name == atom.Pre:
		r.out.breakLine()
		r.out.preformattedDepth = max(0, r.out.preformattedDepth-1)
	case isBlockElement(name):
		r.out.breakLine()
	}
}

// attributes are the attributes of a tag that matter for the text.
type attributes struct {
	target                          string // of a link within the document
	columns, rows                   int
	hidden, raised, inline, newPage bool
}

func (r *documentReader) attributes(more, fact bool) attributes {
	a := attributes{columns: 1, rows: 1}
	for more {
		var key, value []byte
		key, value, more = r.tags.TagAttr()
		switch string(key) {
		case "id", "name":
			// Ignore the IDs of facts, because no table of contents links to them.
			if !fact {
				r.out.anchor(value)
			}
		case "href":
			if target, ok := bytes.CutPrefix(value, []byte("#")); ok && len(target) <= maxID {
				a.target = string(target)
			}
		case "hidden":
			a.hidden = true
		case "colspan":
			a.columns = parseSpan(value)
		case "rowspan":
			a.rows = parseSpan(value)
		case "style":
			a.applyStyle(value)
		}
	}
	return a
}

func parseSpan(value []byte) int {
	n, err := strconv.Atoi(string(bytes.TrimSpace(value)))
	if err != nil {
		return 1
	}
	return min(max(n, 1), 1000)
}

// applyStyle applies a style attribute. Filers write it with and without spaces.
func (a *attributes) applyStyle(style []byte) {
	for len(style) > 0 {
		var one []byte
		one, style, _ = bytes.Cut(style, []byte(";"))
		name, value, ok := bytes.Cut(one, []byte(":"))
		if !ok {
			continue
		}
		name, value = bytes.TrimSpace(name), bytes.TrimSpace(value)
		switch {
		case equalFold(name, "display"):
			a.hidden = a.hidden || equalFold(value, "none")
			a.inline = equalFold(value, "inline")
		case equalFold(name, "visibility"):
			a.hidden = a.hidden || equalFold(value, "hidden")
		case equalFold(name, "vertical-align"):
			a.raised = a.raised || equalFold(value, "super")
		case equalFold(name, "top"):
			// Footnote marks after figures are often raised this way.
			a.raised = a.raised || bytes.HasPrefix(value, []byte("-"))
		case equalFold(name, "page-break-before"), equalFold(name, "page-break-after"), equalFold(name, "break-before"), equalFold(name, "break-after"):
			a.newPage = equalFold(value, "always") || equalFold(value, "page")
		}
	}
}

func equalFold(have []byte, want string) bool {
	return len(have) >= len(want) && bytes.EqualFold(have[:len(want)], []byte(want)) &&
		(len(have) == len(want) || have[len(want)] == ' ' || have[len(want)] == '!')
}

// isBlockElement reports whether an element starts and ends lines.
func isBlockElement(name atom.Atom) bool {
	switch name {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Br, atom.Caption, atom.Center,
		atom.Dd, atom.Div, atom.Dl, atom.Dt, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5,
		atom.H6, atom.Header, atom.Hr, atom.Li, atom.Main, atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Section,
		atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul:
		return true
	}
	return false
}

// isVoidElement reports whether an element has no content and no end tag.
func isVoidElement(name atom.Atom) bool {
	switch name {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Wbr:
		return true
	}
	return false
}

// isInvisibleElement reports whether an element's text is not for readers.
func isInvisibleElement(name atom.Atom) bool {
	switch name {
	case ixHeader, atom.Head, atom.Title, atom.Script, atom.Style, atom.Template, atom.Textarea:
		return true
	}
	return false
}

// hasImpliedEnd reports whether the next element of its kind ends an element.
func hasImpliedEnd(name atom.Atom) bool {
	switch name {
	case atom.Li, atom.Td, atom.Th, atom.Tr, atom.Dt, atom.Dd:
		return true
	}
	return false
}

// endsElement reports whether the start tag name ends an open element of another kind.
func endsElement(name, open atom.Atom) bool {
	switch name {
	case atom.Tr:
		return open == atom.Td || open == atom.Th
	case atom.Td:
		return open == atom.Th
	case atom.Th:
		return open == atom.Td
	case atom.Dd:
		return open == atom.Dt
	case atom.Dt:
		return open == atom.Dd
	case atom.Body:
		return open == atom.Head
	}
	return false
}

// isScopeElement reports whether stray end tags within an element cannot close elements around it.
func isScopeElement(name atom.Atom) bool {
	switch name {
	case atom.Table, atom.Td, atom.Th, atom.Tr, atom.Body, atom.Html:
		return true
	}
	return false
}
