package offline

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// The functions in this file build arguments that the word lists of a form cannot describe.

// growing matches questions about what an amount grows to.
var growing = lazyregexp.New(`\b(?:will|would|does|do|can) [$€£]?\d[\d,.]*\w* (?:\w+ )?(?:grow|become|turn|be worth)`)

func buildTimeValue(f *filling) {
	f.waive("rate")
	if now, then := f.age(ageNow), f.age(ageRetire, ageEnd); now > 0 && then > now {
		f.setDefault("periods", whole(then-now))
	}
	if f.cue("double*|翻倍|翻一番") {
		f.set("present_value", whole(1).Neg())
		f.set("future_value", whole(2))
	}
	if f.cue("triple*|翻三倍") {
		f.set("present_value", whole(1).Neg())
		f.set("future_value", whole(3))
	}
	if v, ok := f.args["future_value"].(amount); ok && !f.has("present_value") && f.cue("pay off|paying off|pay back|repay|还清") {
		f.set("present_value", v)
	}
	debt := f.has("present_value") && f.has("payment") && f.cue("pay off|paying off|pay back|repay|还清")
	if debt {
		f.set("future_value", whole(0))
	}
	perYear := whole(1)
	for _, s := range f.q.of(numberSlot) {
		if s.every == 'm' && f.has("payment") {
			perYear = whole(12)
		}
	}
	if r, ok := f.args["rate"].(amount); ok && !perYear.Equal(whole(1)) {
		f.set("rate", r.DivRound(perYear, 12))
		f.set("periods_per_year", perYear)
	}
	if n, ok := f.args["periods"].(amount); ok {
		f.set("periods", n.Mul(perYear))
	}
	if v, ok := f.args["present_value"]; ok && !f.has("future_value") && f.cue("pv|present value|worth today|today's value|现值") {
		delete(f.args, "present_value")
		f.set("future_value", v)
	}
	if v, ok := f.args["future_value"]; ok && !f.has("present_value") && (f.cue("future value of|fv of|的终值") || f.q.has(growing)) {
		delete(f.args, "future_value")
		f.set("present_value", v)
	}
	// Money paid in and money paid out have opposite signs.
	for _, name := range []string{"payment", "present_value"} {
		if n, ok := f.args[name].(amount); ok && n.IsPositive() && !(name == "present_value" && debt) && !(name == "present_value" && f.cue("pv|present value|现值")) {
			f.set(name, n.Neg())
		}
	}
	parts := []requirement{
		{"present_value", "What is the starting amount?", "期初金额是多少？", "invest"}, {"future_value", "What is the final amount?", "期末金额是多少？", "reach"},
		{"rate", "What annual rate of return, in percent?", "年回报率是多少？", "rate"}, {"periods", "Over how many years?", "多少年？", "over"},
	}
	var absent []requirement
	for _, p := range parts {
		if !f.has(p.name) {
			absent = append(absent, p)
		}
	}
	solve := "future_value"
	switch {
	case f.cue("how long|how many years|when will|多久|多少年|几年") && !f.has("periods"):
		solve = "periods"
	case f.cue("what rate|which rate|what return|which return|rate do i need|what growth|annual growth|growth rate|what annual|多少收益率|多高的") && !f.has("rate"):
		solve = "rate"
	case f.cue("pv|present value|worth today|现值|today's value") && !f.has("present_value"):
		solve = "present_value"
	case f.cue("afford") && f.has("payment") && !f.has("present_value"):
		solve = "present_value"
	case f.has("future_value") && len(absent) > 0:
		solve = absent[0].name
	}
	f.set("solve", solve)
	for _, r := range absent {
		if r.name != solve && !(f.has("payment") && (r.name == "present_value" || r.name == "future_value" && (solve == "present_value" || f.has("present_value")))) {
			f.missing = append(f.missing, r)
		}
	}
}

var (
	ageNow    = lazyregexp.New(`\b(?:i'?m|am|aged?|age|now) (\d{2})\b|我(?:今年|现在)?(\d{2})岁|(?:今年|现在)(\d{2})岁|(?:^|[,，])(\d{2})岁(?:[,，]|$)`)
	ageRetire = lazyregexp.New(`\b(?:retire|retiring|retirement|stop|stop working|quit|quit working) (?:at|by)(?: age)? (\d{2})\b|(\d{2})岁(?:能|可以|想|就|时)?退休`)
	ageEnd    = lazyregexp.New(`\b(?:until|till|to|through|up to|by the time|when|by|have at)(?: age| i'?m| i am| i turn)? (\d{2,3})\b|\bat (?:age )?(\d{2})[?.! ]*$|(?:到|活到)(\d{2,3})岁`)
)

// age returns the age found by the first pattern that matches, and removes it from arguments that took it as an
// amount.
func (f *filling) age(patterns ...func() *regexp.Regexp) int {
	for _, pattern := range patterns {
		at := pattern().FindStringSubmatchIndex(f.q.low)
		if at == nil {
			continue
		}
		f.hear(at[0], at[1])
		for i, s := range f.q.slots {
			if s.start >= at[0] && s.end <= at[1] {
				f.consumed[i] = true
				for name, v := range f.args {
					if n, ok := v.(amount); ok && n.Equal(s.number) {
						delete(f.args, name)
					}
				}
			}
		}
		for _, g := range groups(f.q.low, at)[1:] {
			if g != "" {
				return atoi(g)
			}
		}
	}
	return 0
}

func buildRetirement(f *filling) {
	now, retire, end := f.age(ageNow), f.age(ageRetire), f.age(ageEnd)
	if all := ageEnd().FindAllStringSubmatch(f.q.low, -1); len(all) == 2 && retire == 0 {
		first, second := atoi(all[0][1]+all[0][2]), atoi(all[1][1]+all[1][2])
		retire, end = min(first, second), max(first, second)
		for _, at := range ageEnd().FindAllStringIndex(f.q.low, -1) {
			f.take(at[0], at[1])
		}
	}
	if now > 0 && end > now {
		f.setDefault("years", whole(end-now))
	}
	if now > 0 && retire > now {
		f.setDefault("contribution_years", whole(retire-now))
		f.setDefault("years", whole(max(95, retire+1)-now))
		if end == 0 {
			f.note("I assumed a plan to age 95.", "假设规划到 95 岁。")
		}
		if f.has("contribution_years") && !f.has("annual_contribution") {
			delete(f.args, "contribution_years")
			f.set("withdrawal_from_year", whole(retire-now+1))
		}
	}
	if f.cue("how much can i|how much could i|what can i spend|能花多少|可以花多少") && f.has("current_balance") {
		delete(f.args, "annual_withdrawal")
		f.waive("annual_withdrawal")
		f.set("withdrawal_from_year", whole(1))
		f.setDefault("years", whole(assumedYears))
	}
	for _, s := range f.q.of(percentSlot) { // "spending 4%" means 4% of the balance
		balance, ok := f.args["current_balance"].(amount)
		if near, _ := f.nearness(s, cues(f.q.low, spendCues)); ok && near > 2 && !f.used(s) && !f.has("annual_withdrawal") {
			f.set("annual_withdrawal", balance.Mul(s.number))
			f.use(s)
		}
	}
	f.cue("after that|after which|from then on|how long|will it last|last|多久|多少年|够用|够不够|retire*|退休")
	if f.has("current_balance") && f.has("annual_withdrawal") && !f.has("years") {
		f.set("years", whole(assumedYears))
		f.note("I assumed a plan of 40 years.", "假设规划期为 40 年。")
	}
	assumeMarket(f)
}

