package yahoo

import (
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// exchangeMIC is the market identifier code of an exchange in Yahoo's codes; empty for one
// that is not in the table.
func exchangeMIC(code string) string {
	switch code {
	case "NMS", "NGM", "NCM", "NAS":
		return "XNAS"
	case "NYQ", "NYS":
		return "XNYS"
	case "PCX":
		return "ARCX"
	case "ASE":
		return "XASE"
	case "BTS":
		return "BATS"
	case "PNK", "OQB", "OQX", "OEM", "OID":
		return "OTCM"
	}
	return foreignMIC(code)
}

func foreignMIC(code string) string {
	return map[string]string{
		"LSE": "XLON", "IOB": "XLON", "GER": "XETR", "FRA": "XFRA", "PAR": "XPAR", "AMS": "XAMS", "BRU": "XBRU", "LIS": "XLIS",
		"ISE": "XMSM", "MIL": "XMIL", "MCE": "XMAD", "EBS": "XSWX", "VIE": "XWBO", "STO": "XSTO", "CPH": "XCSE", "HEL": "XHEL",
		"OSL": "XOSL", "WSE": "XWAR", "PRA": "XPRA", "BUD": "XBUD", "ATH": "ASEX", "IST": "XIST", "TLV": "XTAE", "JNB": "XJSE",
		"TOR": "XTSE", "VAN": "XTSX", "SAO": "BVMF", "MEX": "XMEX", "BUE": "XBUE", "SGO": "XSGO",
		"JPX": "XTKS", "HKG": "XHKG", "ASX": "XASX", "NZE": "XNZE", "SES": "XSES", "JKT": "XIDX", "KLS": "XKLS", "SET": "XBKK",
		"KSC": "XKRX", "KOE": "XKOS", "TAI": "XTAI", "SHH": "XSHG", "SHZ": "XSHE", "NSI": "XNSE", "BSE": "XBOM",
		"SAU": "XSAU", "KUW": "XKUW", "DOH": "DSMD",
	}[code]
}

// quoteDelay is how far Yahoo's prices of an exchange lie behind by rule. Those of the
// United States, of currencies and of coins come as they are made. For others the
// minutes are given where an answer of Yahoo is known to state them.
func quoteDelay(code string) (minutes int, delayed bool) {
	switch exchangeMIC(code) {
	case "XNAS", "XNYS", "ARCX", "XASE", "BATS":
		return 0, false
	case "XLON":
		return 15, true
	}
	switch code {
	case "CCC", "CCY", "SNP", "DJI", "NIM", "WCB", "":
		return 0, false
	}
	return 0, true
}

// InstrumentKind is what an instrument is, in nfa's words; empty for what nfa has no word for.
func InstrumentKind(quoteType string) string {
	switch quoteType {
	case "EQUITY":
		return "equity"
	case "ETF", "MUTUALFUND":
		return "fund"
	case "INDEX":
		return "index"
	case "CURRENCY":
		return "currency"
	case "CRYPTOCURRENCY":
		return "crypto"
	case "FUTURE":
		return "future"
	case "OPTION":
		return "option"
	}
	return ""
}

// ListingOf is where a symbol trades, by Yahoo's code and name of the exchange. The
// market identifier code is empty for an exchange that is not in the table.
func ListingOf(code, name string) market.Listing {
	return market.Listing{MIC: exchangeMIC(code), Exchange: client.SingleLine(name, 60)}
}
