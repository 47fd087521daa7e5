// Package repl is the chat in plain lines, for screen readers, logs and pipes. Each line is printed
// once, starts with a label that says who speaks, and is never redrawn.
//
// Run reads messages from Config.Input until it ends, the user quits or the context ends. Answers
// are printed paragraph by paragraph, charts are described in words, and forms and approvals are
// asked line by line. Text from outside is sanitized and cannot imitate a label. Config is the
// tui.Config of the drawn chat plus what only lines need; Theme, keys and window title are not used.
package repl