// assumeMarket uses the past returns of the S&P 500 if a plan names no return, and adds a note about it.
func assumeMarket(f *filling) {
	if f.has("mean_return") || f.has("symbol") || f.has("returns") {
		return
	}
	f.set("symbol", assumedMarket)
	f.note("I assumed the past returns of the S&P 500; you can give another return and volatility.", "假设回报与标普500的历史一致；您可以另外给出年回报率和波动率。")
}

const assumedMarket = "^GSPC"

// assumedYears is the length of the plan if the question is how long the money lasts.
const assumedYears = 40

func buildPositionSize(f *filling) {
	if f.cue("twice the loss|twice as much|double the loss|两倍") {
		f.setDefault("payoff", whole(2))
	}
	switch f.args["method"] {
	case "kelly":
		for _, c := range []struct {
			fraction int
			cues     string
		}{{2, "half kelly|half-kelly|半凯利"}, {4, "quarter kelly|quarter-kelly"}} {
			if f.cue(c.cues) {
				f.set("kelly_fraction", whole(1).DivRound(whole(c.fraction), 2))
			}
		}
		f.waive("stop")
		f.waive("risk")
		if !f.has("win_probability") {
			f.missing = append(f.missing, requirement{"win_probability", "What percentage of the trades win?", "胜率是多少？", "win"})
		}
		if !f.has("payoff") {
			f.missing = append(f.missing, requirement{"payoff", "What is the average win divided by the average loss?", "盈亏比是多少？", "payoff"})
		}
	case "volatility":
		if f.has("risk") && !f.has("target_volatility") {
			f.set("target_volatility", f.args["risk"])
			delete(f.args, "risk")
		}
		if !f.has("volatility") || f.has("stop") {
			f.set("method", "risk")
			break
		}
		f.waive("stop")
		f.waive("risk")
	}
	f.setDefault("method", "risk")
}

func buildBond(f *filling) {
	if f.has("price") {
		f.waive("yield")
	}
	f.setWhen("zero coupon|zero-coupon|零息", "coupon", whole(0))
	n, ok := f.args["years"].(amount)
	delete(f.args, "years")
	f.set("settlement", f.q.now.Format(time.DateOnly))
	settling := cues(f.q.low, "settl*|结算|交割")
	for _, s := range f.q.of(periodSlot) {
		d := s.period.To
		if d == "" || f.used(s) {
			continue
		}
		name := "maturity"
		if at, ok := nearest(s, settling); ok {
			if due, ok := nearest(s, cues(f.q.low, "matur*|due|到期|期满")); !ok || at < due {
				name = "settlement"
			}
		}
		f.set(name, d)
		f.use(s)
	}
	if ok && !f.has("maturity") {
		months := n.Mul(whole(12)).IntPart()
		f.set("maturity", f.q.now.AddDate(0, int(min(months, 1200)), 0).Format(time.DateOnly))
	}
}

// nearest returns the distance from a slot to the nearest of some words. ok is false if there are none.
func nearest(s slot, found [][2]int) (distance int, ok bool) {
	for _, at := range found {
		d := max(at[0]-s.end, s.start-at[1], 0)
		if !ok || d < distance {
			distance, ok = d, true
		}
	}
	return distance, ok
}

// aNumber matches a number in a calculation, as a group.
const aNumber = `(?:\$|€|£)?(\d[\d,.]*(?: ?(?:k|m|bn|thousand|million|billion)\b|[万亿])?)`

// spokenSums are calculations in words. The expression refers to the numbers by position.
var spokenSums = []struct {
	pattern    func() *regexp.Regexp
	expression string
}{
	{lazyregexp.New(`(\d[\d,.]*) ?(?:%|percent|per cent|pct) (?:tip )?(?:of|from|on|for)(?: a)? ` + aNumber), "$1 / 100 * $2"},
	{lazyregexp.New(`(\d[\d.]*) ?%的 ?` + aNumber), "$1 / 100 * $2"},
	{lazyregexp.New(aNumber + `的(?:百分之)?(\d[\d.]*) ?%?`), "$2 / 100 * $1"},
	{lazyregexp.New(aNumber + ` is what (?:percent|percentage|%|share|fraction|part) of ` + aNumber), "$1 / $2 * 100"},
	{lazyregexp.New(`\b(?:percent|percentage|%|share|fraction|part) (?:is|are) ` + aNumber + ` (?:out )?of ` + aNumber), "$1 / $2 * 100"},
	{lazyregexp.New(aNumber + ` as a (?:percent|percentage|%|share) of ` + aNumber), "$1 / $2 * 100"},
	{lazyregexp.New(aNumber + `(?:占|是)` + aNumber + `的(?:百分之几|多少百分比|百分比|比例)`), "$1 / $2 * 100"},
	{lazyregexp.New(`\b(?:add|sum of) ` + aNumber + ` (?:and|to) ` + aNumber), "$1 + $2"},
	{lazyregexp.New(`\bsubtract ` + aNumber + ` from ` + aNumber), "$2 - $1"},
	{lazyregexp.New(`\b(?:increase|raise) ` + aNumber + ` by (\d[\d.]*) ?(?:%|percent)`), "$1 * (1 + $2 / 100)"},
	{lazyregexp.New(`\b(?:decrease|reduce|lower|cut) ` + aNumber + ` by (\d[\d.]*) ?(?:%|percent)`), "$1 * (1 - $2 / 100)"},
	{lazyregexp.New(`(\d[\d.]*) ?(?:%|percent) off (?:of )?` + aNumber), "$2 * (1 - $1 / 100)"},
	{lazyregexp.New(`\bhow many shares (?:can|could) i (?:buy|get|afford) (?:with|for) ` + aNumber + ` (?:at|@) ` + aNumber), "$1 / $2"},
	{lazyregexp.New(`\b(\d+)/(\d+) of ` + aNumber), "$1 / $2 * $3"},
	{lazyregexp.New(`(?:square root of|sqrt(?: of)?|根号) ?` + aNumber), "sqrt( $1 )"},
	{lazyregexp.New(aNumber + `的平方根`), "sqrt( $1 )"},
	{lazyregexp.New(`(?:percent|%|change|fell|rose|drop|gain|increase|decrease|went|go|return).*(?:from|从) ?` + aNumber + ` ?(?:to|到|至) ?` + aNumber), "( $2 - $1 ) / $1 * 100"},
	{lazyregexp.New(`(?:from|从) ?` + aNumber + ` ?(?:to|到|至|跌到|涨到|变成|降到) ?` + aNumber + `.*(?:percent|%|change|return|跌|涨|百分|幅)`), "( $2 - $1 ) / $1 * 100"},
}

