package tool

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Data that a tool's results may contain.
const (
	PublicData    = "public" // market data, web pages, skills
	PortfolioData = "your portfolio"
	FileData      = "your files"
	TypedData     = "amounts you typed"
	PastedData    = "text you pasted or attached"
	// unknownData is in results that an earlier version of nfa saved.
	unknownData = "an earlier part of this session"
)

// MaxUnaskedPerSite and MaxUnaskedPerTurn limit the requests that run without approval in a turn after
// private data was read: those to addresses found only in what the model has read, and those with search
// terms. The choice of an address is itself data: choosing one of n addresses can encode n values.
const (
	MaxUnaskedPerSite = 3
	MaxUnaskedPerTurn = 10
)

// MaxMarketCallsPerTurn is how many calls to the market data sources run without approval in a turn. The
// user chose the sources, so the limit only stops a model in a loop.
const MaxMarketCallsPerTurn = 500

// Exposure is what the model of a session has read, and what it has sent out. The policy uses it to detect
// data leaks: text from a web page may tell the model to put what it knows into an address. The zero value
// is a new session. It is safe for concurrent use.
type Exposure struct {
	mu sync.Mutex
	// material is set once the model has read anything but what the user typed.
	material  bool
	private   []string // the private data that the model has read
	unscanned []scannable
	seen      map[string]bool
	known     strings.Builder // addresses and texts that name addresses
	typed     strings.Builder // the part of known that the user typed
	// composed are addresses that the model wrote into texts of its calls. A result may return them later,
	// for example in a file or a skill.
	composed map[string]bool

	typedWords, publicWords, privateWords words
	symbols                               words // in private data: the user's positions

	unasked      map[string][]Send // sent in this turn without approval, by site
	unaskedTotal int
	marketCalls  int // in this turn
}

type scannable struct {
	arguments, result, data string
	names                   string // the part of the result whose addresses are named
}

type exposureKey struct{}

// WithExposure makes calls with ctx belong to a session. Without it, only effects need approval.
func WithExposure(ctx context.Context, e *Exposure) context.Context {
	return context.WithValue(ctx, exposureKey{}, e)
}

// ExposureOf returns the exposure of the session that calls with ctx belong to, or nil.
func ExposureOf(ctx context.Context) *Exposure {
	e, _ := ctx.Value(exposureKey{}).(*Exposure)
	return e
}

// BeginTurn starts the counts of a new turn.
func (e *Exposure) BeginTurn() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.unasked, e.unaskedTotal, e.marketCalls = nil, 0, 0
}

// AddMessage adds a message of the user. typed is what they typed or pasted, sent what the model
// receives, such as the text of attached files, or of a skill before its arguments were filled in; skill
// reports that it is a skill's text.
func (e *Exposure) AddMessage(typed, sent string, pasted, skill bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	// Text of several lines was probably pasted.
	pasted = pasted || strings.Contains(strings.TrimSpace(typed), "\n")
	attached := sent != typed && !skill
	if pasted || attached {
		e.addPrivate(PastedData)
		e.privateWords.add(sent)
	}
	e.material = e.material || pasted || sent != typed
	if !pasted {
		e.typedWords.add(typed)
		e.typedWords.addParts(typed)
		e.addAmounts(typed)
		e.addKnown(&e.typed, unescape(typed))
		e.addKnown(&e.typed, unescape(strings.ToLower(typed))) // people write Example.com, models do not
	}
	e.addKnown(&e.known, unescape(typed))
	e.addKnown(&e.known, unescape(strings.ToLower(typed)))
	e.addKnown(&e.known, unescape(sent))
}

// AddResult adds the result of a call as the model reads it. names is the part that may name addresses: it
// excludes errors, texts of another model, and what was composed of arguments. Portfolio data names no
// addresses, because the model may have written the notes in it.
func (e *Exposure) AddResult(arguments, result, data, names string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.material = true
	if data == PortfolioData {
		names = ""
	}
	if data != PublicData {
		e.addPrivate(data)
	}
	e.unscanned = append(e.unscanned, scannable{arguments, result, data, names})
}

