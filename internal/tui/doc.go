// Package tui is the chat on the screen, a Bubble Tea program. Model holds the state: Update decides,
// a tea.Cmd runs slow work, and View draws.
//
// Run starts the chat from a Config and returns a Result. The terminal is restored on every exit:
// quit, signal, hangup or panic. A turn runs in its own goroutine; an EventStream delivers its events
// in one EventBatch per frame, so a slow terminal never delays the turn.
//
// Commands and skills are Command values; a ListScreen describes a screen of items with actions. Chat
// is the part without drawing, which package repl, the line-by-line chat, shares. Package widget draws
// the components and package transcript the conversation. Model is not safe for concurrent use.
package tui
