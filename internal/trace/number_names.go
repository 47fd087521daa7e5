package trace

// joinedName is the end of a name that the digits at i are part of, by the
// letters joined to them: Q4, H100, GPT-4, S&P500, 0700.HK, BRK.B. It is i where
// they are in none.
func (p *scanner) joinedName(i int) int {
	before := p.Rune(i - 1)
	switch {
	case IsLatin(before):
		if start := p.LettersBefore(i); !p.isPrefix(start, i) {
			return p.wordEnd(i)
		}
	case before == '+' && p.Latin(i-2) || p.argument(i):
		return p.Digits(i) // T+1, MACD(12,26,9)
	case before == '^' || before == '_' || before == '&':
		return p.wordEnd(i)
	case before == '-' && p.Latin(i-2):
		return p.hyphenName(i)
	case before == '.' && p.Latin(i-2):
		return p.wordEnd(i) // v.2, No.5
	}
	end := p.Digits(i)
	if p.Rune(end) == '.' && p.Latin(end+1) && IsUpper(p.Rune(end+1)) && p.Letters(end+1)-end <= 3 && !p.Latin(p.Letters(end+1)) {
		return p.Letters(end + 1) // 0700.HK
	}
	if end-i > 1 && p.Rune(i) == '0' && p.Rune(end) != '%' && !((p.Rune(end) == '.' || p.Rune(end) == ',') && p.Digit(end+1)) {
		return end // 0000320193
	}
	if p.Rune(end) == '_' || p.Rune(end) == '@' {
		return p.wordEnd(end + 1)
	}
	return i
}

// argument reports whether digits are in brackets right after a word, with
// nothing but others: MACD(12,26,9).
func (p *scanner) argument(i int) bool {
	from, to := i, i
	for isArgument(p.Rune(from-1)) && i-from < 16 {
		from--
	}
	for isArgument(p.Rune(to)) && to-i < 16 {
		to++
	}
	return p.Rune(from-1) == '(' && p.Latin(from-2) && p.Rune(to) == ')'
}

func isArgument(r rune) bool { return IsDigit(r) || r == ',' || r == '.' || r == ' ' }

// isPrefix reports whether letters before a number are a currency or a sign of
// size: USD100, x3.
func (p *scanner) isPrefix(start, i int) bool {
	word := p.Text(start, i)
	return CurrencyOf(word) != "" && len(word) > 1 && word != "won" && !p.Digit(start-1)
}

// hyphenName is the end of GPT-4; in mid-2024 and sub-5% the digits are what they
// are by themselves.
func (p *scanner) hyphenName(i int) int {
	switch p.Lower(p.LettersBefore(i-1), i-1) {
	case "mid", "pre", "post", "early", "late", "sub", "plus", "minus", "non", "to", "until", "near", "approx", "year", "since":
		return i
	}
	return p.wordEnd(i)
}

// namedNumber tells numbers that a word before them makes a name or a place: S&P 500,
// Section 7, #3, IFRS 9.
func (p *scanner) namedNumber(i int) (end int, class Class) {
	end = p.Digits(i)
	width := end - i
	switch before := p.Rune(i - 1); {
	case before == '#' || before == '№' || before == '§':
		return p.wordEnd(i), ClassPlace
	case before == '[' && p.Rune(end) == ']' && width <= 3:
		return end, ClassPlace
	case before == '第':
		return end, ClassOrdinal
	case IsHan(before) && width <= 4 && p.hanName(i):
		return end, ClassName
	}
	at := p.SpaceBefore(i)
	if p.Rune(at-1) == '§' {
		return p.wordEnd(i), ClassPlace
	}
	if at == i || p.Rune(at) == '(' {
		return i, ""
	}
	if p.Rune(at-1) == '.' || p.Rune(at-1) == '®' {
		at--
	}
	start := p.LettersBefore(at)
	word := p.Text(start, at)
	switch {
	case width <= 4 && isPlace(word) && p.bare(p.wordEnd(i)):
		return p.wordEnd(i), ClassPlace
	case isStandard(word) && p.bare(p.wordEnd(i)):
		return p.wordEnd(i), ClassName
	case word == "of" && p.HasBefore(start, "Rule ") || p.Has(end, " series"):
		return end, ClassName
	case width <= 3 && (word == "top" || word == "Top") && p.bare(end):
		return end, ClassName // the top 10 holdings
	case width == 3 && p.Has(end, " plan") && p.Rune(at-1) == 'a':
		return end, ClassName // a 529 plan
	case width <= 5 && (word == "P" && p.Rune(start-1) == '&' || p.indexName(word, i, end)) && p.bare(end):
		return end, ClassName
	}
	return i, ""
}