// spokenSum returns the calculation that the question states in words and its position, or "".
func (q *question) spokenSum() (expression string, at []int) {
	for _, s := range spokenSums {
		at := s.pattern().FindStringSubmatchIndex(q.low)
		if at == nil {
			continue
		}
		expression := s.expression
		for i, g := range groups(q.low, at)[1:] {
			n := number(g)
			if n == "" {
				return "", nil
			}
			expression = strings.ReplaceAll(expression, "$"+strconv.Itoa(i+1), n)
		}
		return expression, at[:2]
	}
	return "", nil
}

var (
	spokenSigns = strings.NewReplacer("再", "", " plus ", "+", " minus ", "-", " times ", "*", " multiplied by ", "*", " divided by ", "/", " over ", "/", " to the power of ", "^", "×", "*", "÷", "/", "乘以", "*", "除以", "/", "加上", "+", "减去", "-", "加", "+", "减", "-", "乘", "*", " x ", "*", "**", "^")
	sum         = lazyregexp.New(`^[\d.,()+*/^% -]+$`)
	percentMore = lazyregexp.New(`^([\d.,]+) ?([+-]) ?([\d.]+)%$`)
	arithmetic  = lazyregexp.New(`[\d(][\d.,()+*/^% -]*[\d)%]`)
)

func number(text string) string {
	scale := int32(0)
	for suffix, s := range scales {
		if rest, ok := strings.CutSuffix(text, suffix); ok && s > scale {
			text, scale = strings.TrimSpace(rest), s
		}
	}
	d, ok := parseAmount(strings.Trim(text, ",. "))
	if !ok {
		return ""
	}
	return d.Shift(scale).String()
}

func (s slot) digits() string {
	if s.kind == percentSlot {
		return s.number.Shift(2).String() + "%"
	}
	return s.number.String()
}

// withDigits returns the text with its amounts in digits: 1200000 for "1.2 million".
func (q *question) withDigits() string {
	var b strings.Builder
	at := 0
	for _, s := range q.of(numberSlot, percentSlot) {
		b.WriteString(q.low[at:s.start] + s.digits())
		at = s.end
	}
	return b.String() + q.low[at:]
}

func buildExpression(f *filling) {
	low := f.q.low
	if expression, at := f.q.spokenSum(); expression != "" {
		f.set("expression", expression)
		f.take(at[0], at[1])
		f.cue("percent*|%|change*|fell|rose|drop*|gain*|increase*|decrease*|went|go|return|跌|涨|百分|幅|幅度")
		return
	}
	spoken := spokenSigns.Replace(f.q.withDigits())
	best := ""
	for _, m := range arithmetic().FindAllString(spoken, -1) {
		if len(m) > len(best) && strings.ContainsAny(m, "+*/^-") {
			best = strings.TrimSpace(m)
		}
	}
	if best == "" || !sum().MatchString(best) || strings.Count(best, "-") > 1 && !strings.ContainsAny(best, "+*/^ ") {
		return
	}
	written := best
	if m := percentMore().FindStringSubmatch(best); m != nil { // "200 minus 5%"
		best = m[1] + " * (1 " + m[2] + " " + m[3] + "/100)"
	}
	expression := strings.NewReplacer(",", "", "%", "/100").Replace(strings.TrimRight(best, " .,-"))
	f.set("expression", expression)
	if at := strings.Index(low, written); at >= 0 {
		f.hear(at, at+len(written))
	}
	// The numbers and the words between them belong to the expression.
	for i, s := range f.q.slots {
		f.consumed[i] = f.consumed[i] || (s.kind == numberSlot || s.kind == percentSlot) && strings.Contains(written, s.digits()) || s.kind == periodSlot
	}
	f.cue("plus|minus|times|multiplied by|divided by|over|to the power of|x|加|减|乘|除|乘以|除以|加上|减去")
}

var (
	paidCues     = "paid|put in|put|invested|deposit*|bought|contributed|in|投入|买入|存入|付"
	receivedCues = "received|got|sold|worth|withdrew|took out|back|is now|now|out|收回|收到|取出|卖出|现值|现在"
)

func buildCashFlows(f *filling) {
	var flows []any
	days := slices.DeleteFunc(f.q.of(periodSlot), func(s slot) bool { return s.period.day() == "" && s.period.Range != "today" })
	amounts := f.q.of(numberSlot)
	if len(days) > 0 && len(amounts) == len(days)+1 && f.cue("now|current*|现在|如今") {
		days = append(days, slot{kind: periodSlot, period: period{Range: "today"}})
	}
	if len(days) < 2 || len(amounts) != len(days) {
		return
	}
	signed := slices.ContainsFunc(amounts, func(s slot) bool { return s.number.IsNegative() })
	for i, a := range amounts {
		day := days[i] // people name both in the same order
		if day.end > 0 {
			f.use(day)
		}
		f.use(a)
		on := day.period.day()
		if on == "" {
			on = f.q.now.Format(time.DateOnly)
		}
		paid, _ := f.nearness(a, cues(f.q.low, paidCues))
		received, _ := f.nearness(a, cues(f.q.low, receivedCues))
		value := a.number
		if !signed && (i < len(amounts)-1 && received <= paid || i == 0) {
			value = value.Neg()
		}
		flows = append(flows, map[string]any{"date": on, "amount": value})
	}
	f.cue(paidCues + "|" + receivedCues)
	f.set("cash_flows", flows)
}

func buildPair(f *filling) {
	for _, s := range f.q.of(pairSlot) {
		f.set("pair", s.text)
		f.use(s)
	}
	var base, quote string
	for _, s := range f.q.of(numberSlot) {
		if s.currency != "" || len(f.q.of(currencySlot, pairSlot)) > 0 {
			f.setDefault("amount", s.number)
			f.use(s)
			base = s.currency
		}
	}
	for _, s := range f.q.of(currencySlot) {
		switch {
		case base == "":
			base = s.text
		case quote == "" && s.text != base:
			quote = s.text
		case s.text != base && s.text != quote:
			continue // a call takes one pair
		}
		f.use(s)
	}
	if !f.has("pair") && base != "" && quote != "" {
		f.set("pair", base+"/"+quote)
	}
	if !f.has("pair") && base != "" && quote == "" {
		f.form.required = []requirement{{"pair", "Into which currency?", "兑换成哪种货币？", "in"}}
	}
}

