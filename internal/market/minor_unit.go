package market

// MinorUnit returns the major currency of a minor unit that some exchanges quote in, such as pence, and by
// how many places the decimal point moves. For any other text, major is empty.
func MinorUnit(code string) (major string, places int32) {
	switch code {
	case "GBp", "GBX":
		return "GBP", 2
	case "ZAc", "ZAC":
		return "ZAR", 2
	case "ILA":
		return "ILS", 2
	case "KWF":
		return "KWD", 3
	case "USX": // US cents, used for grain, cattle and cotton per bushel or pound
		return "USD", 2
	}
	return "", 0
}
