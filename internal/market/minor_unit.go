package market

// MinorUnit returns the currency of a minor unit that some exchanges quote in, hundredths or
// thousandths of it, and by how many places the decimal point moves. major is empty for every
// other text.
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
	case "USX": // of grain, cattle and cotton, by the bushel or the pound
		return "USD", 2
	}
	return "", 0
}
