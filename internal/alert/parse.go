package alert

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// form is one way to write a rule. Each element is a slot in capitals, or alternative words separated by "|".
// An element that ends in "?" is optional.
type form struct {
	words   string
	example string
	kind    Kind
}

// forms are tried in order. A SYMBOL slot does not accept a word that begins another form.
var forms = []form{
	{"portfolio drift above PERCENT", "portfolio drift above 5%", Drift},
	{"portfolio drawdown above PERCENT since? DATE?", "portfolio drawdown above 10%", Drawdown},
	{"portfolio up|down PERCENT in PERIOD", "portfolio down 5% in 5d", Move},
	{"portfolio in? PERIOD up|down PERCENT", "portfolio down 5% in 5d", Move},
	{"weight of? SYMBOL above|below PERCENT", "weight of AAPL above 10%", Weight},
	{"SYMBOL weight above|below PERCENT", "weight of AAPL above 10%", Weight},
	{"cash above|below PERCENT", "cash above 20%", Cash},
	{"profile limit broken", "profile limit broken", Limits},
	{"of? ex-dividend of? SYMBOL? within|in DAYS", "ex-dividend of AAPL within 5d", ExDividend},
	{"SYMBOL in? DAYS ex-dividend", "ex-dividend of AAPL within 5d", ExDividend},
	{"earnings of? SYMBOL within|in DAYS", "earnings of AAPL within 7d", Earnings},
	{"SYMBOL earnings within|in DAYS", "earnings of AAPL within 7d", Earnings},
	{"SYMBOL in? DAYS earnings", "earnings of AAPL within 7d", Earnings},
	{"lot turns long-term within|in DAYS", "lot turns long-term within 30d", LongTerm},
	{"loss above PERCENT harvest", "loss above 10% to harvest", Harvest},
	{"decision review due", "decision review due", Review},
	{spreadName + " above|below NUMBER", "2s10s below 0", Spread},
	{"series SERIES above|below NUMBER", "series UNRATE above 5", Series},
	{"series SERIES released", "series UNRATE released", Release},
	{"SERIES released", "series UNRATE released", Release},
	{"FORM item ITEM filed by SYMBOL", "8-K item 5.02 filed by AAPL", Filing},
	{"FORM filed by SYMBOL", "10-K filed by AAPL", Filing},
	{"SYMBOL files? FORM filed?", "10-K filed by AAPL", Filing},
	{"SYMBOL up|down PERCENT in PERIOD", "AAPL down 5% in 5d", Move},
	{"SYMBOL in? PERIOD up|down PERCENT", "AAPL down 5% in 5d", Move},
	{"SYMBOL drawdown above PERCENT since? DATE?", "AAPL drawdown above 20%", Drawdown},
	{"SYMBOL above|below its? DAYS average", "AAPL below its 200d average", Average},
	{"SYMBOL RATIO above|below LEVEL", "AAPL gross margin below 40%", Ratio},
	{"RATIO of SYMBOL above|below LEVEL", "AAPL gross margin below 40%", Ratio},
	{"note at? TIME on? weekdays?", "morning note at 07:30", Note},
	{"weekdays? at? TIME note", "morning note at 07:30", Note},
	{"SYMBOL above|below NUMBER CURRENCY?", "AAPL below 150", Price},
}

// Examples returns an example of each kind of rule.
func Examples() []string {
	var out []string
	for _, f := range forms {
		if !slices.Contains(out, f.example) {
			out = append(out, f.example)
		}
	}
	return out
}

// SyntaxError is a rule that no form matches.
type SyntaxError struct {
	Text     string
	Position int    // of the character that does not fit, from 1
	Found    string // the word there; "" at the end
	Example  string // of the nearest form
}

func (e *SyntaxError) Error() string {
	if e.Found == "" {
		return fmt.Sprintf("rule %q ends too early at position %d; write it like %q", clip(e.Text), e.Position, e.Example)
	}
	return fmt.Sprintf("rule %q: unexpected %q at position %d; write it like %q", clip(e.Text), clip(e.Found), e.Position, e.Example)
}

// maxRule is the maximum length of a rule in bytes.
const maxRule = 200