// series maps the names that people use for economic series to FRED IDs.
var series = []choice{
	{"CPILFESL", "core inflation|core cpi|核心通胀|核心cpi"}, {"PCEPILFE", "core pce|核心pce"}, {"PCEPI", "pce"}, {"CPIAUCSL", "inflation|cpi|consumer prices|通胀*|通胀率|物价|通货膨胀"},
	{"UNRATE", "unemploy*|jobless rate|失业*|失业率"}, {"PAYEMS", "payroll*|nonfarm|non-farm|非农*"}, {"FEDFUNDS", "interest rates|fed funds|federal funds|fed rate|policy rate|interest rate of the fed|联邦基金*|联邦基金利率|美联储利率"},
	{"A191RL1Q225SBEA", "gdp growth|经济增长"}, {"GDPC1", "gdp|gross domestic product|国内生产总值"}, {"MORTGAGE30US", "mortgage rate*|房贷利率|抵押贷款利率"}, {"M2SL", "m2|money supply|货币供应*"}, {"UMCSENT", "consumer sentiment|消费者信心"},
	{"DGS10", "10-year|10 year|ten-year|十年期"}, {"DGS2", "2-year|2 year|two-year|两年期"}, {"DCOILWTICO", "oil prices?|price of oil|barrel of oil|oil|wti|crude*|原油*|油价"}, {"HOUST", "housing starts|新屋开工"}, {"CSUSHPINSA", "house prices|home prices|case-shiller|房价"},
	{"RSAFS", "retail sales|零售"}, {"INDPRO", "industrial production|工业产出|工业生产"}, {"T10Y2Y", "yield spread|10y-2y|2s10s|term spread|利差"}, {"WALCL", "fed balance sheet|资产负债表"}, {"ICSA", "jobless claims|initial claims|初请"},
}

// seriesNames returns the names of all series except bond yields, for which the tool is yield_curve.
func seriesNames() string {
	var all []string
	for _, s := range series {
		if !strings.HasPrefix(s.value, "DGS") {
			all = append(all, s.cues)
		}
	}
	return strings.Join(all, "|")
}

// otherCountries are countries and regions outside the US whose economies people ask about.
const otherCountries = "china|chinese|japan*|german*|uk|british|britain|france|french|india*|canad*|euro area|eurozone|europe*|brazil*|russia*|korea*|swiss|switzerland|mexic*|australia*|spain|ital*|world|global|中国|日本|德国|英国|法国|印度|加拿大|欧元区|欧洲|巴西|俄罗斯|韩国|瑞士|全球"

func buildSeries(f *filling) {
	f.choose(choiceArgument{"series_id", series})
	if f.args["series_id"] == "MORTGAGE30US" {
		for _, at := range maturityAt().FindAllStringIndex(f.q.low, -1) {
			f.take(at[0], at[1]) // "30 year mortgage rates"
		}
	}
	if id, ok := f.args["series_id"]; ok && id != "DCOILWTICO" && f.cue(otherCountries) {
		delete(f.args, "series_id") // the series are those of the United States
		f.set("query", f.q.text)
		f.hear(0, len(f.q.low))
	}
	f.choose(choiceArgument{"units", []choice{{"pct_change_1y", "year over year|yoy|y/y|annual change|inflation rate|同比"}, {"pct_change", "month over month|mom|monthly change|环比"}}})
	if id := f.args["series_id"]; (id == "CPIAUCSL" || id == "CPILFESL" || id == "PCEPI" || id == "PCEPILFE") && f.cue("inflation*|通胀*|通货膨胀") {
		f.setDefault("units", "pct_change_1y")
	}
	if !f.has("series_id") && !f.has("query") {
		if query := f.topic(); query != "" {
			f.set("query", query)
		} else {
			f.missing = append(f.missing, requirement{"series_id", "Which economic series, such as inflation or unemployment?", "哪个经济指标，例如通胀或失业率？", ""})
		}
	}
}

var exchanges = []choice{
	{"XNYS", "nyse|new york*|us|usa|american|wall street|纽约*|纽交所|美股|美国"}, {"XNAS", "nasdaq|纳斯达克"}, {"XLON", "london*|lse|uk|british|伦敦*|伦交所|英国"}, {"XETR", "xetra|frankfurt*|german*|deutsche*|法兰克福|德国"}, {"XPAR", "paris*|french|euronext|巴黎|法国"},
	{"XTKS", "tokyo*|japan*|tse|东京*|日本|东证"}, {"XHKG", "hong kong*|hkex|hk|香港|港交所|港股"}, {"XSHG", "shanghai*|china|chinese|上海|上交所|a股|沪市|中国"}, {"XSHE", "shenzhen*|深圳|深交所|深市"}, {"XTSE", "toronto*|tsx|canad*|多伦多|加拿大"},
	{"XASX", "sydney|asx|australia*|澳大利亚|澳洲"}, {"XSWX", "swiss|zurich|six|瑞士"}, {"XAMS", "amsterdam|dutch|阿姆斯特丹"}, {"XMIL", "milan|italian|米兰"}, {"XMAD", "madrid|spanish|马德里"}, {"XKRX", "korea*|seoul|韩国|首尔"}, {"XBOM", "bombay|mumbai|india*|孟买|印度"}, {"XSES", "singapore*|sgx|新加坡"}, {"XSTO", "stockholm|swedish|斯德哥尔摩"},
}

func buildExchange(f *filling) {
	f.choose(choiceArgument{"exchange", exchanges})
	for _, s := range f.q.of(periodSlot) { // "open on monday", "on december 25": the next one
		d, err := time.Parse(time.DateOnly, s.period.day())
		if err != nil || !d.Before(f.q.now) || strings.Contains(s.name, d.Format("2006")) || someDay().MatchString(s.name) {
			continue
		}
		next := d.AddDate(1, 0, 0)
		if weekday().MatchString(" on " + strings.ToLower(s.name)) {
			next = d.AddDate(0, 0, 7)
		}
		f.set("date", next.Format(time.DateOnly))
		f.use(s)
	}
	symbol, _ := f.args["symbol"].(string)
	switch {
	case symbol != "" && f.has("exchange"):
		delete(f.args, "symbol")
	case symbol != "":
		delete(f.args, "exchange")
	}
}

