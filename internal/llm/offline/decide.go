package offline

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/llm"
)

// frame is the context that one question leaves for the next.
type frame struct {
	text    string       // the question, with answers and follow-ups
	tool    string       // the chosen tool
	missing *requirement // the value that the assistant asked for
	symbols []string
	earlier []string // symbols of the question before, for "compare them"
	time    string   // the words that name a period
}

// call is a tool call to be made.
type call struct {
	tool string
	args map[string]any
}

// decision is the assistant's response to a question: tool calls or a text.
type decision struct {
	frame   frame
	calls   []call
	text    string
	outcome llm.Outcome
	notes   []string
	chinese bool
	forget  bool // the previous question, because the user canceled it
}

var (
	followLead  = lazyregexp.New(`^(?:ok |okay |so )?(?:and|what about|how about|same for|same with|now|then|also|but|what if|or|over|in|for|since|with|during|until|at|against|vs|versus|compared to|make it|try|instead|(?:no,? |sorry,? )?i meant?)\b|^(?:那|那么|那如果|还有|換成|换成|再看|再来|如果|改成|改为)|(?:呢)[?？。 ]*$`)
	asBenchmark = lazyregexp.New(`^(?:and )?(?:against|vs|versus|compared to|relative to)\b|相对|对比|跑赢`)
	addsLead    = lazyregexp.New(`\b(?:and|also|plus|add|too|as well)\b|(?:加上|还有|和)`)
	pronoun     = lazyregexp.New(`\b(?:it|its|it's|they|them|their|that|this|these|those|the same|which one|which was|which is|both|each|the company|the stock|the same one|off again)\b|(?:该公司|这家公司|它|他们|它们|这个|那个|这只|哪个)`)
	besideYear  = lazyregexp.New(`^and (?:in )?the (?:(year before|previous year|prior year)|year after|(?:next|following) year)\b|^那?(?:(前一年)|后一年|第二年)`)
	adding      = lazyregexp.New(`^(?:and |also |please )*(?:add|include|plus|with) ([\w.^&' -]+)$`)
	cancelled   = lazyregexp.New(`^(?:no,? ?)?(?:cancel|never ?mind|nvm|forget it|forget that|stop|drop it|leave it|no thanks?|skip it|abort|don't|nothing)[ .!]*(?:that|it|thanks?)?[ .!]*$|^(?:算了|取消|不用了|没事|不要了|不了|罢了)[。！!. ]*$`)
	no          = lazyregexp.New(`^(?:n|no|nope|不|否)[ .!。！]*$`) // an answer to the question for a missing value
	wholeMarket = lazyregexp.New(`\b(?:the |us |u\.s\. )?(?:stock )?markets?\b(?: as a whole)?|\b(?:did|have|has|were|are) (?:stocks|equities)\b|大盘|股市|美股`)
	metal       = lazyregexp.New(`^(?:what(?:'s| is| are) |how (?:did|has|is|much is) |show(?: me)? |(?:the )?(?:current |latest |spot )?(?:price|quote|chart|return|performance) (?:of|for) )*(?:the |(?:an?|one|1) (?:troy )?(?:ounce|oz) of )*((?:gold|silver)(?: price)?)(?: (?:now|today|trading|worth|at|do|done|since|in|over|during|ytd|this|right|price|chart|currently)\b.*)?[?.! ]*$|黄金|白银`)
	itsOwn      = lazyregexp.New(`\b(?:its|their)\b|它的`)
	compared    = lazyregexp.New(`\b(?:against|versus|vs|beat|than|compared (?:to|with)|relative to|follows?|with) (?:the )?$`)
	upOrDown    = lazyregexp.New(`^how (?:is|was|are|were)\b|\b(?:up|down|doing|perform\w*)\b`)
	marketHours = lazyregexp.New(`\b(?:open|opens|closed|closes|close|closing|hours|holiday|trading day|today|now|market (?:cap|value|risk|rate|order|price)|(?:on|off|open) the market|bear|bull)\b|开盘|收盘|休市|开市|开着|开门|交易`)
	explaining  = lazyregexp.New(`^(?:so |please |can you |could you )*(?:explain|define)\b|\bwhat (?:a|an) .{1,30} (?:is|means)\b|是什么意思`)
	definition  = lazyregexp.New(`^(?:so |please |can you |could you )*(?:what(?:'s| is| are| does)|explain|define|describe|how (?:to|(?:do|does|can|should) (?:i|one|you)) (?:read|understand|use)|meaning of|tell me about)\b|什么是|是什么(?:意思)?[?？]?$|解释|啥意思`)
)

