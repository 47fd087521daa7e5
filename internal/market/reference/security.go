package reference

import (
	"cmp"
	_ "embed"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
)

// securityTSV lists securities whose class or ratio cannot be derived from the ticker or the name.
//
//go:embed securities.tsv
var securityTSV string

// ShareRatio states that Units units of a security represent Shares shares in the company's
// statements: one BABA for eight ordinary shares, 1,500 BRK.B for one class A share.
type ShareRatio struct{ Shares, Units int64 }

// IsOne reports whether a unit is one share.
func (r ShareRatio) IsOne() bool { return r.Shares == r.Units }

// PerUnit converts a figure per share to one per unit of the security.
func (r ShareRatio) PerUnit(perShare decimal.Decimal) decimal.Decimal {
	return perShare.Mul(decimal.NewFromInt(r.Shares)).DivRound(decimal.NewFromInt(r.Units), ratioDigits)
}

// InUnits converts a number of shares to units of the security.
func (r ShareRatio) InUnits(shares decimal.Decimal) decimal.Decimal {
	return shares.Mul(decimal.NewFromInt(r.Units)).DivRound(decimal.NewFromInt(r.Shares), ratioDigits)
}

// ratioDigits is more decimals than figures in statements have.
const ratioDigits = 12

// RatioOf returns how many of the shares in the company's statements one unit of a security represented on a
// day. It reports false for a security that is not part of the company's common equity, and for a depositary
// receipt with an unknown ratio. A ratio that only the name states is used for every day.
func RatioOf(i market.Instrument, on market.Date) (ShareRatio, bool) {
	if known, ok := listedSecurities()[i.Symbol]; ok && known.ratio != (ShareRatio{}) {
		return known.ratio, !on.Before(known.since)
	}
	if i.Class == market.ClassADR {
		return ratioOfName(i.Name)
	}
	return ShareRatio{1, 1}, i.Class == market.ClassCommon
}

var (
	representedShares = lazyregexp.New(`(?i)\beach (?:ADS )?(?:(?:of which )?represents?(?:ing)?|repstg) (?:the right to receive )?([^()]*?)(?: \(([0-9]+)\))? (?:underlying )?((?:class|series) [A-Z] )?(ordinary|common|equity|preferred|preference)? ?(?:shares?|stock)\b`)
	countWords        = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")
	fractionWords     = map[string]int64{"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "tenth": 10}
)

// ratioOfName parses the number of shares that a depositary receipt represents from its name: "American
// Depositary Shares, each representing eight Ordinary Shares", "one-half of one ordinary share", "0.25
// ordinary shares", "twenty (20) Series B Shares". It reports false for parts of a preferred share.
func ratioOfName(name string) (ShareRatio, bool) {
	stated := representedShares().FindStringSubmatch(name)
	if stated == nil || strings.HasPrefix(strings.ToLower(stated[4]), "pref") {
		return ShareRatio{}, false
	}
	text := strings.ToLower(strings.TrimSpace(cmp.Or(stated[2], stated[1])))
	if part, _, ok := strings.Cut(text, " of "); ok { // one-half of one share
		text = part
	}
	if at := slices.Index(countWords, text); at > 0 {
		return ShareRatio{int64(at), 1}, true
	}
	if text == "an" || text == "a" {
		return ShareRatio{1, 1}, true
	}
	one, part, isWord := strings.Cut(strings.ReplaceAll(text, " ", "-"), "-")
	if units := fractionWords[part]; isWord && one == "one" && units > 0 {
		return ShareRatio{1, units}, true
	}
	ratio, ok := new(big.Rat).SetString(text) // "8", "0.25", "1/2"
	if !ok || ratio.Sign() <= 0 || !ratio.Num().IsInt64() || !ratio.Denom().IsInt64() {
		return ShareRatio{}, false
	}
	return ShareRatio{ratio.Num().Int64(), ratio.Denom().Int64()}, true
}

// knownSecurity is a line of securities.tsv.
type knownSecurity struct {
	class      market.SecurityClass
	shareClass string
	ratio      ShareRatio
	since      market.Date // date from which the ratio applies; zero means always
}

var listedSecurities = sync.OnceValue(func() map[market.Symbol]knownSecurity {
	all := map[market.Symbol]knownSecurity{}
	for line := range strings.Lines(securityTSV) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		field := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "", "", "")
		known := knownSecurity{class: market.SecurityClass(field[1]), shareClass: field[2]}
		if field[3] != "" {
			if _, err := fmt.Sscanf(field[3], "%d:%d", &known.ratio.Shares, &known.ratio.Units); err != nil {
				panic("securities.tsv: " + line) // tests read every line
			}
		}
		known.since, _ = time.Parse(time.DateOnly, field[4])
		all[market.Symbol(field[0])] = known
	}
	return all
})

