package offline

import (
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	maxQuestionBytes = 2000 // the rest of a message is ignored
	maxSlots         = 24   // maximum number of slots in a message; the rest is not understood
)

// question is a message of the user with what was found in it.
type question struct {
	text      string // one line, misspelled words corrected
	raw       string // lower case, as the user wrote it
	low       string // text in lower case, with the same byte offsets
	chinese   bool
	coin      bool // the first symbol is that of a coin
	now       time.Time
	slots     []slot
	explained []bool // by byte of low: whether a slot covers it
	unclear   string // an ambiguous date
	noDay     string // a date that does not exist
	notes     []string
	added     int // start of a later message's text; 0 if there is none
}

// kind is the type of a slot.
type kind int

const (
	symbolSlot kind = iota
	periodSlot
	durationSlot
	numberSlot // money and other plain numbers
	percentSlot
	countSlot // of shares
	currencySlot
	pairSlot // of currencies
	urlSlot
	fileSlot
	isinSlot
	accessionSlot
)

// slot is a part of a question that has a type.
type slot struct {
	kind       kind
	start, end int
	text       string // symbol, currency, pair, URL, file, ISIN or accession number
	name       string // as the user wrote it
	period     period
	number     amount
	unit       byte // unit of a duration: d, w, m or y
	past       bool // a duration that ends now: "the last 5 years"
	every      byte // of an amount: m for "a month", y for "a year", w for "a week"
	currency   string
	short      string // "6m", which is also 6 million
}

var plainSigns = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "—", "-", "−", "-", "、", ",", "《", `"`, "》", `"`)

// Traditional characters, and the corresponding simplified ones in which the words of the tools are written.
const (
	traditional = "紀來個們債價億兌劃務匯問單嗎嚴國圓圖報夠學實對導幾廠廣強彈後從復愛態慮應戰戲損撥擇擊據數時業標檔檢權歡歲殘毀決況淨淺溫滅滿漁漲潤澤濟濱災煙熱營爭牆獎獨獲現環產畫異疊療盤眾確碼禪禮稅種稱穩窮競筆節築簡籌糧約紅納紐純級細終結給統經維網線編練縮總績續習聯興舉舊華萬藥蘇蘋蘭處號虧衛裝製複規視覺覽觀訂計訊記設訴詞試話該誤說誰調談請講證識議護譽讀變讓貝負財貨買貸費資賣質賬賴賺購車軟輝輸這運過達遠適選還鄰醫銀鋼錄錢鐘鐵長門開間閱關陸陽隊際隨險雙離難雲電韓頁項順預領題額願類顯風飛飲養餘馬騰驗驚體鬥鴻麗麼黃點齊龍"
	simplified  = "纪来个们债价亿兑划务汇问单吗严国圆图报够学实对导几厂广强弹后从复爱态虑应战戏损拨择击据数时业标档检权欢岁残毁决况净浅温灭满渔涨润泽济滨灾烟热营争墙奖独获现环产画异叠疗盘众确码禅礼税种称稳穷竞笔节筑简筹粮约红纳纽纯级细终结给统经维网线编练缩总绩续习联兴举旧华万药苏苹兰处号亏卫装制复规视觉览观订计讯记设诉词试话该误说谁调谈请讲证识议护誉读变让贝负财货买贷费资卖质账赖赚购车软辉输这运过达远适选还邻医银钢录钱钟铁长门开间阅关陆阳队际随险双离难云电韩页项顺预领题额愿类显风飞饮养余马腾验惊体斗鸿丽么黄点齐龙"
)

var simplify = sync.OnceValue(func() map[rune]rune {
	out := map[rune]rune{}
	to := []rune(simplified)
	for i, r := range []rune(traditional) {
		out[r] = to[i]
	}
	return out
})

// simplifiedText converts traditional characters to simplified ones; both have three bytes.
func simplifiedText(text string) string {
	if !isHan(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if s, ok := simplify()[r]; ok {
			return s
		}
		return r
	}, text)
}

// newQuestion returns a question with a cleaned-up message and without slots.
func newQuestion(message string, now time.Time) *question {
	text := strings.ToValidUTF8(message, "")
	cut := cutBytes(text, maxQuestionBytes)
	if at := strings.LastIndexFunc(cut, unicode.IsSpace); len(cut) < len(text) && at > 0 {
		cut = cut[:at] // drop a word that was cut in half
	}
	q := &question{text: simplifiedText(cleanLine(plainSigns.Replace(norm.NFKC.String(cut)), 2*maxQuestionBytes)), now: now}
	var low strings.Builder
	for _, r := range q.text {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			r = l
		}
		low.WriteRune(r)
		q.chinese = q.chinese || unicode.Is(unicode.Han, r)
	}
	q.low = low.String()
	q.explained = make([]bool, len(q.low))
	return q
}

// free reports whether no slot covers a part of the text.
func (q *question) free(start, end int) bool {
	for i := start; i < end; i++ {
		if q.explained[i] {
			return false
		}
	}
	return true
}

func (q *question) mark(start, end int) {
	for i := max(start, 0); i < min(end, len(q.explained)); i++ {
		q.explained[i] = true
	}
}

// add adds a slot, unless it overlaps another or there are too many. It reports whether it did.
func (q *question) add(s slot) bool {
	if len(q.slots) >= maxSlots || !q.free(s.start, s.end) {
		return false
	}
	if s.name == "" {
		s.name = q.text[s.start:s.end]
	}
	q.mark(s.start, s.end)
	q.slots = append(q.slots, s)
	return true
}

// of returns the slots of the given kinds, in text order.
func (q *question) of(kinds ...kind) []slot {
	var out []slot
	for _, s := range q.slots {
		for _, k := range kinds {
			if s.kind == k {
				out = append(out, s)
			}
		}
	}
	return out
}

// has reports whether a pattern matches the text.
func (q *question) has(pattern func() *regexp.Regexp) bool { return pattern().MatchString(q.low) }

// word is a word outside all slots: letters and digits, or a run of Chinese characters.
type word struct {
	text       string // lower case
	start, end int
	chinese    bool
}

// words returns the words outside all slots.
func (q *question) words() []word {
	var out []word
	start := -1
	var han bool
	flush := func(end int) {
		if start >= 0 {
			text := strings.Trim(q.low[start:end], "'.-/&")
			text = strings.TrimSuffix(text, "'s")
			if possessive := text == "s" && q.low[start] == '\''; text != "" && !possessive {
				out = append(out, word{text: text, start: start, end: end, chinese: han})
			}
			start = -1
		}
	}
	for i, r := range q.low {
		isHan := unicode.Is(unicode.Han, r)
		part := !q.explained[i] && (isHan || unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("'.-/&_", r))
		if start >= 0 && (!part || isHan != han) {
			flush(i)
		}
		if part && start < 0 {
			start, han = i, isHan
		}
	}
	flush(len(q.low))
	return out
}

// cleanLine returns text on one line, without control and formatting characters, of at most limit bytes.
func cleanLine(text string, limit int) string {
	text = strings.ToValidUTF8(cutBytes(text, 4*limit), "")
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
	return cutBytes(strings.Join(strings.Fields(text), " "), limit)
}

// cutBytes returns the first limit bytes of text, cut between two characters.
func cutBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

var markdownSigns = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "`", "'", "<", `\<`, "[", `\[`, "]", `\]`)

// quoted returns a short text of the user, safe within a line of Markdown.
func quoted(text string) string { return "“" + markdownSigns.Replace(cleanLine(text, 80)) + "”" }
