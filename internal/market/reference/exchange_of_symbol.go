package reference

import (
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
		return micOfIndex(index)
	}
	dot := strings.LastIndexByte(sym, '.')
	if sym == "" || strings.ContainsAny(sym, "=&") {
		return "", false
	}
	if dot >= 0 {
		if mic, ok = micOfSuffix(sym[dot+1:]); ok {
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

func micOfSuffix(suffix string) (mic string, ok bool) {
	switch suffix {
	case "L":
		return "XLON", true
	case "DE":
		return "XETR", true
	case "PA":
		return "XPAR", true
	case "AS":
		return "XAMS", true
	case "BR":
		return "XBRU", true
	case "LS":
		return "XLIS", true
	case "TO", "V": // the Venture exchange keeps the days and hours of Toronto
		return "XTSE", true
	case "T":
		return "XTKS", true
	case "HK":
		return "XHKG", true
	case "AX":
		return "XASX", true
	default:
		return "", false
	}
}

// isShareClass tells a class ("BRK.B") from the one-letter suffixes of exchanges
// without a calendar: Frankfurt's floor (F), Sapporo (S), Nagoya (N), Fukuoka (F).
func isShareClass(suffix string) bool {
	return len(suffix) == 1 && suffix[0] >= 'A' && suffix[0] <= 'Z' && !strings.Contains("FNS", suffix)
}

func micOfIndex(index string) (mic string, ok bool) {
	switch index {
	case "GSPC", "DJI", "DJT", "DJU", "IXIC", "NDX", "RUT", "RUI", "RUA", "NYA", "XAX", "MID", "SP600", "OEX", "SPXTR",
		"SP500TR", "VIX", "SOX", "W5000":
		return "XNYS", true
	case "FTSE", "FTMC", "FTAS":
		return "XLON", true
	case "GDAXI", "MDAXI", "SDAXI", "TECDAX":
		return "XETR", true
	case "FCHI", "SBF120":
		return "XPAR", true
	case "AEX":
		return "XAMS", true
	case "BFX":
		return "XBRU", true
	case "GSPTSE":
		return "XTSE", true
	case "N225":
		return "XTKS", true
	case "HSI", "HSCE":
		return "XHKG", true
	case "AXJO", "AORD":
		return "XASX", true
	default:
		return "", false
	}
}
