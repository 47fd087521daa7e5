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
// Widths are those of grapheme clusters, as the terminals that draw emoji in
// two cells count them.
package markdown
