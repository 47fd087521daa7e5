package calendar

// localTable are the exchanges without a calendar here that symbols have a suffix for.
//
// Zones are those of the tz database. Closes are from the hours that the exchanges
// publish; those of Bangkok, Iceland, Istanbul, Mexico, New Zealand, Riyadh, Santiago,
// Singapore, Tel Aviv and Warsaw were compared with the projects exchange_calendars and
// trading_calendars, as were the weeks of Riyadh and Tel Aviv. Sao Paulo, Mexico and
// Santiago follow the summer time of New York, Tel Aviv ends early on Sunday and
// Friday: the latest close stands here. The floors of Germany trade some papers to
// 20:00 and others to 22:00.
func localTable() []local {
	return []local{
		{"IL", "XLON", "Europe/London", at(16, 30), monToFri, days},
		{"F", "XFRA", "Europe/Berlin", at(22, 0), monToFri, days},
		{"BE", "XBER", "Europe/Berlin", at(22, 0), monToFri, days},
		{"DU", "XDUS", "Europe/Berlin", at(22, 0), monToFri, days},
		{"HM", "XHAM", "Europe/Berlin", at(22, 0), monToFri, days},
		{"HA", "XHAN", "Europe/Berlin", at(22, 0), monToFri, days},
		{"MU", "XMUN", "Europe/Berlin", at(22, 0), monToFri, days},
		{"SG", "XSTU", "Europe/Berlin", at(22, 0), monToFri, days},
		{"IR", "XMSM", "Europe/Dublin", at(16, 30), monToFri, days},
		{"MI", "XMIL", "Europe/Rome", at(17, 30), monToFri, days},
		{"OL", "XOSL", "Europe/Oslo", at(16, 20), monToFri, days},
		{"MC", "XMAD", "Europe/Madrid", at(17, 30), monToFri, days},
		{"SW", "XSWX", "Europe/Zurich", at(17, 20), monToFri, days},
		{"VI", "XWBO", "Europe/Vienna", at(17, 30), monToFri, days},
		{"ST", "XSTO", "Europe/Stockholm", at(17, 25), monToFri, days},
		{"CO", "XCSE", "Europe/Copenhagen", at(16, 55), monToFri, days},
		{"HE", "XHEL", "Europe/Helsinki", at(18, 25), monToFri, days},
		{"IC", "XICE", "Atlantic/Reykjavik", at(15, 30), monToFri, days},
		{"WA", "XWAR", "Europe/Warsaw", at(17, 5), monToFri, days},
		{"PR", "XPRA", "Europe/Prague", at(16, 25), monToFri, days},
		{"BD", "XBUD", "Europe/Budapest", at(17, 5), monToFri, days},
		{"AT", "ASEX", "Europe/Athens", at(17, 20), monToFri, days},
		{"IS", "XIST", "Europe/Istanbul", at(18, 0), monToFri, weeks},
		{"TA", "XTAE", "Asia/Jerusalem", at(17, 15), sunToFri, weeks},
		{"CN", "XCNQ", "America/Toronto", at(16, 0), monToFri, days},
		{"NE", "NEOE", "America/Toronto", at(16, 0), monToFri, days},
		{"MX", "XMEX", "America/Mexico_City", at(15, 0), monToFri, days},
		{"SA", "BVMF", "America/Sao_Paulo", at(18, 0), monToFri, days},
		{"BA", "XBUE", "America/Argentina/Buenos_Aires", at(17, 0), monToFri, days},
		{"SN", "XSGO", "America/Santiago", at(17, 0), monToFri, days},
		{"SS", "XSHG", "Asia/Shanghai", at(15, 0), monToFri, weeks},
		{"SZ", "XSHE", "Asia/Shanghai", at(15, 0), monToFri, weeks},
		{"TW", "XTAI", "Asia/Taipei", at(13, 30), monToFri, weeks},
		{"TWO", "ROCO", "Asia/Taipei", at(13, 30), monToFri, weeks},
		{"KS", "XKRX", "Asia/Seoul", at(15, 30), monToFri, weeks},
		{"KQ", "XKOS", "Asia/Seoul", at(15, 30), monToFri, weeks},
		{"SI", "XSES", "Asia/Singapore", at(17, 0), monToFri, days},
		{"KL", "XKLS", "Asia/Kuala_Lumpur", at(17, 0), monToFri, weeks},
		{"BK", "XBKK", "Asia/Bangkok", at(16, 30), monToFri, weeks},
		{"JK", "XIDX", "Asia/Jakarta", at(16, 0), monToFri, weeks},
		{"NS", "XNSE", "Asia/Kolkata", at(15, 30), monToFri, days},
		{"BO", "XBOM", "Asia/Kolkata", at(15, 30), monToFri, days},
		{"NZ", "XNZE", "Pacific/Auckland", at(16, 45), monToFri, days},
		{"JO", "XJSE", "Africa/Johannesburg", at(17, 0), monToFri, days},
		{"SR", "XSAU", "Asia/Riyadh", at(15, 0), sunToThu, weeks},
		{"QA", "DSMD", "Asia/Qatar", at(13, 15), sunToThu, weeks},
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
