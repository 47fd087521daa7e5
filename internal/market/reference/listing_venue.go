package reference

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// listingVenue is an exchange as symbols spell it.
type listingVenue struct {
	mic, suffix, name string
	// prefix is how it is written before a ticker, "LSE:VOD"; besides its MIC.
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
