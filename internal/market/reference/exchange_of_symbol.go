package reference

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// ExchangeOf returns the calendar of a symbol's exchange: by its suffix (".L", ".DE", ".T" ...), New York if
// it has none or only a share class, or the home exchange of an index. It reports false for instruments that
// trade around the clock (currencies, coins, futures) and for exchanges and indices that are not covered.
func ExchangeOf(sym market.Symbol) (*Exchange, bool) {
	mic, ok := calendarMIC(string(sym))
	if !ok {
		return nil, false
	}
	return ExchangeByMIC(mic)
}

// calendarMIC returns the market identifier code of the calendar that a symbol follows.
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
	// With a suffix, a hyphen precedes a share class (RCI-B.TO); without one, the currency of a coin.
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

// calendarSuffixes maps the suffixes of exchanges with a calendar. The TSX Venture Exchange (V) has the days
// and hours of Toronto.
var calendarSuffixes = map[string]string{
	"L": "XLON", "DE": "XETR", "PA": "XPAR", "AS": "XAMS", "BR": "XBRU", "LS": "XLIS",
	"TO": "XTSE", "V": "XTSE", "T": "XTKS", "HK": "XHKG", "AX": "XASX",
}

// indexHomes lists the indices with a calendar, by exchange.
var indexHomes = map[string]string{
	"XNYS": "GSPC DJI DJT DJU IXIC NDX RUT RUI RUA NYA XAX MID SP600 OEX SPXTR SP500TR VIX SOX W5000",
	"XLON": "FTSE FTMC FTAS", "XETR": "GDAXI MDAXI SDAXI TECDAX", "XPAR": "FCHI SBF120", "XAMS": "AEX", "XBRU": "BFX",
	"XTSE": "GSPTSE", "XTKS": "N225", "XHKG": "HSI HSCE", "XASX": "AXJO AORD",
}

// listingVenue is an exchange with its suffix and prefix in symbols.
type listingVenue struct {
	mic, suffix, name string
	// prefix is the prefix of tickers, as in "LSE:VOD", in addition to the MIC.
	prefix string
	// currency is what most of its listings are quoted in. London quotes shares in pence of GBP and
	// some funds in USD, its international order book (.IL) in USD.
	currency string
}

// MICOf returns the market identifier code (ISO 10383) of the exchange of a symbol's suffix: XLON for VOD.L.
// It reports false for a symbol without a suffix, because several US exchanges trade those. A share class is
// not a suffix.
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

