// Package browsing is a screen of things to browse, read and act on, opened over the
// transcript. A Shelf says what there is and what can be done with it; a Screen is one
// that is open: it asks for the items and pages, runs the actions one at a time, asks
// for values and for a yes, and draws it all. What an action does to the chat itself
// comes out as a Deed.
//
// It knows Bubble Tea because values are written in composers, and because what takes
// its time is a command whose message comes back.
package browsing

import (
	"os/exec"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui/form"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/pump"
)

// Shelf is a screen of things to browse, read and act on, opened over the
// transcript. A turn goes on below it.
type Shelf struct {
	Title string // "Skills"
	// Scope is where in the table of keys those of the Actions stand; those of no
	// scope are the same for everybody.
	Scope keymap.Scope
	// Items is asked when the shelf opens and after each action; it may take its
	// time.
	Items func() []Item
	// Read gives the Markdown of an item, by its name, for the pane beside the
	// list; it may take its time. Where it is nil the pane holds About.
	Read    func(name string) (string, error)
	Actions []Action // for the item at the cursor, and for the shelf as a whole
	Empty   string   // said when there are no items
}

// Item is a thing on a Shelf.
type Item struct {
	Name    string   // the key, which Read and Run get
	Title   string   // what people call it; Name when empty
	Group   string   // items are listed under their groups, in the order given
	About   string   // one line
	Alone   string   // in the place of Title and About where the list has the whole width
	Words   string   // also found by the filter, and not shown
	Marks   []string // shown beside the name: "disabled", "builtin"
	Problem bool     // cannot be used: drawn with !
}

// Action is what a key of a Shelf does. The keys that move, filter, help and
// close are the screen's own; "enter" may be an action.
type Action struct {
	Key   string          // the first that the table has for it: "e", "ctrl+d", "enter"
	Name  string          // "edit", shown in the last line
	About string          // for the list of keys; that of the table when empty
	Whole bool            // about the shelf as a whole: needs no item
	Offer func(Item) bool // for which items; nil means for every one
	// Run gets the name of the item at the cursor, or "" where there is none. It
	// runs beside the screen and may take its time.
	Run func(name string) (Outcome, error)
}

// Outcome is what an action came to. At most one of Ask, Confirm, Exec, Compose,
// Resume and Show says how it goes on; Said and Select go with any of them.
type Outcome struct {
	Said    string   // one line that stays until the next key
	Ask     *Form    // values are needed
	Confirm *Confirm // a yes is needed
	Exec    *Exec    // a program takes the terminal: the user's editor
	Compose string   // close the shelf and put this text into the composer
	Resume  *Resume  // the chat goes on with another conversation
	Show    string   // Markdown to read in the pane
	Select  string   // the item to stand on afterwards
}

// Form asks for values on a Shelf. Fill gets them by name, without the blanks
// around them, and may take its time. An Outcome that asks with the same Title
// is the same form: its fields are shown from then on, with what was typed in
// those of the same name. An error is shown while the form stays as it is.
type Form struct {
	Title  string
	Fields []form.Field
	Fill   func(values map[string]string) (Outcome, error)
}

// Confirm asks for a yes; anything else is a no. Yes runs beside the screen.
type Confirm struct {
	Question string
	Detail   []string // what exactly will happen, a line each
	Yes      func() (Outcome, error)
}

// Resume is a conversation for the chat to go on with, in the place of the one it
// is in. Done is told whether it does: not while an answer comes, and not when the
// shelf was closed meanwhile. It runs in the screen's own time and must be quick. A
// form does not end in one.
type Resume struct {
	Conversation pump.Conversation
	History      []session.Entry // drawn as it was
	Done         func(entered bool)
}

// Exec is a program that takes the terminal until it ends. Its standard streams
// are the terminal's where they are nil. Then gets how it ended; it runs beside
// the screen.
type Exec struct {
	Cmd  *exec.Cmd
	Then func(err error) (Outcome, error)
}
