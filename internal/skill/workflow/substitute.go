package workflow

import (
	"strings"
)

// argumentsToken stands in a body for everything the user wrote after the name.
const argumentsToken = "$ARGUMENTS"

// wordBytes are those that make of the token another word. Letters beyond ASCII
// do not: Chinese and Japanese set no blanks around it.
const wordBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// Substitute puts the arguments into a body: {{name}} of a declared parameter
// becomes its value, or nothing where it has none, and $ARGUMENTS the whole text
// of the arguments. A body with neither has them appended as "ARGUMENTS: ...".
//
// Nothing else is touched, byte for byte: not $1,000, $AAPL, $B$6, ${x},
// {{undeclared}} or {{ spaced }}. Values are not searched again, so that a value
// "$ARGUMENTS" stays one.
func Substitute(body string, declared []Parameter, a Arguments) string {
	var pairs []string
	asksFor := hasArgumentsToken(body)
	if asksFor {
		// In a Replacer the pair named first wins: these keep longer words whole.
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