// Describe returns what is known about a symbol without a request: its row in the symbol table, or what its
// suffix shows about exchange, currency and class. Unknown fields are empty.
func Describe(sym market.Symbol) market.Instrument {
	out := market.Instrument{Symbol: sym}
	if listed, ok := NewSymbolTable().Lookup(string(sym)); ok {
		out = listed
	}
	if venue, ok := venueOfSuffix(sym); ok && out.MIC == "" {
		out.MIC, out.Exchange = venue.mic, venue.name
	}
	setClass(&out)
	setCurrency(&out)
	return out
}

// Listings returns the instruments of the table with a ticker on any exchange: VOD on Nasdaq and VOD.L in
// London.
func (t *SymbolTable) Listings(ticker string) ([]market.Instrument, error) {
	ix := builtinIndex()
	sym, err := market.ParseSymbol(ticker)
	if err != nil {
		return nil, nil
	}
	places := ix.byTicker(string(sym))
	if place, ok := ix.bySymbol(sym); ok {
		places = append([]int{place}, places...)
	}
	out := ix.instruments(places)
	for i := range out {
		setClass(&out[i])
		setCurrency(&out[i])
	}
	return out, nil
}

// SymbolOn returns the symbol of a ticker on an exchange: VOD.L for VOD on XLON. It reports false for an
// exchange without a suffix in symbols.
func SymbolOn(ticker, mic string) (market.Symbol, bool) {
	sym, err := market.ParseSymbol(ticker)
	if err != nil {
		return "", false
	}
	for _, v := range listingVenues() {
		if v.mic != mic {
			continue
		}
		if v.suffix != "" {
			// Only in New York does a dot precede the share class.
			sym = market.Symbol(strings.ReplaceAll(string(sym), ".", "-") + v.suffix)
		}
		return sym, true
	}
	return "", false
}

func venueOfSuffix(sym market.Symbol) (listingVenue, bool) {
	dot := strings.LastIndexByte(string(sym), '.')
	if dot < 0 {
		return listingVenue{}, false
	}
	all := listingVenues()
	i := slices.IndexFunc(all, func(v listingVenue) bool { return v.suffix != "" && v.suffix == string(sym[dot:]) })
	if i < 0 {
		return listingVenue{}, false
	}
	return all[i], true
}

// setCurrency sets the currency that most listings of the exchange are quoted in. Shares and funds whose
// symbol has no exchange suffix are from the United States.
func setCurrency(i *market.Instrument) {
	venue, foreign := venueOfSuffix(i.Symbol)
	switch {
	case i.TradingCurrency != "" || market.NeverSplit(i.Kind):
	case foreign:
		i.TradingCurrency = venue.currency
	case i.Class != market.ClassUnknown:
		i.TradingCurrency = "USD"
	}
}

// setClass sets the class of one security without looking at others of its issuer.
func setClass(i *market.Instrument) {
	if i.Class != market.ClassUnknown || market.NeverSplit(i.Kind) {
		return
	}
	if known, ok := listedSecurities()[i.Symbol]; ok {
		i.Class, i.ShareClass = known.class, known.shareClass
		return
	}
	if i.Class, i.ShareClass = classOfSuffix(i.Symbol); i.Class == market.ClassUnknown {
		i.Class, i.ShareClass = ClassOfName(i.Name)
	}
	switch {
	case i.Class != market.ClassUnknown:
	case i.Kind == "fund":
		i.Class = market.ClassFund
	case i.Kind == "equity" && i.Name != "":
		i.Class = market.ClassCommon
	}
}