// dialog is the catalog at one message of a conversation.
type dialog struct {
	*catalog
	lastAnswer string // of the assistant; a report may save it
	recorded   *recordedEntry
}

// decide answers a message in the context of the previous ones.
func (c dialog) decide(message string, before frame, now time.Time) decision {
	if act, ok := parseActivation(message); ok {
		return c.declineSkill(act.name, act.content, isHan(act.arguments))
	}
	q := c.read(withYear(message, before.time), now)
	if q.text == "" {
		return q.answered(overview(q.chinese))
	}
	if cancelled().MatchString(q.raw) || before.missing != nil && no().MatchString(q.raw) {
		d := q.answered(q.say("OK, canceled. Nothing was done.", "好的，已取消，什么都没有做。"))
		d.forget = true
		return d
	}
	if c.recorded != nil {
		if d, ok := c.amend(message, now); ok {
			return d
		}
	}
	if before.missing != nil && !c.isQuestion(q, before) {
		if d, ok := c.complete(q, before); ok {
			return d
		}
	}
	if r := q.refuse(); r != nil {
		return c.declined(q, r)
	}
	switch {
	case q.unclear != "":
		return c.askDay(q, before, q.unclear, requirement{"date",
			"Does " + quoted(q.unclear) + " start with the day or the month? Write the date as YYYY-MM-DD.", "请把日期 " + quoted(q.unclear) + " 写成 YYYY-MM-DD。", "on"})
	case q.noDay != "":
		return c.askDay(q, before, q.noDay, requirement{"date",
			"There is no day " + quoted(q.noDay) + ". Write the date as YYYY-MM-DD.", "没有 " + quoted(q.noDay) + " 这一天，请把日期写成 YYYY-MM-DD。", "on"})
	}
	own := c.answer(q, before)
	const short = 5
	shaped := q.shape() == own.frame.tool
	complete := len(own.calls) > 0 && (shaped && len(q.slots) == 0 || own.frame.tool != before.tool && (shaped || !c.saysAll(before.tool, q)))
	if t := c.tools[before.tool]; t != nil && t.help == nil && t.takesSymbols() && before.tool != "quote" && q.has(adding) && len(q.of(symbolSlot)) > 0 {
		complete = false // "add QQQ" to a comparison
	}
	if before.tool != "" && (q.continues() || len(strings.Fields(q.text)) <= short && !complete) {
		if d, ok := c.follow(q, before); ok {
			return d
		}
	}
	if before.missing != nil && own.outcome.Kind == llm.OutcomeDeclined && len(strings.Fields(q.text)) <= short {
		again := q.asks(before, before.missing.name, own.text)
		again.text = q.say("I did not understand "+quoted(q.text)+". "+before.missing.english, "我没有理解 "+quoted(q.text)+"。"+before.missing.chinese)
		return again
	}
	return own
}

// withYear writes "the year after" as the year after the one of the question before.
func withYear(message, before string) string {
	at := besideYear().FindStringSubmatchIndex(strings.ToLower(message))
	if at == nil || at[1] > len(message) || len(bareYear().FindAllString(before, -1)) != 1 {
		return message
	}
	year := atoi(bareYear().FindString(before)) + 1
	if at[2] >= 0 || at[4] >= 0 {
		year -= 2
	}
	return message[:at[0]] + "in " + strconv.Itoa(year) + message[at[1]:]
}

// askDay asks for a valid date in place of one that cannot be read, and keeps the rest of the question.
func (c dialog) askDay(q *question, before frame, wrong string, r requirement) decision {
	f := before
	if f.missing == nil {
		probe := c.read(strings.Replace(q.text, wrong, "2020-01-02", 1), q.now) // accepts a date
		if own := c.answer(probe, before); own.frame.tool != "" {
			f = own.frame
			f.text = strings.Replace(q.text, wrong, "", 1)
		}
		f.missing = &r
	}
	return q.asks(f, f.missing.name, q.say(r.english, r.chinese))
}