var cities = []choice{
	{"Asia/Tokyo", "tokyo|japan|东京|日本"}, {"America/New_York", "new york|nyc|wall street|boston|miami|eastern|纽约"}, {"Europe/London", "london|uk|伦敦|英国"}, {"Asia/Hong_Kong", "hong kong|香港"}, {"Asia/Shanghai", "shanghai|beijing|china|shenzhen|北京|上海|中国"},
	{"Europe/Berlin", "berlin|frankfurt|germany|munich|柏林|法兰克福|德国"}, {"Europe/Paris", "paris|france|巴黎|法国"}, {"America/Los_Angeles", "los angeles|san francisco|california|seattle|pacific|洛杉矶|旧金山"}, {"America/Chicago", "chicago|dallas|texas|houston|芝加哥"}, {"Asia/Singapore", "singapore|新加坡"},
	{"Australia/Sydney", "sydney|melbourne|australia|悉尼|墨尔本"}, {"Europe/Zurich", "zurich|switzerland|geneva|苏黎世|瑞士"}, {"Asia/Kolkata", "mumbai|delhi|india|孟买|印度"}, {"Asia/Seoul", "seoul|korea|首尔|韩国"}, {"America/Toronto", "toronto|多伦多"}, {"Asia/Dubai", "dubai|迪拜"}, {"Europe/Madrid", "madrid|spain|马德里"}, {"Europe/Amsterdam", "amsterdam|阿姆斯特丹"}, {"America/Sao_Paulo", "sao paulo|brazil|圣保罗"}, {"Asia/Taipei", "taipei|taiwan|台北"}, {"UTC", "utc|gmt"}, {"Europe/Moscow", "moscow|莫斯科"}, {"Asia/Bangkok", "bangkok|曼谷"},
}

func buildTimezone(f *filling) { f.choose(choiceArgument{"timezone", cities}) }

// weights returns the percentages next to symbols, by symbol.
func (f *filling) weights() map[string]amount {
	out := map[string]amount{}
	percents := f.q.of(percentSlot)
	symbols := f.q.of(symbolSlot)
	if len(percents) == 0 || len(symbols) < len(percents) {
		return out
	}
	before := percents[0].start < symbols[0].start
	for _, p := range percents {
		nearest, gap := slot{}, 1<<30
		for _, s := range symbols {
			distance := s.start - p.end
			if !before {
				distance = p.start - s.end
			}
			if _, taken := out[s.text]; distance >= 0 && distance < gap && !taken {
				nearest, gap = s, distance
			}
		}
		if gap < 1<<30 {
			out[nearest.text] = p.number
		}
	}
	return out
}

func buildBacktest(f *filling) {
	weights := f.weights()
	symbols, _ := f.args["symbols"].([]string)
	if len(weights) > 0 && len(weights) == len(symbols) {
		f.set("strategy", "fixed_weights")
		list := make([]amount, len(symbols))
		for i, s := range symbols {
			list[i] = weights[s]
		}
		f.set("weights", list)
		f.useAll(percentSlot)
	} else if n := f.q.of(numberSlot); len(n) == 2 && strings.Contains(f.q.low, "/") && n[0].number.Add(n[1].number).Equal(whole(100)) && len(symbols) == 2 {
		f.set("strategy", "fixed_weights")
		f.set("weights", []amount{n[0].number.Shift(-2), n[1].number.Shift(-2)})
		delete(f.args, "start")
		f.use(n[0])
		f.use(n[1])
	}
	if days := dayNumbers().FindAllStringSubmatchIndex(f.q.low, -1); len(days) == 2 && f.cue("cross*|average|上穿|金叉") {
		f.set("strategy", "moving_average_cross")
		for n, at := range days {
			f.set([]string{"fast", "slow"}[n], whole(atoi(f.q.low[at[2]:at[3]])))
			f.take(at[0], at[1])
		}
	}
	if f.args["strategy"] == "fixed_weights" && f.cue("volatility target*|target volatility|目标波动率") && len(symbols) == 1 {
		delete(f.args, "weights")
		f.set("strategy", "volatility_target")
		for _, s := range f.q.of(percentSlot) {
			f.set("target_volatility", s.number)
			f.use(s)
		}
	}
	if f.args["strategy"] == "momentum" && f.cue("top one|the best one|最强的一") {
		f.setDefault("top", whole(1))
	}
	if !f.has("strategy") {
		f.missing = append(f.missing, requirement{"strategy", "Which strategy: buy and hold, fixed weights, momentum, moving average cross or volatility target?", "哪种策略：买入持有、固定权重、动量、均线交叉还是目标波动率？", ""})
	}
}

var dayNumbers = lazyregexp.New(`(\d{1,3})[ -]?(?:day|日|天)`)

var averageDays = lazyregexp.New(`(?:(\d{1,3})(?:[ -]?day)? ?(?:and|&|/|,) ?)?(\d{1,3})[ -]?(?:day|d|日|天)?[ -]?(?:simple |exponential )?(?:moving average|average|sma|ema|ma\b|日?均线|天?均线)|(?:sma|ema|ma|rsi|rsi\()[ -]?(\d{1,3})`)

func buildIndicators(f *filling) {
	var list []string
	put := func(name string) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	length := ""
	for _, at := range averageDays().FindAllStringSubmatchIndex(f.q.low, -1) {
		g := groups(f.q.low, at)
		length = g[2] + g[3]
		f.take(at[0], at[1])
		if g[1] != "" {
			put("sma:" + g[1])
		}
		switch {
		case strings.Contains(g[0], "rsi"):
			put("rsi:" + length)
		case strings.Contains(g[0], "ema") || strings.Contains(g[0], "exponential"):
			put("ema:" + length)
		default:
			put("sma:" + length)
		}
	}
	for _, c := range []choice{
		{"rsi", "rsi|relative strength|overbought|oversold|超买|超卖|相对强弱"}, {"macd", "macd"}, {"bbands", "bollinger*|bbands|布林*|布林带"}, {"atr", "atr|true range|真实波幅"}, {"stoch", "stochastic*|kdj|随机指标"},
		{"adx", "adx"}, {"obv", "obv|on-balance*|能量潮"}, {"ichimoku", "ichimoku|一目均衡"}, {"cci", "cci"}, {"mfi", "mfi|money flow"}, {"aroon", "aroon"}, {"willr", "williams*"},
	} {
		if f.cue(c.cues) && !(c.value == "rsi" && len(list) > 0 && strings.HasPrefix(list[len(list)-1], "rsi")) {
			put(c.value)
		}
	}
	if f.cue("golden cross|death cross|金叉|死叉|sma|moving average*|均线|移动平均") && len(list) == 0 {
		put("sma:50")
		put("sma:200")
	}
	f.cue("above|below")
	if len(list) > 0 {
		f.set("indicators", list)
		return
	}
	f.missing = append(f.missing, requirement{"indicators", "Which indicator, such as RSI, MACD or a 200-day moving average?", "哪个指标，例如 RSI、MACD 或 200 日均线？", ""})
}