// Parse parses a rule in English or Chinese, also within a sentence such as "tell me when AAPL falls below
// 150". For other text the error is a *SyntaxError.
func Parse(text string) (Rule, error) {
	if len(text) > maxRule {
		return Rule{}, fmt.Errorf("the rule has %[2]d bytes; the limit is %[1]d", maxRule, len(text))
	}
	words := split(text)
	best := SyntaxError{Text: text, Position: 1, Example: "AAPL below 150"}
	furthest := -1
	for _, f := range forms {
		r, n, ok := f.match(words)
		if ok {
			return r, nil
		}
		if n >= furthest {
			furthest, best.Example = n, f.example
		}
	}
	best.Position = utf8.RuneCountInString(text) + 1
	if furthest < len(words) {
		best.Position, best.Found = utf8.RuneCountInString(text[:words[furthest].at])+1, words[furthest].text
	}
	return Rule{}, &best
}

// match returns the rule, or the number of words that match.
func (f form) match(words []word) (r Rule, n int, ok bool) {
	for element := range strings.FieldsSeq(f.words) {
		slot, optional := strings.CutSuffix(element, "?")
		if n < len(words) && fill(&r, slot, words[n]) {
			n++
		} else if !optional {
			return r, n, false
		}
	}
	if n < len(words) || r.Since == "" && n > 0 && words[n-1].key == "since" {
		return r, n, false
	}
	r.Kind = f.kind
	switch {
	case r.Kind == Spread:
		r.Subject = spreadName
	case r.Subject == "":
		r.Subject = Portfolio
	}
	if r.Kind == Move && !r.Above {
		r.Value = r.Value.Neg()
	}
	return r, n, true
}

