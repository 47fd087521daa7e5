// Package section reads a filing's main document: HTML in, the items that the
// form asks for out, as plain text.
//
// The document is read once, tag by tag, into lines: a paragraph is a line, and
// so is a row of a table, its cells set apart by " | ". What a reader does not
// see (inline XBRL headers, hidden elements) and what is there for the printer
// (page numbers, running heads) is left out.
//
// Two witnesses then tell where an item begins: the links of the table of
// contents, and lines that read like the item's heading. Each misleads with some
// filers, so they check each other, and the length that such an item usually has
// checks both. A section that nothing confirms is returned with its doubts, never
// silently.
package section
