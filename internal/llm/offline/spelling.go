package offline

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/usage"
)

// structure lists the words from which times, amounts and shares are recognized.
var structure = strings.Fields("what the year years month months week weeks day days decade since last past between until before after percent hundred thousand million billion trillion shares share monthly yearly quarterly annual francs pounds inflation interest price volatility return dollars euros expiry expiration")

// correction is a word that replaced a misspelled one.
type correction struct {
	start, end int // in the corrected text
	was        string
}

// correct replaces misspelled words with the nearest word of a tool or a name.
func (c *catalog) correct(text string) (string, []correction) {
	var out strings.Builder
	var made []correction
	at, looked := 0, 0
	for _, span := range latinWord().FindAllStringIndex(text, -1) {
		w := trimName(text[span[0]:span[1]])
		if full := shortForms[w]; full != "" {
			out.WriteString(text[at:span[0]] + full)
			at = span[0] + len(w)
			continue
		}
		if looked >= maxLookups || c.isKnown(w) {
			continue
		}
		looked++
		better := c.nearestWord(w, span[0] == 0)
		if better == "" {
			continue
		}
		out.WriteString(text[at:span[0]])
		start := out.Len()
		out.WriteString(better)
		made = append(made, correction{start, out.Len(), w})
		at = span[0] + len(w)
	}
	out.WriteString(text[at:])
	return out.String(), made
}

// shortForms maps common abbreviations to words.
var shortForms = map[string]string{
	"mcap": "market cap", "div": "dividend", "divs": "dividends", "rev": "revenue", "corr": "correlation", "hist": "history", "perf": "performance", "px": "price",
	"vol": "volatility", "pf": "my portfolio", "wl": "watchlist", "minvar": "minimum variance", "mkt": "market", "qtr": "quarter", "qtrly": "quarterly", "avg": "average", "yday": "yesterday",
}

// maxLookups is the maximum number of words in a message that are checked for mistakes.
const maxLookups = 25

// isKnown reports whether a word is spelled correctly or too short to check.
func (c *catalog) isKnown(w string) bool {
	low, upper := strings.ToLower(w), strings.ToUpper(w)
	return len(w) < 3 || !isLetters(low) || w == upper && len(w) <= 5 || c.spoken(low) || spokenNumbers[low] > 0 || monthOf(low) != "" && len(low) > 2 && strings.HasPrefix(monthName(low), low) || slices.Contains(structure, low) || c.names.hasWord(low) || c.names.namesFrom(low).english[low] != "" || c.names.hasWord(strings.TrimSuffix(low, "s")) || c.names.has(upper) || currencyWords[low] != "" || currencyCodes[low] || cityOrCode(low)
}

// nearestWord returns the known word that is most similar to a misspelled one, or "". first is set for the
// first word of the text, which may be capitalized without being a name.
func (c *catalog) nearestWord(w string, first bool) string {
	low := strings.ToLower(w)
	allowed := 1
	if len(low) >= 7 {
		allowed = 2
	}
	const namesOfSecurities = 2
	best, found := "", 100
	for n, list := range [][]string{structure, c.toolWords, c.names.all().list, everydayList()} {
		for _, k := range list {
			if len(k)-len(low) > allowed || len(low)-len(k) > allowed || len(k) < 3 || k[0] != low[0] && !sameLetters(low, k) || !isLetters(k) {
				continue
			}
			d := usage.Distance(low, k, allowed)
			if n == namesOfSecurities && d > 1 && !unicode.IsUpper(rune(w[0])) {
				continue
			}
			if d > allowed || d > 1 && (k[0] != low[0] || strings.HasPrefix(k, low[:len(low)-3])) { // "positive" is not "position"
				continue
			}
			kind := mistake(low, k)
			short := len(low) <= 4
			if kind == wrongLetter && len(low) <= 5 && !slipped(low, k) {
				continue // "prime" is not "price"
			}
			if short && kind > missingLetter || len(low) == 3 && kind == missingLetter && n > 0 {
				continue
			}
			if score := 10*d + kind; score < found {
				best, found = k, score
			}
		}
	}
	if unicode.IsUpper(rune(w[0])) && !first && !c.names.all().words[best] {
		return "" // a name that is not in the table
	}
	if best != "" && unicode.IsUpper(rune(w[0])) {
		best = strings.ToUpper(best[:1]) + best[1:]
	}
	return best
}

// Kinds of mistakes, the most frequent first.
const (
	swappedLetters = iota
	missingLetter
	extraLetter
	wrongLetter
)

func mistake(written, meant string) int {
	switch {
	case sameLetters(written, meant):
		return swappedLetters
	case len(written) < len(meant):
		return missingLetter
	case len(written) > len(meant):
		return extraLetter
	default:
		return wrongLetter
	}
}

// keyboard has the letters in rows; neighbors are next to each other.
const keyboard = "qwertyuiop asdfghjkl zxcvbnm"

// slipped reports whether the letter in which two words of the same length differ is a neighbor on the
// keyboard or another vowel.
func slipped(written, meant string) bool {
	for i := range len(written) {
		a, b := written[i], meant[i]
		if a == b {
			continue
		}
		if gap := strings.IndexByte(keyboard, a) - strings.IndexByte(keyboard, b); gap != 1 && gap != -1 && !(strings.IndexByte("aeiouy", a) >= 0 && strings.IndexByte("aeiouy", b) >= 0) {
			return false
		}
	}
	return true
}

func sameLetters(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return string(x) == string(y)
}

// cityOrCode reports whether only a builder knows a word.
func cityOrCode(low string) bool { return len(cues(low, knownOnlyToBuilders())) > 0 }

// monthName returns the month that a word abbreviates, or "".
func monthName(low string) string {
	if n := atoi(monthOf(low)); n > 0 {
		return strings.ToLower(time.Month(n).String())
	}
	return ""
}
