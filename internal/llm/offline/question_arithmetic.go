package offline

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// maxExpression is what calculate takes at most, in bytes.
const maxExpression = 1000

var (
	// arithmeticLead is how people open a sum.
	arithmeticLead = lazyregexp.New(`^(?:please |can you |could you )*(?:what is|what's|whats|what are|how much is|how much are|calculate|compute|calc|evaluate|work out|solve|was ist|was sind|wie ?viel ist|berechne|combien font|combien fait|calculer?|cu[aá]nto es|calcula|计算)[\s:]*(?:the result of )?`)
	thousands      = lazyregexp.New(`\b\d{1,3}(?:,\d{3})+(?:\.\d+)?\b`)
	squareRoot     = lazyregexp.New(`(?:the )?square root of (\d[\d.]*)`)
	percentOf      = lazyregexp.New(`(?:%| per ?cent) (?:of|von|de) `)
	timesLetter    = lazyregexp.New(`(\d|\)) ?[x×·] ?(\d|\()`)
	functionCall   = lazyregexp.New(`\b(?:abs|avg|cagr|ceil|exp|floor|ln|log|log10|max|min|mod|pct_change|pow|round|sqrt|sum)\(`)
	onlyArithmetic = lazyregexp.New(`^[\d.,+\-*/^%()\s]+$`)
	operation      = lazyregexp.New(`[\d.)%]\s*(?:\*\*|[-+*/^])\s*[-+(\d.]|\d\s*%\s*\d`)
	dateLike       = lazyregexp.New(`^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/(?:19|20)\d{2})$`)
	dashed         = lazyregexp.New(`^\+?\d+(?:-\d+)+$`) // a range of years, a telephone number
)

var spokenOperators = strings.NewReplacer(
	" multiplied by ", " * ", " times ", " * ", " divided by ", " / ", " plus ", " + ", " minus ", " - ",
	" to the power of ", " ^ ", " squared", "^2", " cubed", "^3", " per cent", "%", " percent", "%", "÷", "/", "−", "-",
)

// findExpression is the expression that a sentence consists of, in the spelling
// of the calculate tool. A sentence that holds anything else has none: numbers
// among words are not arithmetic.
func findExpression(low string) (string, bool) {
	text := strings.TrimRight(strings.TrimSpace(low), " ?=.!")
	body := arithmeticLead().ReplaceAllString(text, "")
	led := body != text
	body = strings.NewReplacer("$", "", "€", "", "£", "").Replace(body)
	// Within a call a comma parts the arguments.
	if !functionCall().MatchString(body) {
		body = thousands().ReplaceAllStringFunc(body, func(n string) string { return strings.ReplaceAll(n, ",", "") })
	}
	body = squareRoot().ReplaceAllString(body, "sqrt($1)")
	body = percentOf().ReplaceAllString(body, "% * ")
	for range 2 { // neighbours share a digit: 2x3x4
		body = timesLetter().ReplaceAllString(body, "$1 * $2")
	}
	body = strings.TrimSpace(spokenOperators.Replace(body))
	switch {
	case body == "" || len(body) > maxExpression:
		return "", false
	case !onlyArithmetic().MatchString(functionCall().ReplaceAllString(body, "(")):
		return "", false
	case dateLike().MatchString(body) || !led && dashed().MatchString(body):
		return "", false
	case !operation().MatchString(body) && !functionCall().MatchString(body):
		return "", false
	}
	return body, true
}
