// Package tui is the chat on the screen, a Bubble Tea program. Model holds the state: Update decides,
// a tea.Cmd does everything that takes time, and View draws.
//
// Run starts the chat from a Config and returns a Result. The terminal is restored on every exit:
// quit, signal, hangup or panic. A turn runs in its own goroutine; an EventStream passes its events
// on in one EventBatch per frame, so a slow terminal never delays the turn.
//
// Commands and skills are given as Command values; a ListScreen describes a screen of items with
// actions. Chat is the part of a chat that draws nothing: package repl, the chat in plain lines,
// shares it. Components draw in package widget and the conversation in package transcript. Model is
// not safe for concurrent use.
package tui
