package reference

// localExchanges are the exchanges without a calendar here that symbols have a suffix for.
//
// Zones are those of the tz database. Closes are from the hours that the exchanges
// publish; those of Bangkok, Iceland, Istanbul, Mexico, New Zealand, Riyadh, Santiago,
// Singapore, Tel Aviv and Warsaw were compared with the projects exchange_calendars and
// trading_calendars, as were the weeks of Riyadh and Tel Aviv. Sao Paulo, Mexico and
// Santiago follow the summer time of New York, Tel Aviv ends early on Sunday and
// Friday: the latest close stands here. The floors of Germany trade some papers to
// 20:00 and others to 22:00.
func localExchanges() []localExchange {
	return []localExchange{
		{"IL", "XLON", "Europe/London", atTime(16, 30), monToFri, shortGap},
		{"F", "XFRA", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"BE", "XBER", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"DU", "XDUS", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"HM", "XHAM", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"HA", "XHAN", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"MU", "XMUN", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"SG", "XSTU", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"IR", "XMSM", "Europe/Dublin", atTime(16, 30), monToFri, shortGap},
		{"MI", "XMIL", "Europe/Rome", atTime(17, 30), monToFri, shortGap},
		{"OL", "XOSL", "Europe/Oslo", atTime(16, 20), monToFri, shortGap},
		{"MC", "XMAD", "Europe/Madrid", atTime(17, 30), monToFri, shortGap},
		{"SW", "XSWX", "Europe/Zurich", atTime(17, 20), monToFri, shortGap},
		{"VI", "XWBO", "Europe/Vienna", atTime(17, 30), monToFri, shortGap},
		{"ST", "XSTO", "Europe/Stockholm", atTime(17, 25), monToFri, shortGap},
		{"CO", "XCSE", "Europe/Copenhagen", atTime(16, 55), monToFri, shortGap},
		{"HE", "XHEL", "Europe/Helsinki", atTime(18, 25), monToFri, shortGap},
		{"IC", "XICE", "Atlantic/Reykjavik", atTime(15, 30), monToFri, shortGap},
		{"WA", "XWAR", "Europe/Warsaw", atTime(17, 5), monToFri, shortGap},
		{"PR", "XPRA", "Europe/Prague", atTime(16, 25), monToFri, shortGap},
		{"BD", "XBUD", "Europe/Budapest", atTime(17, 5), monToFri, shortGap},
		{"AT", "ASEX", "Europe/Athens", atTime(17, 20), monToFri, shortGap},
		{"IS", "XIST", "Europe/Istanbul", atTime(18, 0), monToFri, longGap},
		{"TA", "XTAE", "Asia/Jerusalem", atTime(17, 15), sunToFri, longGap},
		{"CN", "XCNQ", "America/Toronto", atTime(16, 0), monToFri, shortGap},
		{"NE", "NEOE", "America/Toronto", atTime(16, 0), monToFri, shortGap},
		{"MX", "XMEX", "America/Mexico_City", atTime(15, 0), monToFri, shortGap},
		{"SA", "BVMF", "America/Sao_Paulo", atTime(18, 0), monToFri, shortGap},
		{"BA", "XBUE", "America/Argentina/Buenos_Aires", atTime(17, 0), monToFri, shortGap},
		{"SN", "XSGO", "America/Santiago", atTime(17, 0), monToFri, shortGap},
		{"SS", "XSHG", "Asia/Shanghai", atTime(15, 0), monToFri, longGap},
		{"SZ", "XSHE", "Asia/Shanghai", atTime(15, 0), monToFri, longGap},
		{"TW", "XTAI", "Asia/Taipei", atTime(13, 30), monToFri, longGap},
		{"TWO", "ROCO", "Asia/Taipei", atTime(13, 30), monToFri, longGap},
		{"KS", "XKRX", "Asia/Seoul", atTime(15, 30), monToFri, longGap},
		{"KQ", "XKOS", "Asia/Seoul", atTime(15, 30), monToFri, longGap},
		{"SI", "XSES", "Asia/Singapore", atTime(17, 0), monToFri, shortGap},
		{"KL", "XKLS", "Asia/Kuala_Lumpur", atTime(17, 0), monToFri, longGap},
		{"BK", "XBKK", "Asia/Bangkok", atTime(16, 30), monToFri, longGap},
		{"JK", "XIDX", "Asia/Jakarta", atTime(16, 0), monToFri, longGap},
		{"NS", "XNSE", "Asia/Kolkata", atTime(15, 30), monToFri, shortGap},
		{"BO", "XBOM", "Asia/Kolkata", atTime(15, 30), monToFri, shortGap},
		{"NZ", "XNZE", "Pacific/Auckland", atTime(16, 45), monToFri, shortGap},
		{"JO", "XJSE", "Africa/Johannesburg", atTime(17, 0), monToFri, shortGap},
		{"SR", "XSAU", "Asia/Riyadh", atTime(15, 0), sunToThu, longGap},
		{"QA", "DSMD", "Asia/Qatar", atTime(13, 15), sunToThu, longGap},
	}
}

// indexSuffix is the suffix of the shares of the exchange that an index is of.
func indexSuffix(sym string) string {
	switch sym {
	case "^IBEX":
		return "MC"
	case "^SSMI":
		return "SW"
	case "^ATX":
		return "VI"
	case "^OMX":
		return "ST"
	case "^OMXC25":
		return "CO"
	case "^OMXH25":
		return "HE"
	case "^MXX":
		return "MX"
	case "^BVSP":
		return "SA"
	case "^MERV":
		return "BA"
	case "^IPSA":
		return "SN"
	case "^TWII":
		return "TW"
	case "^KS11":
		return "KS"
	case "^KQ11":
		return "KQ"
	case "^STI":
		return "SI"
	case "^KLSE":
		return "KL"
	case "^JKSE":
		return "JK"
	case "^NSEI":
		return "NS"
	case "^BSESN":
		return "BO"
	case "^NZ50":
		return "NZ"
	default:
		return ""
	}
}
