package toolkit

import "github.com/nfa-cli/nfa/internal/humanize"

// TextForUser is a text for a model as people read it, with the verb in the place of the
// call: see [humanize.TextForUser].
func TextForUser(text string) string { return humanize.ForPeople(text) }
