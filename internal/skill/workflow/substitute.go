package workflow

import (
	"strings"
)

// argumentsToken is replaced by the whole text after the skill's name.
const argumentsToken = "$ARGUMENTS"

// wordBytes are characters that make the token part of another word. Non-ASCII letters are not
// included, because Chinese and Japanese have no spaces.
const wordBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// Substitute fills the arguments into a body: {{name}} of a declared parameter becomes its value,
// or nothing, and $ARGUMENTS the whole argument text. If the body has neither, the arguments are
// appended as "ARGUMENTS: ...".
//
// Everything else stays byte for byte: $1,000, $AAPL, $B$6, ${x}, {{undeclared}} or {{ spaced }}.
// Values are not substituted again, so that a value "$ARGUMENTS" is unchanged.
func Substitute(body string, declared []Parameter, a Arguments) string {
	var pairs []string
	asksFor := hasArgumentsToken(body)
	if asksFor {
		// In a Replacer the first pair wins: these keep longer words intact.
		for _, b := range wordBytes {
			pairs = append(pairs, argumentsToken+string(b), argumentsToken+string(b))
		}
		pairs = append(pairs, argumentsToken, a.Text)
	}
	for _, p := range declared {
		token := "{{" + p.Name + "}}"
		if strings.Contains(body, token) {
			asksFor = true
			pairs = append(pairs, token, a.Values[p.Name].Text)
		}
	}
	if asksFor {
		return strings.NewReplacer(pairs...).Replace(body)
	}
	return appendArguments(body, a.Text)
}

func hasArgumentsToken(body string) bool {
	for {
		_, after, found := strings.Cut(body, argumentsToken)
		if !found {
			return false
		}
		if after == "" || !strings.Contains(wordBytes, after[:1]) {
			return true
		}
		body = after
	}
}

func appendArguments(body, arguments string) string {
	switch {
	case arguments == "":
		return body
	case body == "":
	case strings.HasSuffix(body, "\n"):
		body += "\n"
	default:
		body += "\n\n"
	}
	return body + "ARGUMENTS: " + arguments
}