// read finds the slots of a message.
func (c *catalog) read(message string, now time.Time) *question {
	written := newQuestion(message, now)
	text, corrections := c.correct(written.text)
	q := newQuestion(text, now)
	q.raw = written.low
	if len(message) > maxQuestionBytes {
		q.note("Your message is long, so I read only the beginning.", "消息很长，我只读了开头部分。")
	}
	q.findReferences()
	q.findThreeM(c.names)
	q.findNumberedNames(c.names)
	q.findPeriods()
	q.findCashtags(c.names)
	q.findNumbers()
	q.findCurrencies()
	q.findInstruments(c.names, c.spoken)
	slices.SortFunc(q.slots, func(a, b slot) int { return a.start - b.start })
	if at := metal().FindStringSubmatchIndex(q.low); at != nil && len(q.of(symbolSlot)) == 0 && len(cues(q.low, mineCues)) == 0 {
		symbol := "SI=F"
		if at[2] >= 0 {
			at = at[2:]
		}
		if name := q.low[at[0]:at[1]]; strings.Contains(name, "gold") || strings.Contains(name, "金") {
			symbol = "GC=F"
		}
		if q.add(slot{kind: symbolSlot, start: at[0], end: at[1], text: symbol}) {
			q.note("I read "+quoted(q.text[at[0]:at[1]])+" as its futures ("+symbol+").", "我把 "+quoted(q.text[at[0]:at[1]])+" 理解为期货（"+symbol+"）。")
		}
	}
	if at := wholeMarket().FindStringIndex(q.low); at != nil && (len(q.of(symbolSlot)) == 0 && (!marketHours().MatchString(q.low) || upOrDown().MatchString(q.low)) || compared().MatchString(q.low[:at[0]])) && q.add(slot{kind: symbolSlot, start: at[0], end: at[1], text: assumedMarket}) {
		q.note("I read "+quoted(q.text[at[0]:at[1]])+" as the S&P 500 (^GSPC).", "我把 "+quoted(q.text[at[0]:at[1]])+" 理解为标普500（^GSPC）。")
	}
	q.readRates()
	if s := q.of(symbolSlot); len(s) > 0 {
		q.coin = c.names.isCoin(s[0].text) || strings.HasSuffix(s[0].text, "-USD")
	}
	for _, s := range q.of(symbolSlot) {
		for _, fix := range corrections {
			if fix.start >= s.start && fix.end <= s.end {
				q.note("I read "+quoted(fix.was)+" as "+c.names.lookup(s.text).Name+" ("+s.text+").", "我把 "+quoted(fix.was)+" 理解为 "+c.names.lookup(s.text).Name+"（"+s.text+"）。")
			}
		}
	}
	return q
}

// isQuestion reports whether a message that follows a question of the assistant is a question of its own.
func (c dialog) isQuestion(q *question, before frame) bool {
	if len(q.of(symbolSlot)) == 0 || q.bare() != "" || before.missing.name == "rule" && q.shape() == "" {
		return false
	}
	candidates := c.choose(q, "")
	if len(candidates) == 0 {
		return false
	}
	k := candidates[0]
	return k.tool.Name != before.tool && k.shaped && len(k.unknown) == 0 && len(k.missing) == 0 && k.evidence() > 0
}

// complete adds the value that the assistant asked for to the previous question.
func (c dialog) complete(q *question, before frame) (decision, bool) {
	const longest = 8
	if len(strings.Fields(q.text)) > longest {
		return decision{}, false
	}
	text := q.text
	if lead := before.missing.lead; lead != "" && !strings.Contains(q.low, strings.ToLower(lead)) {
		text = strings.TrimRight(text, ".!。 ")
		if n := q.of(numberSlot); len(n) == 1 && len(q.slots) == 1 && n[0].end-n[0].start == len(strings.Trim(text, " .?!")) {
			text += unitOf(before.missing.name)
		}
		text = lead + " " + text
	}
	joined := c.read(before.text+", "+text, q.now)
	joined.added = len(before.text)
	candidates := c.choose(joined, before.tool)
	if len(candidates) == 0 {
		return decision{}, false
	}
	k := candidates[0]
	if slices.ContainsFunc(k.missing, func(r requirement) bool { return r.name == before.missing.name }) {
		return decision{}, false
	}
	if len(k.unknown) > 0 && slices.ContainsFunc(k.unknown, func(w string) bool { return strings.Contains(text, w) && !strings.Contains(before.text, w) }) {
		return decision{}, false
	}
	joined.chinese = q.chinese || joined.chinese
	return c.carryOut(joined, k), true
}

