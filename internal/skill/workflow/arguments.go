package workflow

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// argumentToken is one word of an argument line.
type argumentToken struct {
	key    string // before an unquoted = if it is a name
	text   string // without quotes
	quoted bool
}

var quoteEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// ParseArguments parses the text after a skill's name: words for the parameters in declared order,
// and key=value for named ones. Quotes keep spaces in a value and = in a word; a word that ends in
// a comma is joined with the next one, so that "AAPL, MSFT" is one value; and the last parameter
// without a value takes the remaining words if it is text. If the words do not fit, other readings
// are tried: 500 EUR as one amount, AAPL MSFT as one list. Words that fit are never read
// differently.
//
// Without declared parameters every text is valid. The error is an *ArgumentError.
func ParseArguments(declared []Parameter, line string) (Arguments, error) {
	line = strings.TrimSpace(line)
	if len(declared) == 0 {
		return Arguments{Text: line, Values: map[string]ParameterValue{}}, nil
	}
	list, err := splitArguments(line)
	faults := &ArgumentError{}
	if err != nil {
		faults.Other = append(faults.Other, err.Error())
	}
	written, positional := assignNamed(declared, list, faults)
	free := unsetParameters(declared, written)
	a, wrong := resolveInOrder(declared, free, positional, written, *faults)
	if wrong.countMisfits() > 0 {
		b, regrouped := resolveInOrder(declared, free, regroup(free, positional), written, *faults)
		if regrouped.countMisfits() < wrong.countMisfits() {
			a, wrong = b, regrouped
		}
	}
	a.Text = line
	return a, wrong.orNil()
}

// resolveInOrder assigns words to the free parameters, in addition to the named ones. The errors
// include those found before.
func resolveInOrder(declared, free []Parameter, tokens []argumentToken, named map[string]string, before ArgumentError) (Arguments, *ArgumentError) {
	faults := &ArgumentError{Invalid: slices.Clone(before.Invalid), Other: slices.Clone(before.Other)}
	written := maps.Clone(named)
	assignInOrder(free, tokens, written, faults)
	return resolveArguments(declared, written, faults), faults
}

// countMisfits counts invalid words, as opposed to missing ones.
func (e *ArgumentError) countMisfits() int { return len(e.Invalid) + len(e.Other) }

// unsetParameters returns the parameters that were not given by name.
func unsetParameters(declared []Parameter, written map[string]string) []Parameter {
	var free []Parameter
	for _, p := range declared {
		if _, taken := written[p.Name]; !taken {
			free = append(free, p)
		}
	}
	return free
}

// assignNamed assigns the key=value words and returns the others. A key with an empty value keeps
// its parameter from taking a word.
func assignNamed(declared []Parameter, tokens []argumentToken, faults *ArgumentError) (written map[string]string, positional []argumentToken) {
	written = map[string]string{}
	for _, w := range tokens {
		if w.key == "" {
			positional = append(positional, w)
			continue
		}
		p, ok := findParameter(declared, w.key)
		if !ok {
			faults.Other = append(faults.Other, unknownParameterMessage(declared, w.key))
			continue
		}
		if _, twice := written[p.Name]; twice {
			faults.Invalid = append(faults.Invalid, InvalidValue{p.Name, "given twice"})
			continue
		}
		written[p.Name] = strings.TrimSpace(w.text)
	}
	return written, positional
}

func assignInOrder(free []Parameter, positional []argumentToken, written map[string]string, faults *ArgumentError) {
	for i, p := range free {
		if len(positional) == 0 {
			return
		}
		take := 1
		if kind, _ := p.Kind(); i == len(free)-1 && kind == KindString && len(p.Enum) == 0 {
			take = len(positional)
		}
		written[p.Name] = strings.TrimSpace(joinTokens(positional[:take]))
		positional = positional[take:]
	}
	if len(positional) > 0 {
		faults.Other = append(faults.Other, fmt.Sprintf("too many arguments: %s", shorten(joinTokens(positional))))
	}
}

func joinTokens(tokens []argumentToken) string {
	texts := make([]string, len(tokens))
	for i, w := range tokens {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}

// splitArguments splits a line at spaces outside quotes. It returns the words even with an error
// about an unclosed quotation.
func splitArguments(line string) ([]argumentToken, error) {
	var list []argumentToken
	var unclosed error
	joining := false
	for {
		line = strings.TrimLeftFunc(line, unicode.IsSpace)
		if line == "" {
			return list, unclosed
		}
		next, rest, err := nextToken(line)
		if err != nil {
			unclosed = err
		}
		listed := strings.HasSuffix(line[:len(line)-len(rest)], ",")
		line = rest
		if joining && next.key == "" {
			list[len(list)-1].text += " " + next.text
			list[len(list)-1].quoted = list[len(list)-1].quoted || next.quoted
		} else {
			list = append(list, next)
		}
		joining = listed
	}
}

// nextToken reads the first word of a line.
func nextToken(line string) (w argumentToken, rest string, err error) {
	if key, after, ok := cutKey(line); ok {
		w.key, line = key, after
	}
	if text, after, ok := cutQuoted(line); ok {
		w.text, w.quoted = text, true
		return w, after, nil
	}
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		end = len(line)
	}
	w.text = line[:end]
	// A single ' is an apostrophe, as in 'tis; a " never is.
	if strings.HasPrefix(w.text, `"`) {
		err = fmt.Errorf("missing closing quote after %s", shorten(w.text))
	}
	return w, line[end:], err
}

