package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// SymbolSuggestion is a completion of "$".
type SymbolSuggestion = widget.SymbolSuggestion

// InputHistory stores sent messages for later chats, and may skip some. Its methods are called outside
// the update loop.
type InputHistory interface {
	Messages(ctx context.Context) ([]string, error) // oldest first
	Add(ctx context.Context, text string) error
}

// inputArea is the composer with the lists above it, the searches in its place and the queued
// messages.
type inputArea struct {
	chat *Chat
	st   *widget.Styles

	composer    *widget.Composer
	commandList *widget.CommandList
	completions *widget.Completions              // of files, symbols and arguments
	queue       *widget.MessageQueue[Submission] // sent when the turn has ended

	// At most one of these is open, in place of the composer.
	findBar       *widget.FindBar
	historySearch *widget.HistorySearch

	unknown *UnknownCommand // the text names no command and was not sent

	historyLoaded bool // the messages of earlier chats are loaded
	historyWarned bool // an error of InputHistory was shown
}

func newInputArea(chat *Chat, st *widget.Styles) *inputArea {
	keys := chat.Keys
	completeArgs := func(command string) widget.ArgumentCompleter {
		c, _ := chat.Commands.Lookup(command)
		return c.CompleteArgs
	}
	composer := widget.NewComposer(st, keys, "> ")
	return &inputArea{
		chat: chat, st: st,
		composer:    composer,
		commandList: widget.NewCommandList(st, keys, chat.Commands.CommandIndex, composer.History.RecentCommands),
		completions: widget.NewCompletions(st, keys, widget.CompletionSources{Files: chat.Files, Symbols: chat.Symbols, Now: chat.Now, CompleteArgs: completeArgs}),
		queue:       widget.NewMessageQueue(st, keys, func(s Submission) string { return s.Text }),
	}
}

// setSize sets the size of all parts for a screen with that many rows.
func (in *inputArea) setSize(width, rows int) {
	in.composer.SetSize(width, max(rows/3, 1))
	if in.findBar != nil {
		in.findBar.Line.SetSize(width, 1)
	}
	lists := max(rows/2, 1)
	in.commandList.SetSize(width, lists)
	in.completions.SetSize(width, lists)
	in.queue.SetSize(width, lists)
	if in.historySearch != nil {
		in.historySearch.SetSize(width, lists)
	}
}

// line returns the editor in use: the composer or the line of a search.
func (in *inputArea) line() *widget.Composer {
	switch {
	case in.findBar != nil:
		return in.findBar.Line
	case in.historySearch != nil:
		return in.historySearch.Line
	default:
		return in.composer
	}
}

func (in *inputArea) searching() bool { return in.findBar != nil || in.historySearch != nil }

// overlay returns the list above the composer; at most one is open.
func (in *inputArea) overlay() *widget.Menu {
	switch {
	case in.historySearch != nil:
		return in.historySearch.Menu
	case in.queue.Open():
		return in.queue.Menu
	case in.completions.Open():
		return in.completions.Menu
	default:
		return in.commandList.Menu
	}
}

// queueHeight returns the rows that the queue takes: none while its list is open.
func (in *inputArea) queueHeight() int {
	if in.queue.Open() {
		return 0
	}
	return in.queue.Len()
}

// textChanged updates the lists and the argument hint after a change of the composer's text.
func (in *inputArea) textChanged() {
	in.unknown = nil
	in.commandList.Follow(in.composer.Value())
	in.completions.Follow(in.composer.TextBeforeCursor(), in.commandList.Open())
	in.showHint()
}

// showHint shows the arguments of the highlighted command, or of a typed command without arguments.
func (in *inputArea) showHint() {
	hint := ""
	if in.commandList.Open() {
		hint = in.commandList.Current().Hint
	} else if name, args, ok := widget.ParseCommand(in.composer.Value()); ok && args == "" {
		item, _, _ := in.chat.Commands.Find(name)
		hint = item.Hint
	}
	in.composer.SetHint(hint)
}