// AddSaved adds an entry of a saved session. The session may have been imported, so nothing in it counts as
// typed by the user. data is what was saved with the entry.
func (e *Exposure) AddSaved(arguments, text, data, names string) {
	if data == "" {
		data = unknownData
	}
	e.AddResult(arguments, text, data, names)
}

// AddSavedMessage adds a user's message of a saved session.
func (e *Exposure) AddSavedMessage(typed, sent string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.material = true
	e.addAmounts(typed)
	e.addKnown(&e.known, unescape(typed))
	e.addKnown(&e.known, unescape(strings.ToLower(typed)))
	e.addKnown(&e.known, unescape(sent))
}

// addAmounts adds the amounts in what the user typed to the private data.
func (e *Exposure) addAmounts(typed string) {
	for _, amount := range amountPattern().FindAllString(typed, -1) {
		if isAmount(amount) {
			e.addPrivate(TypedData)
			e.typedWords.remove(amount)
			e.privateWords.add(amount)
		}
	}
}

func (e *Exposure) addPrivate(data string) {
	if !slices.Contains(e.private, data) {
		e.private = append(e.private, data)
	}
}

// Private returns what private data the model has read.
func (e *Exposure) Private() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.private)
}

var (
	addressPattern = lazyregexp.New(`(?i)https?://[^\s<>"|]+`)
	amountPattern  = lazyregexp.New(`(?i)[$€£¥]?\s?[0-9][0-9.,']*\s?(?:k\b|m\b|mn\b|bn\b|万|亿|usd\b|eur\b|gbp\b|chf\b|cny\b|[$€£¥元])?`)
	// unescaper undoes the escapes of JSON and Markdown.
	unescaper = strings.NewReplacer(`\\`, "", `\n`, " ", `\t`, " ", `\r`, " ", `\"`, `"`,
		`\u0026`, "&", `\u003c`, "<", `\u003e`, ">", "&amp;", "&", `\`, "")
)

// isAmount reports whether a typed number may be an amount of money: it has a currency or a
// multiplier, or at least four digits and is not a year.
func isAmount(text string) bool {
	text = strings.Trim(text, " .,'")
	digits := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
	unit := strings.Trim(text, "0123456789.,' ") != ""
	return unit || len(digits) >= 4 && !isYear(text)
}

// unescape returns text without escapes, so that an address in it is as it would be requested.
func unescape(text string) string { return unescaper.Replace(text) }

// scan reads the results that were added since the last scan. If the call's arguments contain an address
// within a longer text, the result names no addresses, because it may only repeat that one.
func (e *Exposure) scan() {
	for _, u := range e.unscanned {
		switch {
		case u.data != PublicData:
			e.addPrivateResult(u.result)
		default:
			e.addPublicResult(u.arguments, u.names)
		}
		if embedsAddress(u.arguments) {
			e.addComposed(u.arguments)
			continue
		}
		if u.names == "" {
			continue
		}
		for _, address := range addressPattern().FindAllString(unescape(u.names), -1) {
			if !e.composed[trimAddress(address)] {
				e.addKnown(&e.known, address)
			}
		}
		// They were named before, or a person approved them.
		addresses, _ := Addresses(u.arguments)
		for _, address := range addresses {
			e.addKnown(&e.known, address)
		}
	}
	e.unscanned = nil
}

// addComposed adds the addresses in a call's arguments that appear nowhere before.
func (e *Exposure) addComposed(arguments string) {
	_, texts := Addresses(arguments)
	for _, text := range texts {
		for _, address := range addressPattern().FindAllString(unescape(text), -1) {
			if e.sourceOfAddress(Send{Address: address}) != fromModel {
				continue
			}
			if e.composed == nil {
				e.composed = map[string]bool{}
			}
			e.composed[trimAddress(address)] = true
		}
	}
}

// trimAddress removes the punctuation after an address in a text.
func trimAddress(address string) string { return strings.TrimRight(address, ".,;:!?)]}'\"*_`") }

// addPublicResult adds the words of a public result. It omits private words that the result may only
// repeat: numbers, which a calculation may return, and words of the arguments. The symbols of the user's
// positions are not omitted.
func (e *Exposure) addPublicResult(arguments, result string) {
	var given, public words
	given.add(unescape(arguments))
	public.add(result)
	for word := range public {
		if e.privateWords[word] && !e.symbols[word] && (given[word] || strings.ContainsAny(word, "0123456789")) {
			delete(public, word)
		}
	}
	if e.publicWords == nil {
		e.publicWords = words{}
	}
	maps.Copy(e.publicWords, public)
}

// addPrivateResult adds the words of a private result. For JSON, it adds only the values.
func (e *Exposure) addPrivateResult(result string) {
	var value any
	d := json.NewDecoder(strings.NewReader(result))
	d.UseNumber()
	if d.Decode(&value) != nil {
		e.privateWords.add(result)
		return
	}
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(name, item)
			}
		case map[string]any:
			for field, item := range v {
				walk(field, item)
			}
		case string:
			if name == "symbol" || name == "symbols" {
				e.symbols.add(v)
			}
			e.privateWords.add(v)
		case json.Number:
			e.privateWords.add(v.String())
		}
	}
	walk("", value)
}