// unitOf returns the unit of an answer that is only a number.
func unitOf(name string) string {
	switch name {
	case "annual_rate", "rate", "coupon", "yield", "volatility", "risk", "growth", "discount_rate", "win_probability":
		return "%"
	case "years", "periods", "maturity":
		return " years"
	case "quantity":
		return " shares"
	default:
		return ""
	}
}

// saysAll reports whether a question names no symbol and the tool knows all its content words.
func (c *catalog) saysAll(tool string, q *question) bool {
	t := c.tools[tool]
	if t == nil || t.help != nil || len(q.of(symbolSlot)) > 0 {
		return false
	}
	return c.saysEvery(t, q)
}

// saysEvery reports whether a tool has all content words of a question.
func (c *catalog) saysEvery(t *knownTool, q *question) bool {
	for _, w := range q.contentWords() {
		if !isHan(w) && !t.says(w) || isHan(w) && t.strip(w) != "" {
			return false
		}
	}
	return true
}

// continues reports whether a question is incomplete and continues the previous one, such as "and MSFT?".
func (q *question) continues() bool {
	return q.has(followLead) || len(q.slots) > 0 && len(q.contentWords()) == 0 && len(strings.Fields(q.text)) <= 6 && len(q.of(symbolSlot)) == 0
}

// contentWords returns the words that carry the meaning of a question.
func (q *question) contentWords() []string {
	var out []string
	for _, w := range q.words() {
		if w.chinese {
			for _, r := range strings.NewReplacer("那", "", "呢", "", "换成", "", "再看", "", "如果", "").Replace(w.text) {
				if !everyday()[string(r)] {
					out = append(out, w.text)
					break
				}
			}
		} else if !isEveryday(w.text) {
			out = append(out, w.text)
		}
	}
	return out
}

// follow repeats the previous question with the changes in this one.
func (c dialog) follow(q *question, before frame) (decision, bool) {
	t := c.tools[before.tool]
	if t == nil || t.help != nil {
		return decision{}, false
	}
	if lead := adding().FindStringSubmatchIndex(q.low); lead != nil && t.takesSymbols() && before.tool != "quote" {
		q = c.read("and "+q.text[lead[2]:], q.now)
	}
	account, accountStart, accountEnd := q.accountName()
	if account != "" && (t.takes("account") || t.takes("accounts")) {
		rest := c.read(q.text[:accountStart]+q.text[accountEnd:], q.now)
		if !c.saysEvery(t, rest) {
			return decision{}, false
		}
	} else if !c.saysEvery(t, q) {
		return decision{}, false
	}
	previous := c.read(before.text, q.now)
	if now, was := q.of(currencySlot), previous.of(currencySlot); before.tool == "fx_rate" && len(now) == 1 && len(was) > 0 {
		q = c.read(previous.text[:was[len(was)-1].start]+now[0].name+previous.text[was[len(was)-1].end:], q.now) // "and yen?"
		return c.carryOut(q, c.choose(q, before.tool)[0]), true
	}
	if n := q.of(numberSlot); len(n) == 1 && len(q.slots) == 1 && len(previous.of(numberSlot)) == 0 && len(previous.of(durationSlot)) == 1 {
		q = c.read(q.text[:n[0].end]+" years"+q.text[n[0].end:], q.now) // "and over 10?"
	}
	if len(q.slots) == 0 && len(q.contentWords()) == 0 && account == "" {
		return decision{}, false
	}
	several := t.takesSymbols() && before.tool != "quote" && before.tool != "chart"
	replaced := map[kind]bool{}
	if len(q.of(symbolSlot)) > 0 && !(several && q.has(addsLead)) && !q.has(asBenchmark) {
		replaced[symbolSlot] = true
	}
	if len(q.of(periodSlot, durationSlot)) > 0 {
		replaced[periodSlot], replaced[durationSlot] = true, true
	}
	for _, k := range []kind{numberSlot, percentSlot} {
		if len(q.of(k)) > 0 && len(previous.of(k)) == 1 {
			replaced[k] = true
		}
	}
	text, rest := previous.without(replaced), q.text
	if old, new := previous.only(replaced), q.only(replaced); old != nil && new != nil && len(q.contentWords()) == 0 {
		// In place, because the words around it determine its meaning.
		name := new.name
		if old.currency != "" && new.currency == "" {
			name += " " + old.currency // "and 250?" after "100 euros"
		}
		text, rest = previous.text[:old.start]+name+previous.text[old.end:], ""
	}
	joined := c.read(strings.TrimSuffix(text+", "+rest, ", "), q.now)
	joined.added = len(text)
	joined.notes = q.notes
	candidates := c.choose(joined, before.tool)
	if len(candidates) == 0 || len(candidates[0].unknown) > 0 {
		return decision{}, false
	}
	joined.chinese = q.chinese
	return c.carryOut(joined, candidates[0]), true
}