var formAt = lazyregexp.New(`\b(10-?k|10-?q|8-?k|20-?f|40-?f|6-?k|def ?14a|s-?1|form 4|13f)s?\b`)

func (f *filling) filingForm(one bool) {
	at := formAt().FindStringSubmatchIndex(f.q.low)
	switch {
	case at != nil:
		name := strings.ToUpper(strings.ReplaceAll(f.q.low[at[2]:at[3]], " ", ""))
		if i := strings.IndexAny(name, "KQF"); i > 0 && !strings.Contains(name, "-") && name[0] >= '0' && name[0] <= '9' {
			name = name[:i] + "-" + name[i:]
		}
		if name == "DEF14A" {
			name = "DEF 14A"
		}
		f.set("form", name)
		f.take(at[0], at[1])
	case f.cue("annual report*|yearly report*|年报|年度报告"):
		f.set("form", "10-K")
	case f.cue("quarterly report*|季报|季度报告"):
		f.set("form", "10-Q")
	case f.cue("proxy*|委托书"):
		f.set("form", "DEF 14A")
	case one:
		f.set("form", "10-K")
	}
}

func buildSection(f *filling) {
	f.filingForm(true)
	f.reference("accession", accessionSlot)
	quarterly := f.args["form"] == "10-Q"
	for _, c := range []struct{ yearly, quarterly, cues string }{
		{"1A", "II-1A", "risk*|风险"}, {"7A", "I-3", "market risk disclosure*|quantitative*|市场风险"}, {"7", "I-2", "management|management's discussion|management discussion|md&a|mda|discussion|管理层讨论|管理层"},
		{"3", "II-1", "legal*|lawsuits?|litigation|诉讼|法律"}, {"2", "I-2", "propert*|facilities|物业"}, {"8", "I-1", "financial statements|notes to|audit*|财务报表|审计"}, {"1C", "I-4", "cyber*|网络安全"}, {"9A", "I-4", "controls|内部控制"}, {"5", "II-2", "buyback*|repurchase*|回购"}, {"11", "11", "executive compensation|executive pay|ceo pay|高管薪酬"}, {"1", "I-1", "business|what * does|业务|主营"},
	} {
		if f.cue(c.cues) && !f.has("item") {
			item := c.yearly
			if quarterly {
				item = c.quarterly
			}
			f.set("item", item)
		}
	}
	if at := itemAt().FindStringSubmatchIndex(f.q.low); at != nil {
		f.set("item", strings.ToUpper(f.q.low[at[2]:at[3]]))
		f.take(at[0], at[1])
	}
	if !f.has("item") {
		f.missing = append(f.missing, requirement{"item", "Which section: risks, business, management's discussion, legal proceedings or financial statements?", "哪一部分：风险、业务、管理层讨论、诉讼还是财务报表？", ""})
	}
}

var itemAt = lazyregexp.New(`\bitem (\d{1,2}[a-c]?|\d\.\d{2})\b`)

func buildNews(f *filling) {
	if f.has("symbol") {
		return
	}
	query := f.topic()
	if at := topicBehind().FindStringSubmatchIndex(f.q.low); query == "" && at != nil {
		query = f.q.text[at[2]:at[3]] // "news on interest rates": words that also have another meaning
	}
	if query != "" {
		f.set("query", query)
		return
	}
	f.missing = append(f.missing, requirement{"symbol", "News about which company or topic?", "哪家公司或主题的新闻？", ""})
}

var topicBehind = lazyregexp.New(`\b(?:news|headlines|stories|articles) (?:on|about|regarding|of|for|from) (?:the )?([a-z][a-z ]*[a-z])`)

func buildSearch(f *filling) {
	f.choose(choiceArgument{"kind", []choice{{"fund", "etf|etfs|fund|funds|基金"}, {"index", "index|指数"}, {"crypto", "crypto|coin|加密"}}})
	var names []string
	for _, s := range f.q.of(symbolSlot, isinSlot) {
		names = append(names, s.name)
		f.use(s)
	}
	query := strings.Join(names, " ")
	if query == "" {
		query = f.topic()
	}
	if query != "" {
		f.set("query", query)
	}
}

func buildWebSearch(f *filling) {
	if query := f.topic(); query != "" {
		var names []string
		for _, s := range f.q.of(symbolSlot) {
			names = append(names, s.name)
		}
		f.set("query", strings.TrimSpace(strings.Join(names, " ")+" "+query))
	}
	for i := range f.q.slots {
		f.consumed[i] = true
	}
}

// topic returns the words to search for: the question without the words that ask for the tool.
func (f *filling) topic() string {
	var out []string
	for _, w := range f.q.words() {
		if w.chinese {
			if rest := f.tool.strip(w.text); rest != "" {
				out = append(out, rest)
			}
			continue
		}
		if !isEveryday(w.text) && !f.tool.says(w.text) {
			out = append(out, f.q.text[w.start:w.end])
		}
	}
	return strings.TrimSpace(strings.Join(out, " "))
}

func buildListFiles(f *filling) {
	f.reference("path", fileSlot)
	if f.cue("reports?|报告") {
		f.setDefault("path", "nfa:reports")
	}
	for _, ext := range []string{"csv", "json", "md", "txt", "xlsx", "pdf", "xml"} {
		if f.cue(ext) {
			f.set("pattern", "*."+ext)
		}
	}
}

var transactionKinds = []choice{
	{"dividend", "dividend*|股息|分红|派息"}, {"interest", "interest|利息"}, {"split", "split*|拆股|拆分"}, {"deposit", "deposited|deposit|paid in|into my|into the account|to my account|transferred in|put in cash|入金|存入|转入现金"}, {"withdrawal", "withdrew|withdrawal|withdraw|took out|out of my|出金|取出"},
	{"sell", "sold|sell|sale of|卖出|卖了|卖掉|减仓|出售|卖"}, {"buy", "bought|buy|purchased|purchase|picked up|added|got|买入|买了|买进|加仓|购入|购买|买"},
	{"fee", "fee of|commission|custody|paid a fee|management fee|手续费|管理费|fees?"},
}

var splitRatio = lazyregexp.New(`(\d+)[ -]?(?:for|:|比)[ -]?(\d+)`)

