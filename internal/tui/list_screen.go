package tui

import (
	"os/exec"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// ListScreen is a screen of things to browse, read and act on, opened over the
// transcript. A turn goes on below it.
type ListScreen struct {
	Title string // "Skills"
	// Scope is where in the table of keys those of the Actions stand; those of no
	// scope are the same for everybody.
	Scope widget.KeyScope
	// Items is asked when the shelf opens and after each action; it may take its
	// time.
	Items func() []ListItem
	// Read gives the Markdown of an item, by its name, for the pane beside the
	// list; it may take its time. Where it is nil the pane holds About.
	Read    func(name string) (string, error)
	Actions []ListAction // for the item at the cursor, and for the shelf as a whole
	Empty   string       // said when there are no items
}

// ListItem is a thing on a Shelf.
type ListItem struct {
	Name        string   // the key, which Read and Run get
	Title       string   // what people call it; Name when empty
	Group       string   // items are listed under their groups, in the order given
	About       string   // one line
	FullText    string   // in the place of Title and About where the list has the whole width
	SearchTerms string   // also found by the filter, and not shown
	Marks       []string // shown beside the name: "disabled", "builtin"
	Problem     bool     // cannot be used: drawn with !
}

// ListAction is what a key of a Shelf does. The keys that move, filter, help and
// close are the screen's own; "enter" may be an action.
type ListAction struct {
	Key         string              // the first that the table has for it: "e", "ctrl+d", "enter"
	Name        string              // "edit", shown in the last line
	About       string              // for the list of keys; that of the table when empty
	WithoutItem bool                // about the shelf as a whole: needs no item
	AppliesTo   func(ListItem) bool // for which items; nil means for every one
	// Run gets the name of the item at the cursor, or "" where there is none. It
	// runs beside the screen and may take its time.
	Run func(name string) (ActionResult, error)
}

// ActionResult is what an action came to. At most one of Ask, Confirm, Exec, Compose,
// Resume and Show says how it goes on; Said and Select go with any of them.
type ActionResult struct {
	Message string          // one line that stays until the next key
	Ask     *ActionForm     // values are needed
	Confirm *ConfirmRequest // a yes is needed
	Exec    *ExecRequest    // a program takes the terminal: the user's editor
	Compose string          // close the shelf and put this text into the composer
	Resume  *ResumeRequest  // the chat goes on with another conversation
	Show    string          // Markdown to read in the pane
	Select  string          // the item to stand on afterwards
}

// ActionForm asks for values on a Shelf. Fill gets them by name, without the blanks
// around them, and may take its time. An Outcome that asks with the same Title
// is the same form: its fields are shown from then on, with what was typed in
// those of the same name. An error is shown while the form stays as it is.
type ActionForm struct {
	Title  string
	Fields []widget.FormField
	Fill   func(values map[string]string) (ActionResult, error)
}

// ConfirmRequest asks for a yes; anything else is a no. Yes runs beside the screen.
type ConfirmRequest struct {
	Question string
	Detail   []string // what exactly will happen, a line each
	Yes      func() (ActionResult, error)
}

// ResumeRequest is a conversation for the chat to go on with, in the place of the one it
// is in. Done is told whether it does: not while an answer comes, and not when the
// shelf was closed meanwhile. It runs in the screen's own time and must be quick. A
// form does not end in one.
type ResumeRequest struct {
	Conversation Conversation
	History      []session.Entry // drawn as it was
	Done         func(entered bool)
}

// ExecRequest is a program that takes the terminal until it ends. Its standard streams
// are the terminal's where they are nil. Then gets how it ended; it runs beside
// the screen.
type ExecRequest struct {
	Cmd  *exec.Cmd
	Then func(err error) (ActionResult, error)
}
