package tui

import (
	"os/exec"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// ListScreen describes a screen of items to browse, read and act on, shown over the transcript. A
// running turn continues below it.
type ListScreen struct {
	Title string // "Skills"
	// Items is called when the screen opens and after each action; it may be slow.
	Items func() []ListItem
	// Late returns items that take longer than Items. They are added below the others once, when the
	// screen opens; Items must return them from then on. It may be nil.
	Late func() []ListItem
	// Read returns the Markdown of the item with that name for the pane next to the list; it may be
	// slow. If it is nil, the pane shows only About.
	Read    func(name string) (string, error)
	Actions []ListAction // for the item at the cursor or for the list
	Empty   string       // shown if there are no items
	// Selected is the item that is selected first; by default the first item.
	Selected string
	// Overview draws a page in at most height lines, instead of the list while the filter is empty;
	// typing then filters at once. Nil shows the list.
	Overview func(st *widget.Styles, width, height int) []string
	// Frame returns what is drawn around the list. It must be fast and may be nil. current is the item at the
	// cursor, or "".
	Frame func(st *widget.Styles, width int, current string) widget.BrowserFrame
	// LetterKeys makes letters keys of the actions. Otherwise letters filter, and the keys of the actions
	// work in their menu.
	LetterKeys bool
	// NamesFolded shows the names of the items of a folded group.
	NamesFolded bool
	// Step is the label of Esc on a screen that is a step of a dialog, such as "cancel"; "" otherwise. The
	// line-by-line chat asks for the number of an item at once.
	Step    string
	Form    *ActionForm        // open when the screen opens, or nil
	Back    func() *ListScreen // the screen that Esc returns to; nil, or a nil result, closes
	OnClose func() string      // returns a notice when the user closes the screen, or ""
}

// ListItem is an item of a ListScreen. Read and Run receive its Name.
type ListItem = widget.ListItem

// ListAction is an action of a ListScreen. The actions of widget.ScopeListScreen belong to the screen,
// except "screen-enter".
type ListAction struct {
	Action      string              // its name in the key table, "skill-edit", or else its only key
	Name        string              // "edit", shown in the last line
	About       string              // for the list of keys; default: the text of the key table
	WithoutItem bool                // the action needs no item
	Shown       bool                // with LetterKeys: in the last line, not in the menu
	AppliesTo   func(ListItem) bool // nil means all items
	// Run gets the name of the item at the cursor, or "" if there is none. It runs outside the
	// update loop and may be slow.
	Run func(name string) (ActionResult, error)
}

// ActionResult is the result of an action. At most one of Ask, Confirm, Exec, Compose, Send,
// Open, OpenCard, Close, Resume and Show is set; Message, Copy and Select can be combined with each of
// them.
type ActionResult struct {
	Message string          // one line, shown until the next key
	Ask     *ActionForm     // asks for values
	Confirm *ConfirmRequest // asks for a confirmation
	Exec    *ExecRequest    // runs a program in the terminal, such as an editor
	Compose string          // closes the screen and puts this text into the composer
	Send    string          // closes the screen and sends this message or command
	Open    *ListScreen     // replaces the screen
	// OpenCard closes the screen and expands the card of the call with this ID.
	OpenCard string
	Copy     string         // copied to the clipboard
	Close    bool           // closes the screen; Message becomes a notice
	Resume   *ResumeRequest // continues with another conversation
	Show     string         // Markdown for the pane
	Select   string         // the item to select
}

// ActionForm asks for values on a ListScreen. Fill receives them by name, trimmed, and may be slow. If
// its result asks with the same Title, the form shows the new fields and keeps the values of equal
// names. After an error the form stays open.
type ActionForm struct {
	Title  string
	Fields []widget.FormField
	Facts  [][2]string // lines below the fields: a label and a text
	Focus  string      // the field to start at
	Verb   string      // the label of the key that completes the form; default "done"
	Page   bool        // the form fills the screen
	Fill   func(values map[string]string) (ActionResult, error)
	// Save completes the form without the checks of Fill; nil if that is impossible.
	Save func(values map[string]string) (ActionResult, error)
}

// ConfirmRequest asks for a confirmation. Yes runs outside the update loop.
type ConfirmRequest struct {
	Question string
	Detail   []string // the exact consequences, one per line
	Yes      func() (ActionResult, error)
}

// ResumeRequest continues with another conversation, unless an answer is running or the screen was
// closed. Done receives whether it did; it runs in the update loop and must be fast. The result of a
// form cannot be a ResumeRequest.
type ResumeRequest struct {
	Conversation Conversation
	History      []session.Entry // the recorded part
	Done         func(entered bool)
}

// ExecRequest runs a program in the terminal. Standard streams that are nil are the terminal. Then
// receives the error of the program and runs outside the update loop.
type ExecRequest struct {
	Cmd  *exec.Cmd
	Then func(err error) (ActionResult, error)
}
