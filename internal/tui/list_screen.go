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
	// Read returns the Markdown of the item with that name, for the pane next to the list; it may
	// be slow. If it is nil, the pane shows About.
	Read    func(name string) (string, error)
	Actions []ListAction // for the item at the cursor, and for the whole list
	Empty   string       // shown if there are no items
}

// ListItem is an item of a ListScreen. Its Name is what Read and Run get.
type ListItem = widget.ListItem

// ListAction is what a key does on a ListScreen. The keys that move, filter, help and close belong
// to the screen; "shelf-enter" may be an action.
type ListAction struct {
	Action      string              // its name in the key table: "skill-edit"; a name that is not there is its only key
	Name        string              // "edit", shown in the last line
	About       string              // for the list of keys; that of the table when empty
	WithoutItem bool                // for the whole list: needs no item
	AppliesTo   func(ListItem) bool // for which items; nil means for every one
	// Run gets the name of the item at the cursor, or "" if there is none. It runs outside the
	// update loop and may be slow.
	Run func(name string) (ActionResult, error)
}

// ActionResult is the result of an action. At most one of Ask, Confirm, Exec, Compose, Resume and
// Show is set and says what follows; Message and Select go with any of them.
type ActionResult struct {
	Message string          // one line that stays until the next key
	Ask     *ActionForm     // values are needed
	Confirm *ConfirmRequest // a yes is needed
	Exec    *ExecRequest    // a program needs the terminal: the user's editor
	Compose string          // closes the screen and puts this text into the composer
	Resume  *ResumeRequest  // the chat continues with another conversation
	Show    string          // Markdown to read in the pane
	Select  string          // the item to select afterwards
}

// ActionForm asks for values on a ListScreen. Fill gets them by name, trimmed, and may be slow. An
// ActionResult that asks with the same Title continues the same form: it shows the new fields and
// keeps what was typed in fields of the same name. After an error the form stays as it is.
type ActionForm struct {
	Title  string
	Fields []widget.FormField
	Fill   func(values map[string]string) (ActionResult, error)
}

// ConfirmRequest asks for a yes; every other answer is a no. Yes runs outside the update loop.
type ConfirmRequest struct {
	Question string
	Detail   []string // what exactly will happen, a line each
	Yes      func() (ActionResult, error)
}

// ResumeRequest replaces the conversation of the chat by another one. Done receives whether that
// happened: it does not while an answer is running or after the screen was closed. Done runs in
// the update loop and must be quick. A form cannot end in a ResumeRequest.
type ResumeRequest struct {
	Conversation Conversation
	History      []session.Entry // drawn as it was
	Done         func(entered bool)
}

// ExecRequest is a program that has the terminal until it ends. Standard streams that are nil are
// the terminal's. Then receives the error of the program; it runs outside the update loop.
type ExecRequest struct {
	Cmd  *exec.Cmd
	Then func(err error) (ActionResult, error)
}
