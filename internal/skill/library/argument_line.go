package library

import (
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// ArgumentLine writes the words of a command line as one line of the chat. What
// the shell kept together is quoted, so that it stays so; a skill without
// parameters takes the words as they are.
func ArgumentLine(declared []workflow.Parameter, args []string) string {
	if len(declared) == 0 {
		return strings.Join(args, " ")
	}
	quoted := make([]string, len(args))
	for i, word := range args {
		key, value, named := strings.Cut(word, "=")
		if !named || strings.ContainsFunc(key, isInvalidInKey) {
			key, value = "", word
		} else {
			key += "="
		}
		if strings.ContainsAny(value, `"'`) || strings.ContainsFunc(value, unicode.IsSpace) {
			value = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
		}
		quoted[i] = key + value
	}
	return strings.Join(quoted, " ")
}

func isInvalidInKey(r rune) bool {
	return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
