// Package transcript draws the conversation: messages, answers, reasoning, tool cards and notices,
// and the part of them that is in view.
//
// Transcript takes the events of a running turn through Turn, or recorded session entries through
// AddHistory, and both look the same. View returns exactly as many lines as SetSize gave it. Each
// block caches its lines, so the cost of a frame does not depend on the length of the conversation. The
// scroll position is tied to a block, so text that arrives or changes above does not move it.
// Transcript also selects, copies, expands and searches blocks. It is not safe for concurrent use.
package transcript
