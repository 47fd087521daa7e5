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

// argumentToken is one word of a line of arguments.
type argumentToken struct {
	key    string // before an unquoted =, where that is a name
	text   string // without the quotes
	quoted bool
}

var quoteEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// ParseArguments reads what was written after a skill's name: words for the
// parameters in their declared order, and key=value for those named. Quotes keep
// blanks in a value and = in a word; a word that ends in a comma takes the next
// one in, so that "AAPL, MSFT" is one value; and the last parameter without a
// value takes the words that are left, if it is text. Words that do not fit so are
// tried as they were perhaps meant: 500 EUR as one sum of money, AAPL MSFT as one
// list. What fits as it stands is never read otherwise.
//
// Without declared parameters every text is right. The error is an
// *Error.
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

// resolveInOrder gives words to the free parameters beside what was written by name.
// The faults are those before and its own.
func resolveInOrder(declared, free []Parameter, tokens []argumentToken, named map[string]string, before ArgumentError) (Arguments, *ArgumentError) {
	faults := &ArgumentError{Invalid: slices.Clone(before.Invalid), Other: slices.Clone(before.Other)}
	written := maps.Clone(named)
	assignInOrder(free, tokens, written, faults)
	return resolveArguments(declared, written, faults), faults
}

// countMisfits counts the words that are wrong, as against those that are missing.
func (e *ArgumentError) countMisfits() int { return len(e.Invalid) + len(e.Other) }

// unsetParameters are the parameters that were not given by name.
func unsetParameters(declared []Parameter, written map[string]string) []Parameter {
	var free []Parameter
	for _, p := range declared {
		if _, taken := written[p.Name]; !taken {
			free = append(free, p)
		}
	}
	return free
}

// assignNamed takes the key=value words and gives back the others. A key given
// with nothing after it keeps words from landing in that parameter.
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
			faults.Invalid = append(faults.Invalid, InvalidValue{p.Name, "it is given twice"})
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
		faults.Other = append(faults.Other, fmt.Sprintf("more words than parameters: %s", shorten(joinTokens(positional))))
	}
}

func joinTokens(tokens []argumentToken) string {
	texts := make([]string, len(tokens))
	for i, w := range tokens {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}

// splitArguments takes a line apart at blanks outside quotes. With the error, of
// a quotation that does not end, come the words all the same.
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

// nextToken reads one word from a line that begins with one.
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
	// A lone ' is an apostrophe, as in 'tis; a " never is.
	if strings.HasPrefix(w.text, `"`) {
		err = fmt.Errorf("the quotation that begins with %s does not end", shorten(w.text))
	}
	return w, line[end:], err
}

// cutKey takes "name=" off the front of a line.
func cutKey(line string) (key, after string, ok bool) {
	end := strings.IndexFunc(line, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if end <= 0 || line[end] != '=' {
		return "", line, false
	}
	return line[:end], line[end+1:], true
}

// cutQuoted takes a word that begins with a quotation off the front of a line;
// ok is false where none does, or it does not end.
func cutQuoted(line string) (text, after string, ok bool) {
	switch {
	case strings.HasPrefix(line, `"`):
		return cutDouble(line)
	case strings.HasPrefix(line, "'"):
		return cutSingle(line)
	}
	return "", line, false
}

// cutDouble reads as shells do: \" and \\ stand for " and \, and a word may go
// on behind the quotation, as in "AAPL","MSFT". Everything else is copied byte
// for byte, whatever it is.
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

// cutSingle ends at a quote that ends a word, because the others are apostrophes.
func cutSingle(line string) (text, after string, ok bool) {
	for i := 1; i < len(line); i++ {
		after := line[i+1:]
		if line[i] == '\'' && (after == "" || strings.IndexFunc(after, unicode.IsSpace) == 0) {
			return line[1:i], after, true
		}
	}
	return "", line, false
}

// regroup reads words as a person would who wrote no quotes and no commas: a sum
// and its currency are one value, and so are symbols that follow one another where
// a list is wanted. Quoted words stay what they are.
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

// takeMoney takes an amount off the front of words, with the currency that follows it.
func takeMoney(tokens []argumentToken) (argumentToken, int) {
	if len(tokens) < 2 || tokens[0].quoted || tokens[1].quoted || !isCurrency(tokens[1].text) {
		return tokens[0], 1
	}
	if _, err := exactNumber(tokens[0].text); err != nil {
		return tokens[0], 1
	}
	return argumentToken{text: tokens[0].text + " " + tokens[1].text}, 2
}

// isCurrency takes codes in capitals alone: "all" and "try" are words, ALL and TRY
// are money.
func isCurrency(text string) bool {
	if r, size := utf8.DecodeRuneInString(text); size == len(text) && unicode.Is(unicode.Sc, r) {
		return true
	}
	_, err := currency.ParseISO(text)
	return err == nil && text == strings.ToUpper(text)
}

// plainSymbol is stricter than symbolForm, which takes any word.
var plainSymbol = lazyregexp.New(`^\$?\^?[A-Z][A-Z0-9]{0,9}([.\-=][A-Z0-9]{1,6})?,?$`)

// takeList takes the symbols off the front of words, up to one that is for the next
// parameter.
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