func buildTransaction(f *filling) {
	for _, c := range transactionKinds {
		if f.cue(c.cues) && !f.has("kind") {
			f.set("kind", c.value)
		}
	}
	f.cue("record*|log|note|add*|transaction*|trade|记录|记一笔|记|录入|每股|单价|价格|股价|of|shares?|each|apiece|per share")
	if found := cues(f.q.low, accountNames); len(found) == 2 && !f.has("symbol") && f.cue("moved|transferred|transfer|转到|转入") {
		f.set("kind", "transfer_out")
		f.set("account", f.q.text[found[0][0]:found[0][1]])
		f.set("to_account", f.q.text[found[1][0]:found[1][1]])
	}
	if f.cue("exchanged|converted|兑换了|换成") && len(f.q.of(numberSlot)) == 2 {
		a, b := f.q.of(numberSlot)[0], f.q.of(numberSlot)[1]
		if a.currency != "" && b.currency != "" {
			f.set("kind", "currency_exchange")
			f.set("amount", a.number)
			f.set("currency", a.currency)
			f.set("to_amount", b.number)
			f.set("to_currency", b.currency)
			f.use(a)
			f.use(b)
		}
	}
	kind, _ := f.args["kind"].(string)
	numbers := numberArguments(kind)
	old := f.form.numbers
	f.form.numbers = numbers
	f.fillNumbers()
	f.form.numbers = old
	if kind == "split" {
		if at := splitRatio().FindStringSubmatchIndex(f.q.low); at != nil {
			g := groups(f.q.low, at)
			f.set("new", whole(max(atoi(g[1]), atoi(g[2]))))
			f.set("old", whole(min(atoi(g[1]), atoi(g[2]))))
			f.take(at[0], at[1])
		}
	}
	for _, s := range f.q.of(symbolSlot, isinSlot) {
		if !f.used(s) && !f.has("symbol") && kind != "deposit" && kind != "withdrawal" {
			f.set("symbol", strings.TrimSuffix(s.text, "\x00"))
			f.use(s)
		}
	}
	f.day("date")
	if p := f.q.period(); p != nil && p.Range == "today" {
		f.setDefault("date", f.q.now.Format(time.DateOnly))
	}
	needs := map[string]string{"": "kind date", "buy": "symbol quantity price date", "sell": "symbol quantity price date", "transfer_out": "symbol quantity date", "split": "symbol new date", "dividend": "symbol amount date"}[kind]
	for name := range strings.FieldsSeq(cmp.Or(needs, "amount date")) {
		if !f.has(name) && !(name == "price" && f.has("amount")) {
			f.missing = append(f.missing, transactionQuestions[name])
		}
	}
}

var transactionQuestions = map[string]requirement{
	"kind":     {"kind", "Was it a purchase, a sale, a dividend, a deposit, a withdrawal, a fee or a split?", "是买入、卖出、分红、入金、出金、费用还是拆股？", ""},
	"symbol":   needSymbol,
	"quantity": {"quantity", "How many shares?", "多少股？", "shares"},
	"price":    {"price", "What was the price per share?", "每股价格是多少？", "at price"},
	"new":      {"new", "What is the ratio, such as 4 for 1?", "拆分比例是多少，例如 4比1？", ""},
	"amount":   {"amount", "How much was it?", "金额是多少？", ""},
	"date":     {"date", "What was the date (YYYY-MM-DD)?", "是哪天？请写日期，例如 2024-03-05。", "on"},
}

func numberArguments(kind string) []numberArgument {
	fee := numberArgument{name: "fee", kind: "money", cues: "fee|fees|commission|手续费|佣金"}
	switch kind {
	case "buy", "sell", "transfer_out", "transfer_in":
		return []numberArgument{
			fee,
			{name: "price", kind: "money", cues: "at|@|for|price*|per share|each|apiece|以|每股|价格|单价|股价|价|成交价"},
			{name: "quantity", kind: "number", cues: "bought|sold|buy|sell|purchased|shares|of|买入|买了|卖出|卖了|more", bare: true},
		}
	case "split", "currency_exchange":
		return nil
	case "fee":
		return []numberArgument{{name: "amount", kind: "number", cues: "fee|fees|commission|手续费|佣金|费", bare: true}}
	default:
		return []numberArgument{fee, {name: "tax", kind: "money", cues: "tax|withheld|税"}, {name: "amount", kind: "number", cues: "of|deposit*|dividend*|fee*|分红|股息|入金|元", bare: true}}
	}
}

var idAt = lazyregexp.New(`\b(?:t_?|tx_?|#)?[a-z0-9]*\d[a-z0-9]{3,}\b`)

func buildRemoval(f *filling) {
	if f.cue("last|latest|newest|most recent|just recorded|just entered|刚才|刚刚|上一笔|最后一笔|最近一笔") {
		f.set("id", "last")
		return
	}
	if at := idAt().FindStringIndex(f.q.low); at != nil {
		f.set("id", strings.TrimPrefix(f.q.text[at[0]:at[1]], "#"))
		f.take(at[0], at[1])
	}
}

var ruleID = lazyregexp.New(`\br\d{1,4}\b|\b\d{1,4}\b`)

// buildAlerts passes the sentence to the tool, which parses rules in English and Chinese.
func buildAlerts(f *filling) {
	for i := range f.q.slots {
		f.consumed[i] = true // part of the rule
	}
	switch at := ruleID().FindStringIndex(f.q.low); {
	case at != nil && f.q.has(changingAlert):
		f.args = map[string]any{"action": "remove", "id": "r" + strings.TrimPrefix(f.q.low[at[0]:at[1]], "r")}
		f.setWhen("pause|mute|暂停", "action", "pause")
	case f.q.has(changingAlert) && !f.q.has(notifying):
		f.args = map[string]any{"action": "remove"}
		f.missing = append(f.missing, requirement{"id", "Which alert? Give its ID; to see the IDs, run `nfa alerts`.", "哪个提醒？请给出编号，`nfa alerts` 会列出。", "alert"})
		return
	case f.q.has(ruleLead) && !f.q.has(notifying) && len(f.q.of(symbolSlot)) > 0:
		f.args = map[string]any{"action": "add", "rule": f.q.text[len(ruleLead().FindString(f.q.low)):]}
	case f.q.has(notifying), f.q.has(scheduledNote):
		f.args = map[string]any{"action": "add", "rule": f.q.text}
	case f.cue("alerts|alert rules|提醒"):
		f.args = map[string]any{"action": "list"}
	default:
		f.missing = append(f.missing, requirement{"rule", "Which alert? For example: AAPL below 150", "什么提醒？例如：AAPL 跌破 150", "alert me when"})
		return
	}
	f.hear(0, len(f.q.low))
}

