// Package cli is how commands read and print: text for a terminal, JSON and event streams for
// programs.
//
// NewTurnWriter prints the answer of a model and NewStepWriter the steps of a skill, each as text,
// JSON or one JSON line per event. A TurnError carries why a turn ended early, and Remedy suggests
// what to do. NewToolResult and FailureText present one tool result, Painter draws it. WriteJSON, WriteList
// and Table print what commands list, with control characters escaped.
// It also holds what the chat needs to take input: AttachFiles for @files, SymbolCompleter for
// symbols, History for earlier messages, and EditorCommand for the user's editor.
package cli