// refuse keeps a text that names no command, with a notice above the composer.
func (in *inputArea) refuse(text string, unknown UnknownCommand) {
	if in.composer.Value() != text {
		in.composer.Set(text)
	}
	in.closeLists()
	in.composer.SetHint("")
	in.unknown = &unknown
}

// unknownRows draws the notice about an unknown command, with the keys for it below if they do not fit.
func (in *inputArea) unknownRows(width int) []string {
	if in.unknown == nil || in.searching() {
		return nil
	}
	hints := []widget.ActionHint{{Action: "list-close", Text: "dismisses"}}
	if in.unknown.Suggestion != "" {
		hints = slices.Insert(hints, 0, widget.ActionHint{Action: "list-take", Text: "accepts"})
	}
	text, keys := in.st.Warn.Apply("! "+widget.OneLine(in.unknown.Text())), in.st.Dim.Apply("  "+in.chat.Keys.Hints("", " · ", hints...))
	if line := text + " " + keys; ansi.StringWidth(line) <= width {
		return []string{line}
	}
	return []string{widget.FitLine(text, width), widget.FitLine(keys, width)}
}

// pressUnknown handles the keys of the notice about an unknown command.
func (in *inputArea) pressUnknown(k tea.KeyPressMsg) (handled bool) {
	if in.unknown == nil {
		return false
	}
	switch in.chat.Keys.Action(widget.ScopeCompletion, k) {
	case "list-take":
		if in.unknown.Suggestion == "" {
			return true
		}
		in.write(in.unknown.Suggestion)
		in.closeLists()
	case "list-close":
		in.unknown = nil
	default:
		return false
	}
	return true
}

// closeLists closes the lists above the composer.
func (in *inputArea) closeLists() {
	in.commandList.Close()
	in.completions.Close()
	in.queue.Close()
}

// write replaces the text of the composer.
func (in *inputArea) write(text string) {
	in.composer.Set(text)
	in.textChanged()
}

// insert inserts text before the draft.
func (in *inputArea) insert(text string) {
	text = markdown.Sanitize(text)
	if !in.composer.Empty() && !strings.HasSuffix(text, " ") {
		text += " "
	}
	in.write(text + in.composer.Value())
}

// takeBack inserts messages before the draft.
func (in *inputArea) takeBack(messages ...Submission) {
	var parts []string
	for _, s := range messages {
		parts = append(parts, s.Text)
	}
	if draft := in.composer.Value(); draft != "" {
		parts = append(parts, draft)
	}
	in.write(strings.Join(parts, "\n"))
}

// takeBackQueued returns the queued message to the composer. If there are several, it opens their
// list.
func (in *inputArea) takeBackQueued() {
	in.closeLists()
	if s, ok := in.queue.TakeBack(); ok {
		in.takeBack(s)
	}
}

// update passes a key or a paste to the editor in use.
func (in *inputArea) update(msg tea.Msg) tea.Cmd {
	switch {
	case in.findBar != nil:
		return in.findBar.Write(msg)
	case in.historySearch != nil:
		return in.historySearch.Write(msg)
	}
	cmd := in.composer.Update(msg)
	in.textChanged()
	return cmd
}

// pressSearch handles a key while a search is open.
func (in *inputArea) pressSearch(k tea.KeyPressMsg) tea.Cmd {
	if in.findBar != nil {
		cmd, closed := in.findBar.Press(k)
		if closed {
			in.findBar = nil
		}
		return cmd
	}
	search := in.historySearch
	cmd, reply := search.Press(k)
	if reply != widget.HistoryReplyHandled {
		in.historySearch = nil
	}
	if reply == widget.HistoryReplyTaken {
		if text, ok := search.Chosen(); ok {
			in.composer.Set(text)
		}
		in.textChanged()
		in.closeLists()
	}
	return cmd
}

