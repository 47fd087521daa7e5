package draft

// State is a draft at a moment: the text before the cursor and the text behind it,
// with what its labels stand for.
type State struct {
	Before, Behind string
	Pastes         Pastes
}

func (s State) text() string { return s.Before + s.Behind }

// Change is the kind of a change. Changes of one kind that follow each other at
// the cursor are undone together, but for those of Whole.
type Change int

// The kinds of change.
const (
	Whole    Change = iota // a paste, a kill, a completion: a step of its own
	Letters                // of a word that is typed
	Blanks                 // between words; the next letter begins a step
	Erasures               // character by character
)

// Bounds of what can be undone. The oldest steps go.
const (
	mostSteps = 200
	mostBytes = 4 << 20
)

// Undo holds the states that can be gone back to, and forth again. The zero value
// holds none.
type Undo struct {
	back, forth []State
	last        Change
	cursor      string // the text before the cursor after the last change
}

// Changed takes in that a draft went from one state to another. Where only the
// cursor moved there is nothing to undo.
func (u *Undo) Changed(from, to State, kind Change) {
	if from.text() == to.text() {
		return
	}
	goesOn := len(u.back) > 0 && u.cursor == from.Before && kind != Whole &&
		(kind == u.last || kind == Blanks && u.last == Letters)
	if !goesOn {
		u.back = bounded(append(u.back, from))
	}
	u.forth = nil
	u.last, u.cursor = kind, to.Before
}

// bounded leaves out the oldest states.
func bounded(states []State) []State {
	bytes, first := 0, len(states)
	for ; first > 0; first-- {
		if bytes += len(states[first-1].text()); bytes > mostBytes || len(states)-first == mostSteps {
			break
		}
	}
	return states[first:]
}

// Back gives the state before the last step, from the present one.
func (u *Undo) Back(now State) (State, bool) {
	return u.turn(&u.back, &u.forth, now)
}

// Forth takes back the last Back.
func (u *Undo) Forth(now State) (State, bool) {
	return u.turn(&u.forth, &u.back, now)
}

func (u *Undo) turn(from, to *[]State, now State) (State, bool) {
	if len(*from) == 0 {
		return State{}, false
	}
	last := len(*from) - 1
	s := (*from)[last]
	*from = (*from)[:last]
	*to = append(*to, now)
	u.last = Whole
	return s, true
}