func buildWatchlist(f *filling) {
	f.cue("alert*|tell me|remind*|notify*|look at it|when|if|once|提醒*|提醒我|通知*|到|时")
	if i := strings.Index(f.q.low, "note:"); i >= 0 {
		f.set("note", strings.TrimSpace(f.q.text[i+len("note:"):]))
		f.hear(i, len(f.q.low))
	}
	if f.cue("upper target|above target") {
		f.setDefault("target", "above")
	}
	if f.cue("lower target|below target") {
		f.setDefault("target", "below")
	}
	remove := f.cue("clear|empty|清空|remove*|stop watching|stop following|stop tracking|unwatch|delete|take it off|take them off|off again|off my list|off the|drop|off my|no longer|取消关注|移除|删除|删掉|不再关注|取关|移出")
	add := f.cue("add*|put|watch|follow|track|keep an eye on|monitor|关注|加入|添加|加到|盯|放进|加进|加")
	switch {
	case remove && f.has("symbol"):
		f.set("action", "remove")
		delete(f.args, "above")
		delete(f.args, "below")
	case remove:
		f.set("action", "remove")
		f.missing = append(f.missing, needSymbol)
	case f.has("symbol") && (add || f.has("above") || f.has("below")):
		f.set("action", "add")
	case add && f.cue("add|put|添加|加入") && !f.cue("what|which|show|list|哪些|什么|查看|显示"):
		f.set("action", "add")
		f.missing = append(f.missing, needSymbol)
	default:
		f.set("action", "show")
		delete(f.args, "symbol")
	}
}

func buildTargets(f *filling) {
	weights := f.weights()
	if len(weights) > 0 {
		var list []any
		for _, s := range f.q.of(symbolSlot) {
			if w, ok := weights[s.text]; ok {
				list = append(list, map[string]any{"symbol": s.text, "weight": w})
				delete(weights, s.text)
			}
			f.use(s)
		}
		f.useAll(percentSlot)
		f.set("targets", list)
	}
	for _, c := range []choice{{"fifo", "fifo|先进先出"}, {"lifo", "lifo|后进先出"}, {"average", "average cost|平均成本"}} {
		if name, start, end := f.q.account(); f.cue(c.cues) && name != "" {
			f.hear(start, end)
			f.set("account", map[string]any{"name": name, "cost_basis": c.value})
		}
	}
	f.setWhen("no targets|remove * targets|clear * targets|clear targets|remove targets|清除目标|删除目标", "no_targets", true)
}

func buildJournal(f *filling) {
	record := (f.cue("record*|log|note|write down|journal that|记录|记下|记一|记到") || strings.HasPrefix(f.q.low, "journal:") || f.cue("because|因为|理由")) && !f.cue("show|list|显示|查看")
	review := f.cue("review*|reviewing|how did my decisions|score*|were my decisions|回顾|复盘|评估")
	switch {
	case review:
		f.set("action", "review")
	case record:
		f.set("action", "record")
		decided := f.q.low // the part before the reason
		for _, separator := range []string{"because", "因为", "理由是", "由于"} {
			if before, thesis, ok := strings.Cut(f.q.text, separator); ok && strings.TrimSpace(thesis) != "" {
				f.set("thesis", strings.TrimSpace(thesis))
				decided = strings.ToLower(before)
				break
			}
		}
		for _, c := range []choice{{"sell", "sell*|sold|卖"}, {"avoid", "avoid*|not buy|not to buy|避免|不买"}, {"hold", "hold*|keep*|holding|持有"}, {"buy", "buy*|bought|买"}} {
			if f.cue(c.cues) && !f.has("decision") && len(cues(decided, c.cues)) > 0 {
				f.set("decision", c.value)
			}
		}
		for _, r := range []requirement{{"decision", "What did you decide: buy, sell, hold or avoid?", "决定是什么：买入、卖出、持有还是回避？", ""}, {"thesis", "Why? Give the reason in one sentence.", "理由是什么？请用一句话说明。", "because"}} {
			if !f.has(r.name) {
				f.missing = append(f.missing, r)
			}
		}
		if symbols, ok := f.args["symbols"].([]string); ok && len(symbols) == 1 {
			delete(f.args, "symbols")
			f.set("symbol", symbols[0])
		} else if !ok {
			f.missing = append(f.missing, needSymbol)
		}
	default:
		f.setDefault("action", "list")
		if symbols, ok := f.args["symbols"].([]string); ok {
			delete(f.args, "symbols")
			f.set("symbol", symbols[0])
		}
	}
}

func buildSkill(f *filling) {
	if name, at := skillIn(f.q.low, f.skills); name != "" {
		f.set("name", name)
		f.hear(at[0], at[1])
	}
	for i := range f.q.slots {
		f.consumed[i] = true
	}
}

var (
	accountBehind = lazyregexp.New(`\b(?:in|into|to|from|of|for|on)(?: the| my)? ([a-z0-9][\w-]{0,30}) (?:account|acct|portfolio)\b|\bmy ([a-z0-9][\w-]{1,30}) account\b|(?:在|从|到|我的)([\p{Han}a-z0-9-]{1,12})账[户号]`)
	accountAfter  = lazyregexp.New(`\b(?:in |into |to |from |for )?(?:the )?account (?:named |called )?([a-z0-9][\w-]{0,30})\b|账[户号]([\p{Han}a-z0-9-]{1,12})`)
)

// account returns the name of an account, or that of a broker.
func (q *question) account() (name string, start, end int) {
	if name, start, end := q.accountName(); name != "" {
		return name, start, end
	}
	if found := cues(q.low, accountNames); len(found) > 0 {
		return q.text[found[0][0]:found[0][1]], found[0][0], found[0][1]
	}
	return "", 0, 0
}

// accountName returns the name of an account, and the position of the phrase that names it.
func (q *question) accountName() (name string, start, end int) {
	for _, pattern := range []func() *regexp.Regexp{accountBehind, accountAfter} {
		for _, at := range pattern().FindAllStringSubmatchIndex(q.low, -1) {
			for g := 2; g < len(at); g += 2 {
				if at[g] < 0 {
					continue
				}
				text := q.text[at[g]:at[g+1]]
				last := strings.TrimRight(q.low[at[1]:], " .!?") == "" && !strings.HasPrefix(q.low[at[0]:at[1]], "my") // "in account a"
				answers := q.added > 0 && at[0] >= q.added                                                             // to "Which account?"
				if low := strings.ToLower(text); (!isEveryday(low) || answers || last && len(low) == 1) && low != "my" && low != "account" && !slices.Contains([]string{"all", "new", "each", "every", "which", "other", "is", "has", "balance", "balances", "value", "performance", "returns", "return", "statement", "history", "overview", "summary", "fees", "worth", "total", "number"}, low) {
					return text, at[0], at[1]
				}
			}
		}
	}
	return "", 0, 0
}

func buildReturns(f *filling) {
	if f.cue("invest*|put|bought|worth|growth|grown|grow|become|投入|投资|投|买入|买|变成") { // the return shows what the amount became
		f.useAll(numberSlot)
	}
	symbol, _ := f.args["symbol"].(string)
	if strings.HasPrefix(symbol, "^") && f.cue("dividend*|total return|分红|股息") {
		f.note(symbol+" is a price index, so its figures exclude dividends.", symbol+" 是价格指数，不含股息。")
	}
}