// pressList handles a key while a list is open. handled is false if the key is not one of the list.
// run is a line to send, or "".
func (in *inputArea) pressList(k tea.KeyPressMsg) (run string, handled bool) {
	if in.queue.Open() {
		taken, ok := in.queue.Press(k)
		if taken != nil {
			in.takeBack(*taken)
		}
		if ok {
			return "", true
		}
	}
	if in.completions.Open() {
		replacement, ok := in.completions.Press(k)
		if replacement.Text != "" {
			in.composer.Replace(replacement.Letters, replacement.Text)
			in.textChanged()
		}
		if ok {
			return "", true
		}
	}
	if !in.commandList.Open() {
		return "", false
	}
	chosen := in.commandList.Current()
	switch in.commandList.Press(k) {
	case widget.CommandReplyIgnored:
		return "", false
	case widget.CommandReplyRun:
		return "/" + chosen.Name, true
	case widget.CommandReplyWrite:
		in.write("/" + chosen.Name + " ")
	default:
		in.showHint()
	}
	return "", true
}

// recall shows an earlier message (-1) or a later one (+1), and reports whether it handled the key.
func (in *inputArea) recall(step int) bool {
	if !in.composer.Recall(step) {
		return false
	}
	in.textChanged()
	// Close the lists, so that the arrow keys stay with the history.
	in.closeLists()
	return true
}

// undo undoes the last change of the draft (-1), or redoes it (+1).
func (in *inputArea) undo(step int) {
	if in.composer.UndoStep(step) {
		in.textChanged()
		in.closeLists()
	}
}

// openFindBar opens the find bar in place of the composer, which keeps its text.
func (in *inputArea) openFindBar(target *transcript.Transcript) {
	in.commandList.Close()
	in.queue.Close()
	in.findBar = widget.OpenFindBar(in.st, in.chat.Keys, target)
}

// openHistorySearch opens the search. The messages of other chats are added once they are loaded.
func (in *inputArea) openHistorySearch(ctx context.Context) tea.Cmd {
	in.closeLists()
	in.historySearch = widget.OpenHistorySearch(in.st, in.chat.Keys, in.composer.History.MergeWith(nil))
	return in.loadHistory(ctx)
}

// historyMsg carries the messages of all chats, or the error of storing one.
type historyMsg struct {
	messages []string
	err      error
}

// loadHistory returns the command that loads the messages of all chats.
func (in *inputArea) loadHistory(ctx context.Context) tea.Cmd {
	store := in.chat.InputHistory
	if store == nil {
		return nil
	}
	return func() tea.Msg {
		messages, err := store.Messages(ctx)
		for i, text := range messages {
			messages[i] = markdown.Sanitize(text)
		}
		return historyMsg{messages, err}
	}
}

// remember adds a sent message to the history.
func (in *inputArea) remember(ctx context.Context, written string) tea.Cmd {
	stored := written
	if written == in.composer.Value() {
		stored = in.composer.HistoryText()
	}
	in.composer.History.Remember(strings.TrimSpace(written))
	store := in.chat.InputHistory
	if store == nil {
		return nil
	}
	return func() tea.Msg {
		// Keep a leading space: it tells the history not to store the message.
		if err := store.Add(ctx, strings.TrimRight(stored, " \t\n")); err != nil {
			return historyMsg{err: err}
		}
		return nil
	}
}

// applyHistory applies loaded messages. It returns only the first error, so that it is shown once.
func (in *inputArea) applyHistory(msg historyMsg) (warning error) {
	if msg.err != nil {
		if in.historyWarned {
			return nil
		}
		in.historyWarned = true
		return msg.err
	}
	if !in.historyLoaded {
		in.historyLoaded = true
		in.composer.History.Prepend(msg.messages)
	}
	if in.historySearch != nil {
		in.historySearch.SetMessages(in.composer.History.MergeWith(msg.messages))
	}
	return nil
}

// completionsMsg carries the result of a lookup.
type completionsMsg struct{ result widget.LookupResult }

// lookUpCompletions returns the command that looks up the completions of the word at the cursor, or
// nil.
func (in *inputArea) lookUpCompletions() tea.Cmd {
	lookUp := in.completions.NextLookup()
	if lookUp == nil {
		return nil
	}
	return func() tea.Msg { return completionsMsg{lookUp()} }
}
