package alert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// form is one way to write a rule. Each word is a slot in capitals, or words that mean the same separated
// by "|"; a word that ends in "?" is optional.
type form struct {
	words   string
	example string
	kind    Kind
}

// forms are tried in order; a slot SYMBOL does not accept a word that begins another form.
var forms = []form{
	{"portfolio drift above PERCENT", "portfolio drift above 5%", Drift},
	{"portfolio drawdown above PERCENT since? DATE?", "portfolio drawdown above 10%", Drawdown},
	{"portfolio up|down PERCENT in PERIOD", "portfolio down 5% in 5d", Move},
	{"portfolio in? PERIOD up|down PERCENT", "portfolio down 5% in 5d", Move},
	{"weight of? SYMBOL above|below PERCENT", "weight of AAPL above 10%", Weight},
	{"SYMBOL weight above|below PERCENT", "weight of AAPL above 10%", Weight},
	{"cash above|below PERCENT", "cash above 20%", Cash},
	{"profile limit broken", "profile limit broken", Limits},
	{"ex-dividend of? SYMBOL? within|in DAYS", "ex-dividend of AAPL within 5d", ExDividend},
	{"SYMBOL in? DAYS ex-dividend", "ex-dividend of AAPL within 5d", ExDividend},
	{"earnings of? SYMBOL within|in DAYS", "earnings of AAPL within 7d", Earnings},
	{"SYMBOL earnings within|in DAYS", "earnings of AAPL within 7d", Earnings},
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
	{"SYMBOL above|below NUMBER CURRENCY?", "AAPL below 150", Price},
}

// Examples returns one rule of each form.
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

// maxRule is the most bytes of a rule.
const maxRule = 200

// Parse reads a rule, also within a sentence such as "tell me when AAPL falls below 150", in English or
// Chinese. A text that is no rule is a *SyntaxError.
func Parse(text string) (Rule, error) {
	if len(text) > maxRule {
		return Rule{}, fmt.Errorf("a rule has at most %d bytes, this one %d", maxRule, len(text))
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

// match returns the rule, or how many words fit.
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
)

// keywords begin a form or a condition, so they name no symbol.
var keywords = []string{
	"portfolio", "weight", "cash", "profile", "ex-dividend", "earnings", "lot", "loss", "decision", "series", "above", "below", "up", "down", "drawdown", "within", "in", "of", "filed", spreadName,
}

// fill sets the field of a slot, or compares a word.
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
		if key == "above" || key == "up" {
			r.Above = true
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
	key   string // lower case; the same for words with one meaning
	other string // a second meaning: "falls" is down, and below before a price
	at    int    // byte position in the text
}

// meanings are words for the words of the forms. Words that mean nothing to a rule map to "".
var meanings = map[string][2]string{
	"over": {"above"}, "exceeds": {"above"}, ">": {"above"}, ">=": {"above"}, "reaches": {"above"}, "under": {"below"}, "<": {"below"}, "<=": {"below"},
	"rises": {"up", "above"}, "rise": {"up", "above"}, "gains": {"up", "above"}, "climbs": {"up", "above"},
	"falls": {"down", "below"}, "fall": {"down", "below"}, "drops": {"down", "below"}, "drop": {"down", "below"}, "declines": {"down", "below"}, "dips": {"down", "below"}, "loses": {"down", "below"},
	"day": {"d"}, "days": {"d"}, "week": {"w"}, "weeks": {"w"}, "month": {"m"}, "months": {"m"}, "percent": {"%"}, "pct": {"%"}, "％": {"%"}, "lots": {"lot"}, "turn": {"turns"}, "limits": {"limit"},
	"exdividend": {"ex-dividend"}, "sma": {"average"}, "longterm": {"long-term"},
	"tell": {}, "alert": {}, "notify": {}, "warn": {}, "let": {}, "remind": {}, "me": {}, "know": {}, "when": {}, "if": {}, "once": {}, "whenever": {}, "please": {}, "the": {}, "price": {}, "a": {}, "an": {}, "my": {}, "stock": {}, "share": {}, "is": {},
	"goes": {}, "gets": {}, "crosses": {}, "closes": {}, "trades": {}, "moving": {}, "simple": {}, "to": {}, "than": {}, "more": {"above"}, "less": {"below"}, "last": {},
	"跌破": {"below"}, "低于": {"below"}, "跌到": {"below"}, "跌至": {"below"}, "小于": {"below"}, "以下": {"below"},
	"突破": {"above"}, "涨破": {"above"}, "高于": {"above"}, "涨到": {"above"}, "涨至": {"above"}, "升到": {"above"}, "超过": {"above"}, "大于": {"above"}, "以上": {"above"}, "达到": {"above"},
	"下跌": {"down", "below"}, "跌": {"down", "below"}, "上涨": {"up", "above"}, "涨": {"up", "above"},
	"投资组合": {"portfolio"}, "组合": {"portfolio"}, "持仓": {"portfolio"}, "回撤": {"drawdown"}, "现金": {"cash"}, "权重": {"weight"}, "占比": {"weight"}, "偏离": {"drift"},
	"天": {"d"}, "日": {"d"}, "周": {"w"}, "个月": {"m"}, "月": {"m"}, "均线": {"average"}, "除息": {"ex-dividend"}, "提交": {"files"}, "发布": {"files"}, "公布": {"files"},
	"美元": {"usd"}, "欧元": {"eur"}, "日元": {"jpy"}, "港元": {"hkd"}, "港币": {"hkd"}, "英镑": {"gbp"}, "人民币": {"cny"}, "元": {},
	"提醒": {}, "通知": {}, "告诉": {}, "我": {}, "当": {}, "如果": {}, "时候": {}, "时": {}, "就": {}, "请": {}, "股价": {}, "价格": {}, "股票": {}, "的": {}, "了": {}, "内": {}, "以内": {}, "之内": {},
}

// longestPhrase is the most characters of a Chinese phrase in meanings.
const longestPhrase = 4

var (
	asciiWord   = lazyregexp.New(`^[^\s\x{2E80}-\x{FFEF}]+`)
	numberUnit  = lazyregexp.New(`^(\d[\d.,]*)-?(%|days?|weeks?|months?|[A-Za-z]{3})$`)
	plainNumber = lazyregexp.New(`^[$\x{20AC}\x{A3}\x{A5}]?\d[\d.,]*$`)
)

// split returns the words of a rule that mean something. Chinese needs no spaces.
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
	unknown := -1 // where a run of Chinese characters begins that is no phrase, such as a name
	flush := func(end int) {
		if unknown >= 0 {
			add(text[unknown:end], unknown)
		}
		unknown = -1
	}
	for i := 0; i < len(text); {
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

// phrase returns the bytes of the longest phrase of meanings that text begins with.
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

// clip shortens text from outside for a message.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxOutside {
		return string(runes[:maxOutside-1]) + "…"
	}
	return text
}

// maxOutside is the most characters of a text that nfa did not write.
const maxOutside = 200