// addKnown adds a text between line breaks, once.
func (e *Exposure) addKnown(to *strings.Builder, text string) {
	key := text
	if to == &e.typed {
		key = "typed\x00" + text
	}
	if e.seen == nil {
		e.seen = map[string]bool{}
	}
	if text == "" || e.seen[key] {
		return
	}
	e.seen[key] = true
	to.WriteString("\n" + text + "\n")
}

// embedsAddress reports whether an address is in the middle of a text of a call's arguments.
func embedsAddress(arguments string) bool {
	addresses, texts := Addresses(arguments)
	whole := map[string]bool{}
	for _, address := range addresses {
		whole[address] = true
	}
	for _, text := range texts {
		if !whole[strings.TrimSpace(text)] && strings.Contains(unescape(text), "://") {
			return true
		}
	}
	return false
}

// source is the origin of the words in a send.
type source int

const (
	fromUser     source = iota // the user typed them
	fromMaterial               // something that the model read names them
	fromModel                  // the model composed them
)

// sourceOf returns the origin of the sent words. If the model composed the text, private holds the words
// that occur only in private data.
func (e *Exposure) sourceOf(s Send) (from source, private []string) {
	if s.Address == "" {
		return e.sourceOfText(s)
	}
	return e.sourceOfAddress(s), nil
}

func (e *Exposure) sourceOfAddress(s Send) source {
	address, _, _ := strings.Cut(strings.TrimSpace(s.Address), "#") // servers do not receive the fragment
	address = strings.TrimSuffix(address, "/")
	_, bare, ok := strings.Cut(address, "://")
	if !ok || bare == "" || strings.ContainsFunc(bare, unicode.IsSpace) {
		return fromModel
	}
	// People usually omit "www.".
	bare = strings.TrimPrefix(bare, "www.")
	names := func(text string) bool {
		return bare != "" && (containsAddress(text, bare) || containsAddress(text, "www."+bare))
	}
	switch {
	case names(e.typed.String()):
		return fromUser
	case names(e.known.String()):
		return fromMaterial
	}
	return fromModel
}

// Limits of texts that are sent: a longer text or word may hide encoded data.
const (
	maxTermBytes   = 160
	maxTermWord    = 24
	maxSymbolBytes = 80 // for market data sources
	maxSymbolWord  = 12
)

// sourceOfText returns fromModel for text with words that occur only in private data, or that may hide such
// words in a code. Symbols are short words that any file may contain, so for market data sources only
// numbers, identifiers and long words count.
func (e *Exposure) sourceOfText(s Send) (from source, private []string) {
	forMarket := s.To == MarketSources
	typed, coded := true, false
	for _, part := range splitParts(s.Text) {
		typed = typed && e.typedWords[part]
	}
	for _, word := range splitWords(s.Text) {
		if e.typedWords[word] {
			continue
		}
		typed = false
		only := e.privateWords[word] && !e.publicWords[word]
		if forMarket {
			only = only && !e.symbols[word] && (len(word) > maxSymbolWord || strings.ContainsAny(word, "0123456789") && len(word) > minWordLetters)
		}
		if only {
			private = append(private, word)
		}
		coded = coded || len(word) > maxTermWord && word[0] != '#'
	}
	switch {
	case len(private) > 0 || coded:
		slices.Sort(private)
		return fromModel, private
	case typed:
		return fromUser, nil
	case len(s.Text) > maxTermBytes, forMarket && len(s.Text) > maxSymbolBytes:
		return fromModel, nil
	}
	return fromMaterial, nil
}

