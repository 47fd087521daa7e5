package reference

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// ExchangeOf returns the calendar of a symbol's exchange: by its suffix (".L", ".DE", ".T" ...),
// New York if it has none or only a share class, or the home of an index. It is false for what
// trades around the clock (currencies, coins, futures) and for exchanges and indices that are not
// covered.
func ExchangeOf(sym market.Symbol) (*Exchange, bool) {
	mic, ok := calendarMIC(string(sym))
	if !ok {
		return nil, false
	}
	return ExchangeByMIC(mic)
}

// calendarMIC is the market identifier code of the calendar that a symbol follows.
func calendarMIC(sym string) (mic string, ok bool) {
	if index, found := strings.CutPrefix(sym, "^"); found {
		for mic, indices := range indexHomes {
			if slices.Contains(strings.Fields(indices), index) {
				return mic, true
			}
		}
		return "", false
	}
	dot := strings.LastIndexByte(sym, '.')
	if sym == "" || strings.ContainsAny(sym, "=&") {
		return "", false
	}
	if dot >= 0 {
		if mic, ok = calendarSuffixes[sym[dot+1:]]; ok {
			return mic, true
		}
	}
	// With a suffix a hyphen leads to a class of share (RCI-B.TO), without to the
	// currency of a coin.
	if strings.Contains(sym, "-") {
		return "", false
	}
	return "XNYS", dot < 0 || isShareClass(sym[dot+1:])
}

// isShareClass distinguishes a class ("BRK.B") from the one-letter suffixes of exchanges without a
// calendar: Frankfurt's floor (F), Sapporo (S), Nagoya (N), Fukuoka (F).
func isShareClass(suffix string) bool {
	return len(suffix) == 1 && suffix[0] >= 'A' && suffix[0] <= 'Z' && !strings.Contains("FNS", suffix)
}

// calendarSuffixes are the suffixes of exchanges with a calendar. The Venture exchange (V) keeps the
// days and hours of Toronto.
var calendarSuffixes = map[string]string{
	"L": "XLON", "DE": "XETR", "PA": "XPAR", "AS": "XAMS", "BR": "XBRU", "LS": "XLIS",
	"TO": "XTSE", "V": "XTSE", "T": "XTKS", "HK": "XHKG", "AX": "XASX",
}

// indexHomes are the indices with a calendar, by exchange.
var indexHomes = map[string]string{
	"XNYS": "GSPC DJI DJT DJU IXIC NDX RUT RUI RUA NYA XAX MID SP600 OEX SPXTR SP500TR VIX SOX W5000",
	"XLON": "FTSE FTMC FTAS", "XETR": "GDAXI MDAXI SDAXI TECDAX", "XPAR": "FCHI SBF120", "XAMS": "AEX", "XBRU": "BFX",
	"XTSE": "GSPTSE", "XTKS": "N225", "XHKG": "HSI HSCE", "XASX": "AXJO AORD",
}

// listingVenue is an exchange as symbols spell it.
type listingVenue struct {
	mic, suffix, name string
	// prefix is the prefix of tickers, as in "LSE:VOD", in addition to the MIC.
	prefix string
}

// MICOf is the market identifier code (ISO 10383) of the exchange that the suffix of
// a symbol names: XLON for VOD.L. It is false for a symbol without one: several
// exchanges of the United States trade those, and a class of share is no suffix.
func MICOf(sym market.Symbol) (string, bool) {
	dot := strings.LastIndexByte(string(sym), '.')
	if dot < 0 {
		return "", false
	}
	listings := listingVenues()
	i := slices.IndexFunc(listings, func(v listingVenue) bool { return v.suffix != "" && v.suffix == string(sym[dot:]) })
	if i < 0 {
		return "", false
	}
	return listings[i].mic, true
}