// listingVenues lists the exchanges. If a MIC has several suffixes, or several exchanges share a suffix, the
// main one is first.
func listingVenues() []listingVenue {
	return []listingVenue{
		{"XNYS", "", "NYSE", "NYSE", "USD"}, {"XNAS", "", "Nasdaq", "NASDAQ", "USD"}, {"ARCX", "", "NYSE Arca", "NYSEARCA", "USD"},
		{"BATS", "", "Cboe BZX", "BATS", "USD"}, {"XASE", "", "NYSE American", "NYSEAMERICAN", "USD"}, {"OTCM", "", "OTC Markets", "OTC", "USD"},
		{"XLON", ".L", "London Stock Exchange", "LSE", "GBP"}, {"XLON", ".IL", "London Stock Exchange", "LON", "USD"},
		{"XETR", ".DE", "Xetra", "XETRA", "EUR"}, {"XFRA", ".F", "Frankfurt", "FRA", "EUR"},
		{"XBER", ".BE", "Berlin", "BER", "EUR"}, {"XDUS", ".DU", "Düsseldorf", "DUS", "EUR"}, {"XHAM", ".HM", "Hamburg", "HAM", "EUR"},
		{"XHAN", ".HA", "Hanover", "HAN", "EUR"}, {"XMUN", ".MU", "Munich", "MUN", "EUR"}, {"XSTU", ".SG", "Stuttgart", "STU", "EUR"},
		{"XPAR", ".PA", "Euronext Paris", "EPA", "EUR"}, {"XAMS", ".AS", "Euronext Amsterdam", "AMS", "EUR"},
		{"XBRU", ".BR", "Euronext Brussels", "EBR", "EUR"}, {"XLIS", ".LS", "Euronext Lisbon", "ELI", "EUR"},
		{"XMSM", ".IR", "Euronext Dublin", "ISE", "EUR"}, {"XMIL", ".MI", "Euronext Milan", "BIT", "EUR"},
		{"XOSL", ".OL", "Oslo Børs", "OSL", "NOK"}, {"XMAD", ".MC", "Madrid", "BME", "EUR"}, {"XSWX", ".SW", "SIX Swiss Exchange", "SWX", "CHF"},
		{"XWBO", ".VI", "Vienna", "VIE", "EUR"}, {"XSTO", ".ST", "Nasdaq Stockholm", "STO", "SEK"}, {"XCSE", ".CO", "Nasdaq Copenhagen", "CPH", "DKK"},
		{"XHEL", ".HE", "Nasdaq Helsinki", "HEL", "EUR"}, {"XICE", ".IC", "Nasdaq Iceland", "ICE", "ISK"},
		{"XWAR", ".WA", "Warsaw", "WSE", "PLN"}, {"XPRA", ".PR", "Prague", "PRA", "CZK"}, {"XBUD", ".BD", "Budapest", "BUD", "HUF"},
		{"ASEX", ".AT", "Athens", "ATH", "EUR"}, {"XIST", ".IS", "Borsa Istanbul", "IST", "TRY"}, {"XTAE", ".TA", "Tel Aviv", "TLV", "ILS"},
		{"XTSE", ".TO", "Toronto Stock Exchange", "TSX", "CAD"}, {"XTSX", ".V", "TSX Venture Exchange", "TSXV", "CAD"},
		{"XCNQ", ".CN", "Canadian Securities Exchange", "CSE", "CAD"}, {"NEOE", ".NE", "Cboe Canada", "NEO", "CAD"},
		{"XMEX", ".MX", "Mexico", "BMV", "MXN"}, {"BVMF", ".SA", "B3", "BVMF", "BRL"}, {"XBUE", ".BA", "Buenos Aires", "BCBA", "ARS"},
		{"XSGO", ".SN", "Santiago", "SGO", "CLP"}, {"XTKS", ".T", "Tokyo Stock Exchange", "TYO", "JPY"},
		{"XHKG", ".HK", "Hong Kong", "HKG", "HKD"}, {"XHKG", ".HK", "Hong Kong", "HKEX", "HKD"}, {"XSHG", ".SS", "Shanghai", "SHA", "CNY"}, {"XSHE", ".SZ", "Shenzhen", "SHE", "CNY"},
		{"XTAI", ".TW", "Taiwan Stock Exchange", "TWSE", "TWD"}, {"ROCO", ".TWO", "Taipei Exchange", "TPEX", "TWD"},
		{"XKRX", ".KS", "Korea Exchange", "KRX", "KRW"}, {"XKOS", ".KQ", "KOSDAQ", "KOSDAQ", "KRW"}, {"XSES", ".SI", "Singapore", "SGX", "SGD"},
		{"XKLS", ".KL", "Bursa Malaysia", "KLSE", "MYR"}, {"XBKK", ".BK", "Thailand", "SET", "THB"}, {"XIDX", ".JK", "Indonesia", "IDX", "IDR"},
		{"XNSE", ".NS", "National Stock Exchange of India", "NSE", "INR"}, {"XBOM", ".BO", "BSE", "BOM", "INR"},
		{"XASX", ".AX", "Australian Securities Exchange", "ASX", "AUD"}, {"XNZE", ".NZ", "New Zealand Exchange", "NZX", "NZD"},
		{"XJSE", ".JO", "Johannesburg", "JSE", "ZAR"}, {"XSAU", ".SR", "Saudi Exchange", "TADAWUL", "SAR"}, {"DSMD", ".QA", "Qatar", "QSE", "QAR"},
	}
}