var (
	symbolWord   = lazyregexp.New(`^[\^\p{L}\d][\p{L}\d.=^/-]{0,30}$`)
	seriesWord   = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_]{1,30}$`)
	formWord     = lazyregexp.New(`(?i)^(10-[KQ]|8-K|20-F|40-F|6-K|DEF14A|[345])(/A)?$`)
	itemWord     = lazyregexp.New(`^\d\.\d\d$`)
	numberWord   = lazyregexp.New(`^-?[$\x{20AC}\x{A3}\x{A5}]?\d{1,12}(,\d{3})*(\.\d{1,8})?$`)
	percentWord  = lazyregexp.New(`^\d{1,6}(\.\d{1,6})?%$`)
	periodWord   = lazyregexp.New(`^(\d{1,4})([dwm])$`)
	currencyWord = lazyregexp.New(`^[A-Za-z]{3}$`)
	levelWord    = lazyregexp.New(`^-?\d{1,12}(,\d{3})*(\.\d{1,6})?%?$`)
	timeWord     = lazyregexp.New(`^([01]?\d|2[0-3]):[0-5]\d$`)
)

// keywords begin a form or a condition, so they cannot be symbols.
var keywords = []string{
	"portfolio", "weight", "cash", "profile", "ex-dividend", "earnings", "lot", "loss", "decision", "note", "series", "above", "below", "up", "down", "drawdown", "within", "in", "of", "filed", spreadName,
}

// fill sets the field of a slot, or compares w with a word of the form.
func fill(r *Rule, slot string, w word) bool {
	switch slot {
	case "SYMBOL":
		if !symbolWord().MatchString(w.text) || slices.Contains(keywords, w.key) {
			return false
		}
		r.Subject = w.text
	case "SERIES":
		if !seriesWord().MatchString(w.text) || slices.Contains(keywords, w.key) {
			return false
		}
		r.Subject = strings.ToUpper(w.text)
	case "FORM":
		if !formWord().MatchString(w.text) {
			return false
		}
		r.Form = strings.ToUpper(w.text)
	case "ITEM":
		if !itemWord().MatchString(w.text) {
			return false
		}
		r.Item = w.text
	case "NUMBER":
		if !numberWord().MatchString(w.text) {
			return false
		}
		var err error
		r.Value, err = decimal.NewFromString(strings.NewReplacer(",", "", "$", "", "€", "", "£", "", "¥", "").Replace(w.text))
		return err == nil
	case "PERCENT":
		if !percentWord().MatchString(w.text) {
			return false
		}
		r.Value = decimal.RequireFromString(strings.TrimSuffix(w.text, "%"))
		return r.Value.IsPositive()
	case "PERIOD", "DAYS":
		m := periodWord().FindStringSubmatch(w.key)
		if m == nil || slot == "DAYS" && m[2] != "d" {
			return false
		}
		r.Count, _ = strconv.Atoi(m[1])
		r.Unit = m[2]
		return r.Count > 0 && r.first(time.Now()).Year() > 1990
	case "DATE":
		if _, err := time.Parse(time.DateOnly, w.text); err != nil {
			return false
		}
		r.Since = w.text
	case "RATIO":
		if !slices.Contains(ratios, w.key) {
			return false
		}
		r.Ratio = w.key
	case "LEVEL":
		if !levelWord().MatchString(w.text) {
			return false
		}
		number, isPercent := strings.CutSuffix(strings.ReplaceAll(w.text, ",", ""), "%")
		if isPercent {
			r.Unit = "%"
		}
		r.Value = decimal.RequireFromString(number)
	case "TIME":
		at, err := time.Parse("15:04", w.text)
		if err != nil || !timeWord().MatchString(w.text) {
			return false
		}
		r.Time = at.Format("15:04")
	case "CURRENCY":
		if !currencyWord().MatchString(w.text) {
			return false
		}
		r.Currency = strings.ToUpper(w.text)
	default:
		allowed := strings.Split(slot, "|")
		key := w.key
		if !slices.Contains(allowed, key) {
			key = w.other
		}
		if !slices.Contains(allowed, key) {
			return false
		}
		switch key {
		case "above", "up":
			r.Above = true
		case "weekdays":
			r.Weekdays = true
		}
	}
	return true
}

// first returns the first day of the window that ends at day.
func (r Rule) first(day time.Time) time.Time {
	switch r.Unit {
	case "w":
		return day.AddDate(0, 0, -7*r.Count)
	case "m":
		return day.AddDate(0, -r.Count, 0)
	}
	return day.AddDate(0, 0, -r.Count)
}

// word is a part of a rule.
type word struct {
	text  string
	key   string // in lower case; equal for words with the same meaning
	other string // a second meaning: "falls" means down or, before a price, below
	at    int    // byte position in the text
}

// meanings maps words that people write to words of the forms. Words without meaning for a rule map to "".
var meanings = map[string][2]string{
	"over": {"above"}, "exceeds": {"above"}, ">": {"above"}, ">=": {"above"}, "reaches": {"above"}, "under": {"below"}, "<": {"below"}, "<=": {"below"},
	"rises": {"up", "above"}, "rise": {"up", "above"}, "gains": {"up", "above"}, "climbs": {"up", "above"},
	"falls": {"down", "below"}, "fall": {"down", "below"}, "drops": {"down", "below"}, "drop": {"down", "below"}, "declines": {"down", "below"}, "dips": {"down", "below"}, "loses": {"down", "below"},
	"day": {"d"}, "days": {"d"}, "week": {"w"}, "weeks": {"w"}, "month": {"m"}, "months": {"m"}, "percent": {"%"}, "pct": {"%"}, "％": {"%"}, "lots": {"lot"}, "turn": {"turns"}, "limits": {"limit"},
	"weekday": {"weekdays"}, "digest": {"note"}, "morning": {}, "send": {}, "every": {}, "each": {}, "daily": {}, "晨报": {"note"}, "早报": {"note"}, "每天": {}, "工作日": {"weekdays"}, "发": {}, "给": {},
	"exdividend": {"ex-dividend"}, "sma": {"average"}, "longterm": {"long-term"},
	"tell": {}, "alert": {}, "notify": {}, "warn": {}, "let": {}, "remind": {}, "me": {}, "know": {}, "when": {}, "if": {}, "once": {}, "whenever": {}, "please": {}, "the": {}, "price": {}, "a": {}, "an": {}, "my": {}, "stock": {}, "share": {}, "is": {}, "are": {}, "date": {}, "there": {},
	"goes": {}, "gets": {}, "crosses": {}, "closes": {}, "trades": {}, "moving": {}, "simple": {}, "to": {}, "than": {}, "more": {"above"}, "less": {"below"}, "last": {},
	"跌破": {"below"}, "低于": {"below"}, "跌到": {"below"}, "跌至": {"below"}, "小于": {"below"}, "以下": {"below"},
	"突破": {"above"}, "涨破": {"above"}, "高于": {"above"}, "涨到": {"above"}, "涨至": {"above"}, "升到": {"above"}, "超过": {"above"}, "大于": {"above"}, "以上": {"above"}, "达到": {"above"},
	"下跌": {"down", "below"}, "跌": {"down", "below"}, "上涨": {"up", "above"}, "涨": {"up", "above"},
	"投资组合": {"portfolio"}, "组合": {"portfolio"}, "持仓": {"portfolio"}, "回撤": {"drawdown"}, "现金": {"cash"}, "权重": {"weight"}, "占比": {"weight"}, "偏离": {"drift"},
	"天": {"d"}, "日": {"d"}, "周": {"w"}, "个月": {"m"}, "月": {"m"}, "均线": {"average"}, "除息": {"ex-dividend"}, "提交": {"files"}, "发布": {"files", "released"}, "公布": {"files", "released"}, "财报": {"earnings"},
	"美元": {"usd"}, "欧元": {"eur"}, "日元": {"jpy"}, "港元": {"hkd"}, "港币": {"hkd"}, "英镑": {"gbp"}, "人民币": {"cny"}, "元": {},
	"提醒": {}, "通知": {}, "告诉": {}, "我": {}, "当": {}, "如果": {}, "时候": {}, "时": {}, "就": {}, "请": {}, "股价": {}, "价格": {}, "股票": {}, "的": {}, "了": {}, "内": {}, "以内": {}, "之内": {},
}

// ratios are the IDs in the tool key_ratios of the ratios that a rule can use.
var ratios = []string{
	"gross_margin", "operating_margin", "net_margin", "ebitda_margin", "free_cash_flow_margin", "effective_tax_rate", "return_on_equity", "return_on_assets", "return_on_invested_capital",
	"debt_to_equity", "debt_to_assets", "net_debt_to_ebitda", "interest_cover", "current_ratio", "quick_ratio", "cash_ratio", "equity_to_assets", "loans_to_deposits", "loss_ratio",
	"asset_turnover", "receivable_days", "inventory_days", "payable_days", "cash_cycle_days", "cash_conversion", "research_to_revenue",
	"revenue_growth_1y", "revenue_growth_3y", "revenue_growth_5y", "operating_income_growth_1y", "net_income_growth_1y", "diluted_eps_growth_1y", "diluted_eps_growth_3y", "free_cash_flow_growth_1y",
	"price_to_earnings", "price_to_book", "price_to_sales", "price_to_free_cash_flow", "ev_to_ebitda", "ev_to_sales", "dividend_yield", "payout_ratio", "free_cash_flow_yield",
}

// ratioNames are other names of ratios.
var ratioNames = map[string]string{
	"gross profit margin": "gross_margin", "profit margin": "net_margin", "roe": "return_on_equity", "roa": "return_on_assets", "roic": "return_on_invested_capital", "debt-to-equity": "debt_to_equity",
	"revenue growth": "revenue_growth_1y", "sales growth": "revenue_growth_1y", "net income growth": "net_income_growth_1y", "eps growth": "diluted_eps_growth_1y", "earnings growth": "diluted_eps_growth_1y",
	"p/e ratio": "price_to_earnings", "p/e": "price_to_earnings", "pe ratio": "price_to_earnings", "p/b": "price_to_book", "p/s": "price_to_sales", "ev/ebitda": "ev_to_ebitda",
	"毛利率": "gross_margin", "营业利润率": "operating_margin", "净利率": "net_margin", "净资产收益率": "return_on_equity", "负债权益比": "debt_to_equity", "流动比率": "current_ratio",
	"营收增长": "revenue_growth_1y", "收入增长": "revenue_growth_1y", "市盈率": "price_to_earnings", "市净率": "price_to_book", "市销率": "price_to_sales", "股息率": "dividend_yield", "派息率": "payout_ratio",
}

// ratioPrefixes returns all names of ratios in lower case with their IDs, the longest name first.
var ratioPrefixes = sync.OnceValue(func() []ratioName {
	var all []ratioName
	for _, id := range ratios {
		all = append(all, ratioName{id, id}, ratioName{strings.ReplaceAll(id, "_", " "), id})
	}
	for name, id := range ratioNames {
		all = append(all, ratioName{name, id})
	}
	slices.SortFunc(all, func(a, b ratioName) int { return cmp.Or(len(b.name)-len(a.name), strings.Compare(a.name, b.name)) })
	return all
})

type ratioName struct{ name, id string }

// ratioAt returns the ratio that text begins with, and the length of its name in bytes.
func ratioAt(text string) (id string, n int) {
	for _, r := range ratioPrefixes() {
		if len(text) < len(r.name) || !strings.EqualFold(text[:len(r.name)], r.name) {
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[len(r.name):])
		if r.name[0] >= utf8.RuneSelf || !unicode.IsLetter(next) && !unicode.IsDigit(next) || next >= 0x2E80 {
			return r.id, len(r.name)
		}
	}
	return "", 0
}

// longestPhrase is the maximum length, in characters, of a Chinese phrase in meanings.
const longestPhrase = 4

var (
	asciiWord   = lazyregexp.New(`^[^\s\x{2E80}-\x{FFEF}]+`)
	numberUnit  = lazyregexp.New(`^(\d[\d.,]*)-?(%|days?|weeks?|months?|[A-Za-z]{3})$`)
	plainNumber = lazyregexp.New(`^[$\x{20AC}\x{A3}\x{A5}]?\d[\d.,]*$`)
)

// split returns the meaningful words of a rule. Chinese needs no spaces.
func split(text string) []word {
	var words []word
	add := func(part string, at int) {
		w := word{text: part, key: strings.ToLower(part), at: at}
		meaning, known := meanings[w.key]
		if w.key == "sma" && len(words) == 0 {
			known = false // a symbol
		}
		if known {
			if w.key, w.other = meaning[0], meaning[1]; w.key == "" {
				return
			}
			if len(w.key) == 3 && currencyWord().MatchString(w.key) && part[0] >= utf8.RuneSelf {
				w.text = strings.ToUpper(w.key)
			}
		}
		if last := len(words) - 1; last >= 0 {
			previous := words[last]
			switch unit := w.key == "%" || w.key == "d" || w.key == "w" || w.key == "m"; {
			case unit && plainNumber().MatchString(previous.text):
				previous.text += w.key
				previous.key = strings.ToLower(previous.text)
				words[last] = previous
				return
			case unit && known && previous.key == "in": // "in a week"
				w.text, w.key = "1"+w.key, "1"+w.key
			case previous.other != "" && previous.other == w.key: // "falls below"
				words[last] = w
				return
			}
		}
		words = append(words, w)
	}
	unknown := -1 // start of Chinese characters that are not a known phrase, such as a name, or -1
	flush := func(end int) {
		if unknown >= 0 {
			add(text[unknown:end], unknown)
		}
		unknown = -1
	}
	for i := 0; i < len(text); {
		// ROE at the start is a symbol.
		if id, n := ratioAt(text[i:]); n > 4 || n > 0 && (len(words) > 0 || strings.HasPrefix(text[i+n:], " of")) {
			flush(i)
			words = append(words, word{text: text[i : i+n], key: id, at: i})
			i += n
			continue
		}
		if ascii := asciiWord().FindString(text[i:]); ascii != "" {
			flush(i)
			part := strings.TrimRight(ascii, ".,;:!?\"'")
			part = strings.TrimLeft(part, "\"'(")
			if m := numberUnit().FindStringSubmatch(part); m != nil {
				add(m[1], i)
				add(m[2], i+strings.LastIndex(part, m[2]))
			} else if part != "" {
				add(part, i)
			}
			i += len(ascii)
			continue
		}
		n := phrase(text[i:])
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case n > 0:
			flush(i)
			add(text[i:i+n], i)
			i += n
			continue
		case strings.ContainsRune(" \t\n\r　，。！？：、", r):
			flush(i)
		case unknown < 0:
			unknown = i
		}
		i += size
	}
	flush(len(text))
	return words
}

// phrase returns the length in bytes of the longest phrase of meanings that text begins with, or 0.
func phrase(text string) int {
	longest := 0
	end := 0
	for range longestPhrase {
		r, size := utf8.DecodeRuneInString(text[end:])
		if size == 0 || r < 0x2E80 {
			break
		}
		end += size
		if _, ok := meanings[text[:end]]; ok {
			longest = end
		}
	}
	return longest
}

// clip shortens outside text for a message.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxOutside {
		return string(runes[:maxOutside-1]) + "…"
	}
	return text
}

// maxOutside is the maximum length, in characters, of outside text.
const maxOutside = 200