// listingVenues lists the exchanges, the main one first where a MIC has several suffixes
// or a suffix several exchanges.
func listingVenues() []listingVenue {
	return []listingVenue{
		{"XNYS", "", "NYSE", "NYSE"}, {"XNAS", "", "Nasdaq", "NASDAQ"}, {"ARCX", "", "NYSE Arca", "NYSEARCA"},
		{"BATS", "", "Cboe BZX", "BATS"}, {"XASE", "", "NYSE American", "NYSEAMERICAN"}, {"OTCM", "", "OTC Markets", "OTC"},
		{"XLON", ".L", "London Stock Exchange", "LSE"}, {"XLON", ".IL", "London Stock Exchange", "LON"},
		{"XETR", ".DE", "Xetra", "XETRA"}, {"XFRA", ".F", "Frankfurt", "FRA"},
		{"XBER", ".BE", "Berlin", "BER"}, {"XDUS", ".DU", "Düsseldorf", "DUS"}, {"XHAM", ".HM", "Hamburg", "HAM"},
		{"XHAN", ".HA", "Hanover", "HAN"}, {"XMUN", ".MU", "Munich", "MUN"}, {"XSTU", ".SG", "Stuttgart", "STU"},
		{"XPAR", ".PA", "Euronext Paris", "EPA"}, {"XAMS", ".AS", "Euronext Amsterdam", "AMS"},
		{"XBRU", ".BR", "Euronext Brussels", "EBR"}, {"XLIS", ".LS", "Euronext Lisbon", "ELI"},
		{"XMSM", ".IR", "Euronext Dublin", "ISE"}, {"XMIL", ".MI", "Euronext Milan", "BIT"},
		{"XOSL", ".OL", "Oslo Børs", "OSL"}, {"XMAD", ".MC", "Madrid", "BME"}, {"XSWX", ".SW", "SIX Swiss Exchange", "SWX"},
		{"XWBO", ".VI", "Vienna", "VIE"}, {"XSTO", ".ST", "Nasdaq Stockholm", "STO"}, {"XCSE", ".CO", "Nasdaq Copenhagen", "CPH"},
		{"XHEL", ".HE", "Nasdaq Helsinki", "HEL"}, {"XICE", ".IC", "Nasdaq Iceland", "ICE"},
		{"XWAR", ".WA", "Warsaw", "WSE"}, {"XPRA", ".PR", "Prague", "PRA"}, {"XBUD", ".BD", "Budapest", "BUD"},
		{"ASEX", ".AT", "Athens", "ATH"}, {"XIST", ".IS", "Borsa Istanbul", "IST"}, {"XTAE", ".TA", "Tel Aviv", "TLV"},
		{"XTSE", ".TO", "Toronto Stock Exchange", "TSX"}, {"XTSX", ".V", "TSX Venture Exchange", "TSXV"},
		{"XCNQ", ".CN", "Canadian Securities Exchange", "CSE"}, {"NEOE", ".NE", "Cboe Canada", "NEO"},
		{"XMEX", ".MX", "Mexico", "BMV"}, {"BVMF", ".SA", "B3", "BVMF"}, {"XBUE", ".BA", "Buenos Aires", "BCBA"},
		{"XSGO", ".SN", "Santiago", "SGO"}, {"XTKS", ".T", "Tokyo Stock Exchange", "TYO"},
		{"XHKG", ".HK", "Hong Kong", "HKG"}, {"XHKG", ".HK", "Hong Kong", "HKEX"}, {"XSHG", ".SS", "Shanghai", "SHA"}, {"XSHE", ".SZ", "Shenzhen", "SHE"},
		{"XTAI", ".TW", "Taiwan Stock Exchange", "TWSE"}, {"ROCO", ".TWO", "Taipei Exchange", "TPEX"},
		{"XKRX", ".KS", "Korea Exchange", "KRX"}, {"XKOS", ".KQ", "KOSDAQ", "KOSDAQ"}, {"XSES", ".SI", "Singapore", "SGX"},
		{"XKLS", ".KL", "Bursa Malaysia", "KLSE"}, {"XBKK", ".BK", "Thailand", "SET"}, {"XIDX", ".JK", "Indonesia", "IDX"},
		{"XNSE", ".NS", "National Stock Exchange of India", "NSE"}, {"XBOM", ".BO", "BSE", "BOM"},
		{"XASX", ".AX", "Australian Securities Exchange", "ASX"}, {"XNZE", ".NZ", "New Zealand Exchange", "NZX"},
		{"XJSE", ".JO", "Johannesburg", "JSE"}, {"XSAU", ".SR", "Saudi Exchange", "TADAWUL"}, {"DSMD", ".QA", "Qatar", "QSE"},
	}
}