// cutKey splits "name=" off the front of a line.
func cutKey(line string) (key, after string, ok bool) {
	end := strings.IndexFunc(line, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if end <= 0 || line[end] != '=' {
		return "", line, false
	}
	return line[:end], line[end+1:], true
}

// cutQuoted splits a quoted word off the front of a line; ok is false if there is none or it is not
// closed.
func cutQuoted(line string) (text, after string, ok bool) {
	switch {
	case strings.HasPrefix(line, `"`):
		return cutDouble(line)
	case strings.HasPrefix(line, "'"):
		return cutSingle(line)
	}
	return "", line, false
}

// cutDouble reads double quotes like a shell: \" and \\ mean " and \, and a word may continue after
// the quotation, as in "AAPL","MSFT". Everything else is copied unchanged.
func cutDouble(line string) (text, after string, ok bool) {
	var b strings.Builder
	inside := false
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		switch {
		case inside && (strings.HasPrefix(line[i:], `\"`) || strings.HasPrefix(line[i:], `\\`)):
			b.WriteByte(line[i+1])
			size++
		case r == '"':
			inside = !inside
		case unicode.IsSpace(r) && !inside:
			return b.String(), line[i:], true
		default:
			b.WriteString(line[i : i+size])
		}
		i += size
	}
	return b.String(), "", !inside
}

// cutSingle ends at a quote at the end of a word, because others are apostrophes.
func cutSingle(line string) (text, after string, ok bool) {
	for i := 1; i < len(line); i++ {
		after := line[i+1:]
		if line[i] == '\'' && (after == "" || strings.IndexFunc(after, unicode.IsSpace) == 0) {
			return line[1:i], after, true
		}
	}
	return "", line, false
}

// regroup joins words as a person would who wrote no quotes or commas: an amount and its currency,
// and consecutive symbols for a list. Quoted words are unchanged.
func regroup(free []Parameter, tokens []argumentToken) []argumentToken {
	var result []argumentToken
	for i, p := range free {
		if len(tokens) == 0 {
			return result
		}
		var next *Parameter
		if i+1 < len(free) {
			next = &free[i+1]
		}
		merged, n := tokens[0], 1
		switch kind, _ := p.Kind(); {
		case len(p.Enum) > 0:
		case kind == KindMoney:
			merged, n = takeMoney(tokens)
		case kind == KindList:
			merged, n = takeList(tokens, next)
		}
		result, tokens = append(result, merged), tokens[n:]
	}
	return append(result, tokens...)
}

// takeMoney splits an amount and its currency off the front of words.
func takeMoney(tokens []argumentToken) (argumentToken, int) {
	if len(tokens) < 2 || tokens[0].quoted || tokens[1].quoted || !isCurrency(tokens[1].text) {
		return tokens[0], 1
	}
	if _, err := exactNumber(tokens[0].text); err != nil {
		return tokens[0], 1
	}
	return argumentToken{text: tokens[0].text + " " + tokens[1].text}, 2
}

// isCurrency accepts only codes in capitals: "all" and "try" are words, ALL and TRY are currencies.
func isCurrency(text string) bool {
	if r, size := utf8.DecodeRuneInString(text); size == len(text) && unicode.Is(unicode.Sc, r) {
		return true
	}
	_, err := currency.ParseISO(text)
	return err == nil && text == strings.ToUpper(text)
}

// plainSymbol is stricter than symbolForm, which accepts any word.
var plainSymbol = lazyregexp.New(`^\$?\^?[A-Z][A-Z0-9]{0,9}([.\-=][A-Z0-9]{1,6})?,?$`)

// takeList splits the symbols off the front of words, up to one for the next parameter.
func takeList(tokens []argumentToken, next *Parameter) (argumentToken, int) {
	n := 0
	var items []string
	for _, w := range tokens {
		looks := !w.quoted && (n == 0 && strings.Contains(w.text, ",") || plainSymbol().MatchString(w.text))
		if !looks || n > 0 && next != nil && fitsParameter(*next, w.text) {
			break
		}
		items = append(items, strings.TrimSuffix(w.text, ","))
		n++
	}
	if n < 2 {
		return tokens[0], 1
	}
	return argumentToken{text: strings.Join(items, ", ")}, n
}

func fitsParameter(p Parameter, text string) bool {
	_, err := p.Read(text)
	return err == nil
}