// only returns the one slot of some kinds, or nil if there are none or several.
func (q *question) only(kinds map[kind]bool) *slot {
	var out *slot
	for i, s := range q.slots {
		if kinds[s.kind] {
			if out != nil {
				return nil
			}
			out = &q.slots[i]
		}
	}
	return out
}

// without returns the text without the slots of some kinds.
func (q *question) without(kinds map[kind]bool) string {
	var b strings.Builder
	at := 0
	for _, s := range q.slots {
		if kinds[s.kind] && s.start >= at {
			b.WriteString(q.text[at:s.start])
			at = s.end
		}
	}
	b.WriteString(q.text[at:])
	return strings.TrimRight(strings.Join(strings.Fields(b.String()), " "), "?.!。？ ")
}

// answer chooses a tool for a question that is not a follow-up.
func (c dialog) answer(q *question, before frame) decision {
	if name := q.bare(); name != "" && q.shape() == "" {
		return c.carryOut(q, c.choose(q, name)[0])
	}
	if bookTools[before.tool] && len(q.slots) > 0 && len(q.of(symbolSlot)) == 0 && q.has(pronoun) && len(cues(q.low, mineCues)) == 0 {
		with := c.read(q.text+" my portfolio", q.now)
		with.chinese = q.chinese
		q = with // "how did it do this year"
	}
	candidates := c.choose(q, "")
	if len(candidates) > 0 && candidates[0].form.symbols > 1 && len(before.symbols) == 1 {
		before.symbols = slices.Concat(before.earlier, before.symbols)
	}
	if len(before.symbols) > 0 && len(q.of(symbolSlot)) == 0 && (q.has(pronoun) || q.has(followLead) || len(strings.Fields(q.text)) <= 5) && (wantsSymbol(candidates) || len(q.contentWords()) == 0 || q.has(itsOwn)) && (len(candidates) == 0 || !candidates[0].shaped || candidates[0].tool.takes("symbol") || len(candidates[0].missing) > 0 || q.has(itsOwn)) {
		text := q.text + " " + strings.Join(before.symbols, " ")
		timed := text
		if len(q.of(periodSlot, durationSlot)) == 0 {
			timed += " " + before.time
		}
		for _, text := range []string{timed, text} {
			with := c.read(text, q.now)
			better := c.choose(with, "")
			if len(with.of(symbolSlot)) == 0 || len(better) == 0 || len(better[0].unknown) > 0 || text != q.text && text == timed && before.time != "" && !better[0].tool.takes("range") {
				continue
			}
			if strings.Trim(q.low, " ?.!") == "income" {
				q.note("I read this as the income statement of "+before.symbols[0]+"; `my dividends` shows the income of your portfolio.", "")
			}
			with.notes, with.chinese = q.notes, q.chinese
			return c.carryOut(with, better[0])
		}
	}
	if len(candidates) > 0 && candidates[0].form.symbols > 1 && len(q.of(symbolSlot)) == 1 && len(before.symbols) > 0 && q.has(pronoun) {
		with := c.read(q.text+" "+before.symbols[0], q.now) // "compare it with BND"
		with.chinese = q.chinese
		return c.carryOut(with, c.choose(with, candidates[0].tool.Name)[0])
	}
	if len(candidates) == 0 {
		return c.notUnderstood(q, q.contentWords(), nil)
	}
	if len(q.slots) == 1 && len(q.words()) == 0 && len(q.of(numberSlot, percentSlot, countSlot, periodSlot, durationSlot)) == 1 && q.shape() == "" {
		return c.notUnderstood(q, []string{q.slots[0].name}, nil)
	}
	best := candidates[0]
	if len(best.unknown) > 0 && best.convincing() {
		q.note("I did not understand "+quotedList(best.unknown)+".", "我没有理解 "+quotedList(best.unknown)+"。")
	} else if len(best.unknown) > 0 {
		i := slices.IndexFunc(candidates, func(k candidate) bool { return len(k.unknown) == 0 && k.score > best.score*0.6 })
		if skill := c.describedSkill(q); i < 0 && skill != "" {
			return c.useSkill(q, skill)
		}
		if i < 0 && q.has(definition) && len(q.slots) == 0 && len(q.words()) <= 5 {
			return c.declined(q, &refusal{reason: "definition", english: "To explain terms, I need a language model; connect one with `/setup`.", chinese: "解释术语需要语言模型；用 `/setup` 连接。"})
		}
		if i < 0 {
			return c.notUnderstood(q, best.unknown, candidates)
		}
		best = candidates[i]
	}
	switch {
	case best.tool.help == nil && !best.shaped && !q.spells(best.tool.Name) && (best.unasked || !best.supported() || len(best.missing) > 0 && best.evidence() == 0):
		return c.notUnderstood(q, nil, candidates)
	case (len(best.missing) > 0 && q.has(definition) || q.has(explaining) && best.tool.help == nil) && len(q.slots) == 0:
		return c.declined(q, &refusal{reason: "definition", english: "To explain terms, I need a language model (connect one with `/setup`). I can show figures, for example: `" + best.tool.example(q) + "`.",
			chinese: "解释术语需要语言模型（用 `/setup` 连接）。我可以给出数字，例如：`" + best.tool.example(q) + "`。"})
	}
	return c.carryOut(q, best)
}

