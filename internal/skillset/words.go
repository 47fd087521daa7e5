package skillset

import (
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/skill/parameter"
)

// ArgumentLine writes the words of a command line as one line of the chat. What
// the shell kept together is quoted, so that it stays so; a skill without
// parameters takes the words as they are.
func ArgumentLine(declared []parameter.Parameter, words []string) string {
	if len(declared) == 0 {
		return strings.Join(words, " ")
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		key, value, named := strings.Cut(word, "=")
		if !named || strings.ContainsFunc(key, notInName) {
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

func notInName(r rune) bool {
	return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
