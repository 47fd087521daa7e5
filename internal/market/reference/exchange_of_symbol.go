package reference

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// ExchangeOf returns the calendar by which a symbol trades: of the exchange that its
// suffix names (".L", ".DE", ".T" ...), of New York where it has none or a class
// of share, of its home for an index. It is false for what trades round the clock
// (currencies, coins, futures) and for exchanges and indices that are not covered.
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

// isShareClass tells a class ("BRK.B") from the one-letter suffixes of exchanges
// without a calendar: Frankfurt's floor (F), Sapporo (S), Nagoya (N), Fukuoka (F).
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
