// Package repl is the line-by-line chat for screen readers, logs and pipes. Each line is printed once
// and never redrawn; each message starts with a label that names its author.
//
// Run reads messages from Config.Input until it ends, the user quits or the context ends. Answers
// are printed paragraph by paragraph, charts are described in words, and forms and approvals are asked
// line by line. Text from outside is sanitized and cannot imitate a label. Theme, keys and window title
// of the Config are not used.
package repl