// spells reports whether a question has the name of a workflow skill, such as what-if-monthly-saving.
func (q *question) spells(tool string) bool {
	name, ok := strings.CutPrefix(tool, "skill_")
	return ok && strings.Contains(q.low, strings.ReplaceAll(name, "_", "-"))
}

// describedSkill returns the skill whose description has all content words of a question, at least
// two; "" if none.
func (c *catalog) describedSkill(q *question) string {
	words := slices.DeleteFunc(q.contentWords(), func(w string) bool { return w == "portfolio" })
	if len(q.of(numberSlot, percentSlot, durationSlot)) > 0 {
		return ""
	}
	for _, m := range c.index.SearchKind(q.plain(), "skill", 3) {
		s := c.skills[slices.IndexFunc(c.skills, func(s *knownTool) bool { return s.Name == m.Name })]
		if c.saysEvery(s, q) && (len(words) > 1 || q.chinese && len(words) > 0) {
			return m.Name
		}
	}
	return ""
}

// useSkill runs the workflow of a skill, or loads its instructions.
func (c dialog) useSkill(q *question, name string) decision {
	if workflow := workflowTool(name); c.tools[workflow] != nil {
		return c.carryOut(q, c.choose(q, workflow)[0])
	}
	return decision{
		frame: frame{text: q.text, tool: "Skill"}, calls: []call{{"Skill", map[string]any{"name": name}}},
		notes: q.notes, chinese: q.chinese, outcome: llm.Outcome{Kind: llm.OutcomeAnswered},
	}
}

// wantsSymbol reports whether the best tools lack only their symbol.
func wantsSymbol(candidates []candidate) bool {
	for _, k := range candidates[:min(len(candidates), 3)] {
		if slices.ContainsFunc(k.missing, func(r requirement) bool { return r.name == "symbol" || r.name == "symbols" }) || k.tool.takesSymbols() && !k.has("symbols") {
			return true
		}
	}
	return false
}