// Classify sets the classes of all listed securities of one issuer, in the order of the SEC's ticker list,
// which usually has the common share first. Another ticker of up to four letters may be anything
// (GOOG is a share, TBB a note): unless the table has it, its class is ClassOther.
func Classify(issuer []market.Instrument) {
	for at := range issuer {
		i := &issuer[at]
		i.Class, i.ShareClass = market.ClassUnknown, ""
		if known, ok := listedSecurities()[i.Symbol]; ok {
			i.Class, i.ShareClass = known.class, known.shareClass
		} else if i.Class, i.ShareClass = registeredSuffix(i.Symbol); i.Class == market.ClassUnknown {
			i.Class, i.ShareClass = classOfFifthLetter(i.Symbol, issuer)
		}
		for _, name := range []string{builtinName(i.Symbol), i.Name} {
			if i.Class == market.ClassUnknown {
				i.Class, i.ShareClass = ClassOfName(name)
			}
		}
		if i.Class == market.ClassUnknown && i.Kind == "fund" {
			i.Class = market.ClassFund
		}
	}
	main := mainListing(issuer)
	for at := range issuer {
		switch i := &issuer[at]; {
		case i.Class != market.ClassUnknown:
		case at == main:
			i.Class = market.ClassCommon
		default:
			i.Class = market.ClassOther
		}
	}
}

// mainListing returns the index of the common share among the securities of unknown class, or -1. It is the
// issuer's first security, or the one whose ticker is the start of the first one's (BIP for the notes BIPH).
// If the class of the first one is known, it is the one whose ticker starts those of others.
func mainListing(issuer []market.Instrument) int {
	if issuer[0].Class != market.ClassUnknown {
		return slices.IndexFunc(issuer, func(i market.Instrument) bool {
			return i.Class == market.ClassUnknown && slices.ContainsFunc(issuer, func(o market.Instrument) bool { return isStem(i.Symbol, o.Symbol) })
		})
	}
	main := 0
	for at, i := range issuer {
		if i.Class == market.ClassUnknown && isStem(i.Symbol, issuer[main].Symbol) {
			main = at
		}
	}
	return main
}

func isStem(a, b market.Symbol) bool { return a != b && strings.HasPrefix(string(b), string(a)) }

// builtinName returns the name of a symbol in the table, which shows share classes and depositary receipts.
func builtinName(sym market.Symbol) string {
	listed, _ := NewSymbolTable().Lookup(string(sym))
	return listed.Name
}

// classOfSuffix parses the part of a symbol after a hyphen, or after a dot that does not precede an exchange,
// in the notation of New York and Toronto (NYSE symbology; Toronto: ".TO", ".V").
func classOfSuffix(sym market.Symbol) (market.SecurityClass, string) {
	text := string(sym)
	if venue, ok := venueOfSuffix(sym); ok {
		text = strings.TrimSuffix(text, venue.suffix)
		_, suffix, ok := strings.Cut(text, "-")
		switch {
		case !ok || venue.mic != "XTSE" && venue.mic != "XTSX":
			return classLetter(suffix)
		case suffix == "UN" || suffix == "U": // units of a trust are its shares; U trades in USD
			return market.ClassCommon, ""
		case strings.HasPrefix(suffix, "DB"):
			return market.ClassNote, ""
		}
	}
	return registeredSuffix(market.Symbol(text))
}

// registeredSuffix returns the class that the suffix of a symbol listed in New York stands for.
func registeredSuffix(sym market.Symbol) (market.SecurityClass, string) {
	at := strings.IndexAny(string(sym), "-.")
	if at <= 0 || strings.ContainsAny(string(sym), "^=") {
		return market.ClassUnknown, ""
	}
	switch suffix := string(sym[at+1:]); {
	case preferredSuffix().MatchString(suffix):
		return market.ClassPreferred, ""
	case strings.HasPrefix(suffix, "WT") || strings.HasPrefix(suffix, "WS") || suffix == "W":
		return market.ClassWarrant, ""
	case suffix == "UN" || suffix == "U":
		return market.ClassUnit, ""
	case suffix == "RT" || suffix == "RI" || suffix == "R":
		return market.ClassRight, ""
	default:
		return classLetter(suffix)
	}
}

// preferredSuffix matches P and the series: "PL", and in Toronto "PFA".
var preferredSuffix = lazyregexp.New(`^P(R?[A-Z]?|F[A-Z])$`)

