// Package frontmatter reads and edits the YAML front matter of Markdown files.
//
// Read is lenient: it repairs common mistakes and lists what it guessed as warnings. Anchors,
// aliases, deep nesting and very long input are errors. A Document changes one field at a time and
// keeps every other byte. Fields converts values to Go types; a value of the wrong type becomes a
// warning and counts as absent. LocateYAMLError returns the line and the message of a YAML error.
package frontmatter
