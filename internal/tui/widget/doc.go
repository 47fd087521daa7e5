// Package widget holds the components of the chat screen: Composer, CommandList, Completions, MessageQueue,
// HistorySearch, FindBar, SearchList, Form, ApprovalDialog, ConfirmDialog, Browser, StatusBar and
// ActivityLine, with the KeyMap and the Styles they share.
//
// A component takes key presses, asks the KeyMap for their actions and returns lines that fit the
// size it was given; SetSize comes before View. Work that takes time is returned as a function or a
// job, which may run in another goroutine; nothing else here is safe for concurrent use. Text from
// outside is sanitized before it is drawn. ApprovalDialog and ConfirmDialog accept a yes only after
// ApprovalQuietTime without input.
package widget