// bare reports whether no decimals, sign or unit of value follow.
func (p *scanner) bare(end int) bool {
	r := p.Rune(end)
	return r != '%' && !((r == '.' || r == ',') && p.Digit(end+1)) && !p.Has(end, " %")
}

// isPlace reports whether a word before a number makes it the number of a place.
func isPlace(word string) bool {
	switch word {
	case "Section", "section", "Step", "step", "Item", "item", "Table", "table", "Figure", "figure", "Chart", "chart", "Chapter", "chapter", "Note", "note", "Page", "p",
		"page", "pp", "Part", "part", "Appendix", "Option", "option", "Scenario", "scenario", "Phase", "phase", "Tier", "tier", "Level", "level", "Point",
		"Rule", "Article", "No", "Nr", "Footnote", "footnote", "Exhibit", "Question", "question", "Line", "line", "Box", "Schedule", "Form", "Row", "row",
		"Pillar", "Type", "type", "Day", "Week", "Month", "Class", "Series", "Stage", "stage", "Version", "version":
		return true
	}
	return false
}

// isStandard reports whether a word before a number names a standard or a thing
// with it.
func isStandard(word string) bool {
	switch word {
	case "IFRS", "IAS", "ASC", "ISO", "Basel", "SFAS", "FAS", "MiFID", "UCITS", "CFA", "RTX", "GPT", "Claude", "iPhone", "Windows", "Boeing", "Fortune", "Rev",
		"Regulation", "Reg", "CIK", "CUSIP", "ISIN", "SOX", "Python", "Go", "Opus", "Sonnet", "Gemini", "Llama", "Qwen", "Euro", "Section":
		return true
	}
	return false
}

// indexName reports whether the digits after a word are the size that an index
// carries in its name.
func (p *scanner) indexName(word string, i, end int) bool {
	switch word {
	case "Russell", "FTSE", "DAX", "STOXX", "Stoxx", "Nasdaq", "NASDAQ", "Nikkei", "CAC", "CSI", "ASX", "IBEX", "SMI", "Nifty", "NIFTY", "TOPIX", "Topix",
		"Dow", "Kospi", "KOSPI", "MDAX", "AEX", "BSE", "SSE", "MSCI", "TSX", "Europe", "Straits", "SP", "OMX", "PSI", "Wilshire", "Sensex", "Dividend":
	default:
		return false
	}
	n := p.Int(i, end)
	switch n {
	case 10, 15, 20, 25, 30, 35, 40, 50, 60, 90, 100, 120, 150, 180, 200, 225, 250, 300, 350, 400, 500, 600, 700, 800, 1000, 1500, 2000, 2500, 3000, 5000:
		return true
	}
	return false
}

// hanName reports whether a Chinese word before the digits makes them part of a
// name: 沪深300.
func (p *scanner) hanName(i int) bool {
	for _, w := range [...]string{"沪深", "中证", "上证", "标普", "标准普尔", "纳斯达克", "日经", "科创", "深证", "创业板", "国证", "罗素", "富时", "道琼斯", "恒生", "斯托克"} {
		if p.HasBefore(i, w) {
			return true
		}
	}
	return false
}