func classLetter(suffix string) (market.SecurityClass, string) {
	if len(suffix) == 1 && suffix[0] >= 'A' && suffix[0] <= 'Z' {
		return market.ClassCommon, suffix
	}
	return market.ClassUnknown, ""
}

// classOfFifthLetter interprets the fifth letter of a ticker as Nasdaq and the OTC market use it. The letter
// has this meaning only if the issuer has other tickers: QQQX is a fund.
func classOfFifthLetter(sym market.Symbol, issuer []market.Instrument) (market.SecurityClass, string) {
	const length = 5
	if len(sym) != length || strings.ContainsAny(string(sym), "-.") {
		return market.ClassUnknown, ""
	}
	letter := sym[length-1]
	hasBase := slices.ContainsFunc(issuer, func(o market.Instrument) bool {
		return len(o.Symbol) < length && strings.HasPrefix(string(sym), string(o.Symbol))
	})
	sameStem := func(letters string) bool {
		return slices.ContainsFunc(issuer, func(o market.Instrument) bool {
			return o.Symbol != sym && len(o.Symbol) == length && o.Symbol[:length-1] == sym[:length-1] && strings.IndexByte(letters, o.Symbol[length-1]) >= 0
		})
	}
	switch {
	case letter == 'Y':
		return market.ClassADR, ""
	case letter == 'F', letter == 'Q': // foreign issuer; bankrupt
		return market.ClassCommon, ""
	case !hasBase && !sameStem("ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
		return market.ClassUnknown, ""
	}
	switch letter {
	case 'W':
		return market.ClassWarrant, ""
	case 'U':
		return market.ClassUnit, ""
	case 'R':
		return market.ClassRight, ""
	case 'M', 'N', 'O', 'P':
		return market.ClassPreferred, ""
	case 'A':
		return market.ClassCommon, "A"
	case 'B':
		// SOHOB is a preferred share and RILYK a note: B and K are share classes only if there is a class A.
		if sameStem("A") {
			return market.ClassCommon, "B"
		}
	case 'K':
		if sameStem("A") {
			return market.ClassCommon, "C"
		}
	}
	return market.ClassOther, ""
}

var (
	shareClassName = lazyregexp.New(`(?i)\bclass ([A-Z])\b`)
	// preferredName comes before adrName: depositary shares are often parts of a preferred share.
	preferredName = lazyregexp.New(`(?i)\b(?:preferred|preference|pfd)\b`)
	adrName       = lazyregexp.New(`(?i)\b(?:ADRs?|ADSs?|GDRs?|depositary (?:receipts?|shares?))\b`)
	noteName      = lazyregexp.New(`(?i)\b(?:ETNs?|debentures?|notes? (?:due|series)|(?:senior|subordinated) notes?)\b`)
	warrantName   = lazyregexp.New(`(?i).\bwarrants?\b`)
	rightName     = lazyregexp.New(`(?i).\brights?$`)
	unitName      = lazyregexp.New(`(?i).\bunits?$`)
	commonUnit    = lazyregexp.New(`(?i)\b(?:common|limited|partner|partnership|LP|L\.P\.) ?units?$`)
	fundName      = lazyregexp.New(`(?i)\bETFs?\b`)
)

// ClassOfName derives the class of a security from its name, as exchanges and data sources write it:
// "Berkshire Hathaway Inc. (class B)", "Bank of America Corp. Pfd Ser L". For a company's plain name it
// returns ClassUnknown.
func ClassOfName(name string) (market.SecurityClass, string) {
	switch {
	case preferredName().MatchString(name):
		return market.ClassPreferred, ""
	case warrantName().MatchString(name):
		return market.ClassWarrant, ""
	case noteName().MatchString(name):
		return market.ClassNote, ""
	case adrName().MatchString(name):
		return market.ClassADR, ""
	case fundName().MatchString(name):
		return market.ClassFund, ""
	case rightName().MatchString(name):
		return market.ClassRight, ""
	case unitName().MatchString(name) && !commonUnit().MatchString(name):
		return market.ClassUnit, ""
	}
	if letter := shareClassName().FindStringSubmatch(name); letter != nil {
		return market.ClassCommon, strings.ToUpper(letter[1])
	}
	return market.ClassUnknown, ""
}
