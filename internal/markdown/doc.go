// Package markdown turns text from outside (a model, a tool, a feed, a skill)
// into lines that are safe to draw in a terminal.
//
// It has two doors. [Sanitize] and [Sanitizer] take out everything that could
// speak to the terminal instead of to the reader: control characters, escape
// sequences, direction overrides, invisible tags. [Render] and [Stream] lay
// Markdown out in cells; they pass their input through the sanitiser
// themselves, so what they return holds no escape but their own SGR and, when
// asked for, OSC 8.
//
// A table that does not fit becomes lines of "label: value" or, on a screen
// whose reader can move it, a window onto its columns: [Options.ScrollTables].
// Code is coloured, where the theme has colours for it, in the few languages
// that answers hold.
//
// Widths are those of grapheme clusters, as the terminals that draw emoji in
// two cells count them.
package markdown
