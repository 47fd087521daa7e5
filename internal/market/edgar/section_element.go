package edgar

import "golang.org/x/net/html/atom"

// isBlockElement reports whether an element begins and ends lines.
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

// hasImpliedEnd reports whether an element ends where the next of its kind begins.
func hasImpliedEnd(name atom.Atom) bool {
	switch name {
	case atom.Li, atom.Td, atom.Th, atom.Tr, atom.Dt, atom.Dd:
		return true
	}
	return false
}

// endsElement reports whether the start of one element ends another kind around it.
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

// isScopeElement reports whether an element keeps stray end tags within it from closing
// what is around it.
func isScopeElement(name atom.Atom) bool {
	switch name {
	case atom.Table, atom.Td, atom.Th, atom.Tr, atom.Body, atom.Html:
		return true
	}
	return false
}
