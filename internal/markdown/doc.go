// Package markdown turns text from models, tools, feeds and skills into lines that are safe to draw
// in a terminal.
//
// Sanitize and SanitizeLine remove control characters and escape sequences; Sanitizer does the same for
// streamed text. Render lays out a whole document as styled lines, none wider than
// Options.Width. Stream renders a document while it is written and returns the same lines as Render
// for the text so far. Supported: CommonMark, tables, strikethrough, bare links, task lists and code
// highlighting; nesting, table columns and link lengths are limited so that no input is slow.
// Escape and QuoteCode put a single value into Markdown text. A Theme sets the styles;
// PlainTheme draws without escape sequences. A Stream is not safe for concurrent use.
package markdown
