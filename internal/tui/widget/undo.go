package widget

// DraftState is a snapshot of a draft: the text before and after the cursor, with the texts of its
// labels.
type DraftState struct {
	Before, After string
	Pastes        Pastes
}

func (s DraftState) text() string { return s.Before + s.After }

// ChangeKind is the kind of a change. Consecutive changes of one kind at the cursor are undone
// together, except ChangeWhole.
type ChangeKind int

// The kinds of change.
const (
	ChangeWhole    ChangeKind = iota // a paste, a deletion of a word or line, a completion: always one step
	ChangeLetters                    // typed letters of a word
	ChangeBlanks                     // typed spaces; the next letter starts a new step
	ChangeErasures                   // deletions of single characters
)

// Limits of the undo history. The oldest steps are dropped first.
const (
	maxUndoSteps = 200
	maxUndoBytes = 4 << 20
)

// UndoStack holds the states to undo and redo. The zero value holds none.
type UndoStack struct {
	back, forth []DraftState
	last        ChangeKind
	cursor      string // the text before the cursor after the last change
}

// Record records that a draft changed from one state to another. A move of the cursor is not a
// change.
func (u *UndoStack) Record(from, to DraftState, kind ChangeKind) {
	if from.text() == to.text() {
		return
	}
	continues := len(u.back) > 0 && u.cursor == from.Before && kind != ChangeWhole &&
		(kind == u.last || kind == ChangeBlanks && u.last == ChangeLetters)
	if !continues {
		u.back = limitStates(append(u.back, from))
	}
	u.forth = nil
	u.last, u.cursor = kind, to.Before
}

// limitStates drops the oldest states.
func limitStates(states []DraftState) []DraftState {
	bytes, first := 0, len(states)
	for ; first > 0; first-- {
		if bytes += len(states[first-1].text()); bytes > maxUndoBytes || len(states)-first == maxUndoSteps {
			break
		}
	}
	return states[first:]
}

// Undo returns the state before the last change.
func (u *UndoStack) Undo(current DraftState) (DraftState, bool) {
	return u.moveState(&u.back, &u.forth, current)
}

// Redo reverts the last Undo.
func (u *UndoStack) Redo(current DraftState) (DraftState, bool) {
	return u.moveState(&u.forth, &u.back, current)
}

func (u *UndoStack) moveState(from, to *[]DraftState, current DraftState) (DraftState, bool) {
	if len(*from) == 0 {
		return DraftState{}, false
	}
	last := len(*from) - 1
	s := (*from)[last]
	*from = (*from)[:last]
	*to = append(*to, current)
	u.last = ChangeWhole
	return s, true
}
