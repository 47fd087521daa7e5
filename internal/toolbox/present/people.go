package present

import "github.com/nfa-cli/nfa/internal/wording"

// ForPeople is a text for a model as people read it, with the verb in the place of the
// call: see [wording.ForPeople].
func ForPeople(text string) string { return wording.ForPeople(text) }