// carryOut calls the tool of a candidate, or asks for a missing value.
func (c *catalog) carryOut(q *question, k candidate) decision {
	if k.tool.help != nil {
		text := q.say(k.tool.help.english, k.tool.help.chinese)
		if k.tool.Name == helpIntro {
			text = overview(q.chinese)
		}
		return q.answered(text)
	}
	if k.tool.Unavailable {
		return decision{chinese: q.chinese, outcome: llm.Outcome{Kind: llm.OutcomeFailed}, text: q.say(
			"No source is available now: `"+k.tool.Name+"` needs the network. `nfa doctor --live` tests the sources.",
			"目前没有可用的数据源，这个问题需要联网才能回答。`nfa doctor --live` 可以测试数据源。")}
	}
	f := frame{text: q.text, tool: k.tool.Name}
	for _, s := range q.of(symbolSlot) {
		f.symbols = append(f.symbols, s.text)
	}
	for _, s := range q.of(periodSlot, durationSlot) {
		if s.period.Range != "today" {
			f.time = s.name
		}
	}
	if len(k.missing) > 0 {
		r := k.missing[0]
		f.missing = &r
		return q.asks(f, r.name, q.say(r.english, r.chinese))
	}
	d := decision{frame: f, notes: slices.Concat(q.notes, k.notes), chinese: q.chinese, outcome: llm.Outcome{Kind: llm.OutcomeAnswered}}
	if len(k.each) > 1 {
		for _, s := range k.each {
			args := map[string]any{}
			for name, v := range k.args {
				args[name] = v
			}
			args["symbol"] = s
			d.calls = append(d.calls, call{k.tool.Name, args})
		}
		return d
	}
	d.calls = []call{{k.tool.Name, k.args}}
	return d
}

func (q *question) answered(text string) decision {
	return decision{text: text, chinese: q.chinese, outcome: llm.Outcome{Kind: llm.OutcomeAnswered}}
}

func (q *question) asks(f frame, name, text string) decision {
	return decision{frame: f, text: text, notes: q.notes, chinese: q.chinese, outcome: llm.Outcome{Kind: llm.OutcomeAsked, Missing: []string{name}}}
}

// declined explains why a question is not answered, and what nfa can show instead.
func (c *catalog) declined(q *question, r *refusal) decision {
	text := q.say(r.english, r.chinese)
	if r.reason == "tip" || r.reason == "advice" || r.reason == "writing" || r.reason == "forecast" {
		text += "\n\n" + q.suggestions()
	} else if r.reason == "other" {
		text += " " + q.say("`/help` shows what I can do.", "`/help` 可以查看我能做什么。")
	}
	d := decision{text: text, chinese: q.chinese, outcome: llm.Outcome{Kind: llm.OutcomeDeclined}}
	for _, s := range q.of(symbolSlot) {
		d.frame.symbols = append(d.frame.symbols, s.text)
	}
	return d
}

// subject returns the first symbol in the question, or an example.
func (q *question) subject() string {
	if s := q.of(symbolSlot); len(s) > 0 {
		return strings.ReplaceAll(s[0].text, "`", "")
	}
	return "AAPL"
}

// suggestions returns questions that can be answered, about the symbol in the question.
func (q *question) suggestions() string {
	symbol := q.subject()
	if q.chinese {
		return "我可以提供事实，例如：\n\n- `" + symbol + " 股价`\n- `" + symbol + " 近五年的回报`\n- `" + symbol + " 的市盈率`"
	}
	return "I can show facts, for example:\n\n- `price of " + symbol + "`\n- `how did " + symbol + " do over 5 years`\n- `ratios of " + symbol + "`"
}

// notUnderstood names the words that were not understood.
func (c *catalog) notUnderstood(q *question, words []string, near []candidate) decision {
	if len(words) > 5 {
		words = words[:5]
	}
	text := q.say("I did not understand the question.", "我没有理解这个问题。")
	if len(words) > 0 {
		text = q.say("I did not understand "+quotedList(words)+".", "我没有理解 "+quotedList(words)+"。")
	}
	var nearest []string
	for _, k := range near {
		if k.tool.help == nil && len(nearest) < 3 && k.score > near[0].score*0.5 {
			if e := k.tool.example(q); e != "" {
				nearest = append(nearest, "- `"+e+"`")
			}
		}
	}
	if len(nearest) > 0 {
		text += "\n\n" + q.say("I can answer, for example:", "我可以回答，例如：") + "\n\n" + strings.Join(nearest, "\n")
	} else {
		text += "\n\n" + q.suggestions()
	}
	text += "\n\n" + q.say("See `/help` for what I can do; a language model (`/setup`) understands more.", "`/help` 查看我能做什么；连接语言模型（`/setup`）可以理解更多。")
	return decision{text: text, chinese: q.chinese, outcome: llm.Outcome{Kind: llm.OutcomeDeclined, NotUnderstood: words}}
}