// words is a set of words as splitWords returns them.
type words map[string]bool

func (w *words) add(text string) {
	if *w == nil {
		*w = words{}
	}
	for _, word := range splitWords(text) {
		(*w)[word] = true
	}
}

func (w *words) remove(text string) {
	for _, word := range slices.Concat(splitWords(text), splitParts(text)) {
		delete(*w, word)
	}
}

// addParts adds the words of a text and the parts of its numbers, however short.
func (w *words) addParts(text string) {
	for _, part := range splitParts(text) {
		(*w)[part] = true
	}
}

// minWordLetters is the minimum length of a meaningful word.
const minWordLetters = 3

// splitParts returns the runs of letters and digits in a text, in lower case.
func splitParts(text string) []string {
	return strings.FieldsFunc(normalize(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// normalize returns text in lower case and compatibility form (NFKD) with ASCII digits, without accents,
// blanks other than spaces, and invisible characters.
func normalize(text string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.Cf, unicode.Mn) || markdown.IsBlank(r):
			return -1
		case r > unicode.MaxASCII && unicode.Is(unicode.Nd, r):
			return asciiDigit(r)
		}
		return r
	}, norm.NFKD.String(text)))
}

// asciiDigit returns the ASCII digit with the value of a decimal digit. The digits of a script are ten
// characters in a row.
func asciiDigit(digit rune) rune {
	value := '0'
	for r := digit - 1; unicode.Is(unicode.Nd, r); r-- {
		value++
	}
	return '0' + (value-'0')%10
}

// groupedDigits are digits in groups: 71 234.56.
var groupedDigits = lazyregexp.New(`[0-9]+(?:[ _][0-9.,]+)+`)

// splitWords returns the words of a text in lower case, and its numbers in three forms: without grouping,
// without decimals, and as "#" followed by only the digits. It omits short words, short numbers, dates and
// years, which reveal nothing.
func splitWords(text string) []string {
	text = normalize(text)
	var out []string
	for _, number := range append(groupedDigits().FindAllString(text, -1), numberPattern().FindAllString(text, -1)...) {
		digits := strings.Trim(strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, number), "0")
		if len(digits) > minWordLetters+1 {
			out = append(out, "#"+digits)
		}
	}
	for _, field := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".,'-", r)
	}) {
		field = strings.Trim(field, ".,'-")
		if datePattern().MatchString(field) {
			continue
		}
		if number := strings.NewReplacer(",", "", "'", "").Replace(field); isNumber(number) {
			number = strings.TrimLeft(number, "0")
			if strings.Contains(number, ".") {
				number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
			}
			for _, n := range slices.Compact([]string{number, strings.Split(number, ".")[0]}) { // an amount reveals as much without its cents
				if len(strings.Trim(n, ".")) >= minWordLetters+1 && !isYear(n) {
					out = append(out, n)
				}
			}
			continue
		}
		for _, word := range strings.FieldsFunc(field, func(r rune) bool { return strings.ContainsRune(".,'-", r) }) {
			if len(word) >= minWordLetters && !isYear(word) {
				out = append(out, word)
			}
		}
	}
	return out
}

var numberPattern = lazyregexp.New(`[0-9][0-9.,']*`)

var datePattern = lazyregexp.New(`^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$`)

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789.") == "" && strings.Count(text, ".") <= 1
}

func isYear(text string) bool {
	return len(text) == 4 && isNumber(text) && !strings.Contains(text, ".") && (strings.HasPrefix(text, "19") || strings.HasPrefix(text, "20"))
}

// containsAddress reports whether an address occurs in text, not counting parts of longer addresses. The
// text begins and ends with a line break.
func containsAddress(text, address string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], address)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(address)
		if !strings.ContainsAny(text[begin-1:begin], addressChars+".") && !strings.ContainsAny(text[end:end+1], addressChars) {
			return true
		}
		at = begin + 1
	}
}

// addressChars are characters that continue an address.
const addressChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_%=&+~@"
