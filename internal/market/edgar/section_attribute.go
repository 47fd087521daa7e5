package edgar

import (
	"bytes"
	"strconv"
)

// attributes are what a tag says that matters to the text.
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
			// A fact's id is for machines; no contents link to it.
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

// applyStyle reads what a style says. Filers write the same with spaces and without.
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
			// A figure's footnote is often lifted this way.
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