// example returns a request that the tool answers, about the symbol in the question.
func (t *knownTool) example(q *question) string {
	symbol, other := q.subject(), "MSFT"
	if symbol == other {
		other = "AAPL"
	}
	for _, p := range t.Phrasings {
		if isHan(p) != q.chinese || strings.Contains(p, "`") {
			continue
		}
		p = strings.Replace(p, "<sym>", symbol, 1)
		p = strings.NewReplacer("<sym>", other, "<num>/<num>", "60/40", "<num> years", "5 years", "<num> months", "6 months", "<num>年", "5年", "<num>", "100", "<pct>", "5%", "<url>", "https://example.com", "<file>", "file.csv", "<isin>", "US0378331005").Replace(p)
		if !strings.Contains(p, "<") {
			return p
		}
	}
	return ""
}

// declineSkill states that a skill needs a language model, and suggests questions that work without
// one.
func (c *catalog) declineSkill(name, content string, chinese bool) decision {
	var usable []string
	for _, t := range toolsRequired(content) {
		if known := c.tools[t]; known != nil && known.help == nil && len(usable) < 3 {
			if e := known.example(&question{chinese: chinese}); e != "" {
				usable = append(usable, "`"+e+"`")
			}
		}
	}
	text := "The skill " + quoted(name) + " needs a language model; connect one with `/setup`."
	if len(usable) > 0 {
		text += " Without a model you can ask: " + strings.Join(usable, ", ") + "."
	}
	if chinese {
		text = "技能 " + quoted(name) + " 需要语言模型才能执行；用 `/setup` 连接。"
		if len(usable) > 0 {
			text += " 现在可以直接问：" + strings.Join(usable, "、") + "。"
		}
	}
	return decision{text: text, chinese: chinese, outcome: llm.Outcome{Kind: llm.OutcomeDeclined}}
}

// spoken reports whether a word is an everyday word or belongs to a tool.
func (c *catalog) spoken(w string) bool {
	c.learn()
	listed := func(w string) bool { return everyday()[w] || slices.Contains(c.toolWords, w) }
	if base, ok := strings.CutSuffix(strings.TrimSuffix(w, "s"), "e"); ok && len(base) > 2 && !strings.ContainsRune("sxzho", rune(base[len(base)-1])) && listed(base) && !listed(base+"e") && !listed(w) {
		return false // "lowe" is no form of "low"
	}
	return isEveryday(w) || c.stems[stem(w)] && !(stem(w) == w && c.names.has(strings.ToUpper(w)) && !slices.Contains(c.toolWords, w)) // GOOGL is the stem of google
}

// learn collects the words of all tools.
func (c *catalog) learn() {
	c.once.Do(func() {
		known := map[string]bool{}
		c.stems = map[string]bool{}
		for _, t := range c.tools {
			for _, w := range t.words() {
				if !known[w] && !isHan(w) {
					known[w], c.stems[stem(w)] = true, true
				}
			}
		}
		c.toolWords = slices.Sorted(maps.Keys(known))
	})
}

var toolLine = lazyregexp.New(`(?m)^(?:tools_required|allowed-tools):[ \t]*(.*)$`)

// toolsRequired returns the tools listed in the front matter of a skill.
func toolsRequired(content string) []string {
	m := toolLine().FindStringSubmatchIndex(content)
	if m == nil {
		return nil
	}
	list := content[m[2]:m[3]]
	if strings.TrimSpace(list) == "" {
		for line := range strings.Lines(content[m[1]:]) {
			item, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
			if !ok && strings.TrimSpace(line) != "" {
				break
			}
			list += " " + item
		}
	}
	return strings.FieldsFunc(list, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`[],"'`, r) })
}

// activation is a skill that the program hands over in a user message.
type activation struct{ name, arguments, content string }

var activationHead = lazyregexp.New(`^The user activated the skill "([^"\n]{1,200})"(?: with: ?)?`)

func parseActivation(message string) (activation, bool) {
	const open, end = "\n<skill ", "\n</skill>"
	m := activationHead().FindStringSubmatch(message)
	if m == nil {
		return activation{}, false
	}
	arguments, tagged, ok := strings.Cut(message[len(m[0]):], open)
	if !ok {
		return activation{}, false
	}
	_, content, ok := strings.Cut(tagged, ">\n")
	at := strings.LastIndex(content, end) // the skill's own text may contain the tag
	if !ok || at < 0 {
		return activation{}, false
	}
	return activation{m[1], strings.TrimSpace(strings.TrimPrefix(arguments, ".")), content[:at]}, true
}
