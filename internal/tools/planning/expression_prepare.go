package planning

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	maxExpression = 1000 // bytes
	maxNesting    = 50   // parentheses within parentheses
)

// percentSign is "%" after a number where no operand follows. In the prepared
// text it is a sign of its own, because it binds more tightly than the modulo
// that "%" is between operands; nobody can type it (see prepared).
const percentSign = "‰"

// operatorSpellings are the signs that people and models write for the same thing.
var operatorSpellings = strings.NewReplacer("**", "^", "×", "*", "·", "*", "÷", "/", "−", "-", "–", "-")

// prepare refuses what could be read in two ways or could hold the program up,
// and gives the text as the language reads it.
func (c *Calculator) prepare(expression string) (string, error) {
	if len(expression) > maxExpression {
		return "", fmt.Errorf("the expression has %d bytes; the limit is %d: take it in parts", len(expression), maxExpression)
	}
	if strings.TrimSpace(expression) == "" {
		return "", fmt.Errorf("the expression is empty")
	}
	text := operatorSpellings.Replace(expression)
	if err := checkCharacters(text); err != nil {
		return "", err
	}
	if err := c.checkCommas(text); err != nil {
		return "", err
	}
	return markPercents(text), nil
}

func checkCharacters(text string) error {
	depth := 0
	for _, r := range text {
		switch {
		case strings.ContainsRune("$€£¥₹", r):
			return fmt.Errorf("%q: write amounts without currency signs; an expression has one currency or none", r)
		case r == '(':
			if depth++; depth > maxNesting {
				return fmt.Errorf("parentheses are nested more than %d deep", maxNesting)
			}
		case r == ')':
			if depth--; depth < 0 {
				return fmt.Errorf("a closing parenthesis has no opening one")
			}
		case r >= utf8.RuneSelf || !isPlain(byte(r)):
			return fmt.Errorf("%q has no meaning here; use numbers, + - * / ^ %%, parentheses and functions", r)
		}
	}
	if depth > 0 {
		return fmt.Errorf("%d parentheses are not closed", depth)
	}
	return nil
}

func isPlain(b byte) bool {
	return isDigit(b) || isLetter(b) || strings.IndexByte(" \t\r\n+-*/^%,.", b) >= 0
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' }

// checkCommas refuses a comma that is no argument separator, or that might be
// meant as something else.
func (c *Calculator) checkCommas(text string) error {
	var callers []string // the name before each open parenthesis
	for i := range len(text) {
		switch text[i] {
		case '(':
			callers = append(callers, nameBefore(text, i))
		case ')':
			callers = callers[:len(callers)-1]
		case ',':
			caller := ""
			if len(callers) > 0 {
				caller = callers[len(callers)-1]
			}
			if caller == "" {
				return fmt.Errorf("a comma outside a function's arguments: write numbers without thousands separators and with a decimal point, 1234.56")
			}
			if c.functions[strings.ToLower(caller)].isVariadic() && groupsThousands(text, i) {
				number := text[digitsBefore(text, i) : i+4]
				return fmt.Errorf("%s could be one number or two arguments: write %s, or put a space after the comma",
					number, strings.ReplaceAll(number, ",", ""))
			}
		}
	}
	return nil
}

// nameBefore is the name that ends at end, spaces aside, or "".
func nameBefore(text string, end int) string {
	text = strings.TrimRight(text[:end], " \t\r\n")
	start := len(text)
	for start > 0 && (isLetter(text[start-1]) || isDigit(text[start-1])) {
		start--
	}
	for start < len(text) && isDigit(text[start]) {
		start++
	}
	return text[start:]
}

// groupsThousands reports whether the comma at i stands as in "1,000": one to
// three digits before it that are all of the number, exactly three after it.
func groupsThousands(text string, i int) bool {
	start := digitsBefore(text, i)
	if n := i - start; n < 1 || n > 3 || text[start] == '0' {
		return false
	}
	if start > 0 && (text[start-1] == '.' || isLetter(text[start-1])) {
		return false
	}
	after := 0
	for i+1+after < len(text) && isDigit(text[i+1+after]) {
		after++
	}
	return after == 3
}

func digitsBefore(text string, i int) int {
	for i > 0 && isDigit(text[i-1]) {
		i--
	}
	return i
}

// markPercents tells the per cent sign from the modulo: it is per cent unless an
// operand follows. A sign follows a per cent, so 5%-3% is 0.02.
func markPercents(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if text[i] == '%' && !operandFollows(text[i+1:]) {
			b.WriteString(percentSign)
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func operandFollows(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n")
	return rest != "" && (isDigit(rest[0]) || isLetter(rest[0]) || rest[0] == '(' || rest[0] == '.')
}
