// Package transcript draws the conversation: messages, answers, reasoning, tool cards and notices,
// and the part of them that is in view.
//
// Transcript takes the events of a running turn through Turn, or recorded session entries through
// AddHistory, and both look the same. View returns exactly as many lines as SetSize gave it. Each
// block caches its lines, so a frame costs what is visible, not the length of the conversation. The
// position is tied to a block: text that arrives or is resized above does not move what is read.
// Transcript also selects, copies, expands and searches blocks. It is not safe for concurrent use.
package transcript
