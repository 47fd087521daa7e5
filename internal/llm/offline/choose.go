package offline

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// candidate is a tool that may answer, with its arguments.
type candidate struct {
	*filling
	score   float64
	unknown []string // words that mean nothing to the tool
	foreign bool     // an unknown word belongs to another tool
	shaped  bool     // the question has the shape of the tool
	unasked bool     // the question lacks the words that the tool requires
}

// convincing reports whether the evidence for the tool is strong enough to answer despite unknown words.
// The answer names them.
func (k candidate) convincing() bool {
	enough := k.shaped && len(k.unknown) <= 2 || len(k.unknown) == 1 && !k.foreign && k.evidence() >= 2
	return enough && len(k.leftover()) == 0 && !slices.ContainsFunc(k.unknown, k.qualifies)
}

var qualifying = lazyregexp.New(`(?:^|\s)(?:of|for|about|in|with|without|excluding|except|per|by|minus|but|not|no|after|before|since|until|during|than)(?: (?:the|a|an|my|any))?$`)

// supported reports whether the question has a word of the tool, or a slot other than an instrument or
// a time.
func (f *filling) supported() bool {
	for _, s := range f.q.slots {
		if s.kind != symbolSlot && s.kind != periodSlot && s.kind != durationSlot {
			return true
		}
	}
	return f.evidence() > 0 || slices.ContainsFunc(f.q.words(), func(w word) bool {
		if w.chinese {
			return len(w.text)-len(strings.Join(f.unexplainedHan(w), "")) >= len("涨幅")
		}
		return !plainWords[w.text] && (f.wasHeard(w) || f.tool.says(w.text))
	})
}

// qualifies reports whether a word may change the meaning of the number or name before it ("apple pie",
// "in zorkmids").
func (f *filling) qualifies(word string) bool {
	at := strings.Index(f.q.text, word)
	before := strings.TrimSuffix(strings.TrimRight(f.q.low[:max(at, 0)], " "), "的")
	named := slices.ContainsFunc(f.q.of(symbolSlot), func(s slot) bool { return s.end == len(before) })
	return before == "" || named || strings.ContainsRune(digits, rune(before[len(before)-1])) || qualifying().MatchString(before)
}

// evidence counts the words that suggest the tool.
func (f *filling) evidence() int {
	n := 0
	for _, w := range f.q.words() {
		switch {
		case w.chinese:
			n += (utf8.RuneCountInString(w.text) - utf8.RuneCountInString(strings.Join(f.unexplainedHan(w), "")) + 1) / 3
		case !isEveryday(w.text) && (f.wasHeard(w) || f.tool.says(w.text)):
			n++
		}
	}
	return n
}

const maxCandidates = 12

var (
	mineCues = "my|mine|our|i own|i have|i hold|we own|do i|did i|am i|have i|我的|我现在|我持有|我今年|我赚|我亏|我有|我买|我卖|我们|帮我"
)

// choose ranks the tools for a question, the best first.
func (c dialog) choose(q *question, fixed string) []candidate {
	var out []candidate
	consider := func(name string, score float64) {
		t := c.tools[name]
		if t == nil || slices.ContainsFunc(out, func(o candidate) bool { return o.tool.Name == name }) {
			return
		}
		out = append(out, c.rank(q, t, score))
	}
	if fixed != "" {
		consider(fixed, 1)
		return out
	}
	best := 0.0
	for _, m := range c.index.SearchKind(q.plain(), "tool", maxCandidates) {
		best = max(best, m.Score)
		consider(m.Name, m.Score)
	}
	// If no candidate understands the whole question, add the tools that have all its content words.
	understood := func(k candidate) bool { return len(k.unknown) == 0 && k.evidence() > 0 }
	if len(q.contentWords()) > 0 && len(q.slots) > 0 && !q.chinese && !slices.ContainsFunc(out, understood) {
		for _, name := range c.toolNames {
			if t := c.tools[name]; t.help == nil && verbs[name] == "" && c.saysEvery(t, q) {
				consider(name, 0.8*best)
			}
		}
	}
	// A tool that the shape of the question suggests is a candidate, too.
	name := q.shape()
	if skill := c.namedSkill(q); skill != "" {
		name = skill
	}
	if words := strings.Join(q.contentWords(), "_"); name == "" && c.tools[words] != nil {
		name = words // "correlation", "option price"
	}
	if name != "" {
		consider(name, best)
		top := 0.0
		for _, k := range out {
			if k.tool.Name != name {
				top = max(top, k.score)
			}
		}
		for i, k := range out {
			out[i].shaped = k.tool.Name == name
			switch {
			case k.tool.Name == name && k.tool.help != nil:
				out[i].unknown, out[i].score = nil, 1.2*top
			case k.tool.Name != name:
			case len(k.unknown) == 0:
				out[i].score = max(k.score, 1.2*top)
			default:
				out[i].score = max(k.score, best) * 1.25
			}
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return out
}

// plain returns the text for the index: each symbol or name is replaced by its symbol in capitals.
func (q *question) plain() string {
	var b strings.Builder
	at := 0
	for _, s := range q.slots {
		if s.kind == symbolSlot && s.start >= at {
			b.WriteString(q.text[at:s.start] + " AAPL ")
			at = s.end
		}
	}
	return b.String() + q.text[at:]
}

// skillCues are words that people use to start a skill.
const skillCues = "use|run|apply|start|follow|load|activate|skill|do|技能|用|运行|执行"

// namedSkill returns the tool that runs or loads a skill that the question names, or "".
func (c *catalog) namedSkill(q *question) string {
	best, _ := skillIn(q.low, c.skills)
	hyphenated := strings.Contains(best, "-")
	switch {
	case best == "" || len(q.of(fileSlot)) > 0, !hyphenated && len(cues(q.low, "skill|技能")) == 0:
		return ""
	case len(cues(q.low, skillCues)) == 0 && !(hyphenated && strings.Contains(q.low, best)):
		return ""
	}
	if c.tools[workflowTool(best)] != nil {
		return workflowTool(best)
	}
	return "Skill"
}

// skillIn returns the skill with the longest name that occurs in a text, and where; "" if there is none.
func skillIn(low string, skills []*knownTool) (name string, at [2]int) {
	for _, s := range skills {
		if len(s.Name) <= len(name) {
			continue
		}
		first, _, _ := strings.Cut(s.Name, "-")
		found := cues(low, first+" skill")
		if spelled := spelledAt(low, s.Name); spelled != nil {
			found = append(found, [2]int(spelled))
		}
		if len(found) > 0 {
			name, at = s.Name, found[0]
		}
	}
	return name, at
}

// spelledAt returns where a name occurs, with any hyphens and spaces in it; nil if it does not.
func spelledAt(low, name string) []int {
	joiner := func(r rune) bool { return r == '-' || r == ' ' }
	for start := range low {
		if start > 0 && isWordByte(low[start-1]) {
			continue
		}
		at, left := start, strings.ReplaceAll(name, "-", "")
		for at < len(low) && left != "" {
			if low[at] == left[0] {
				left = left[1:]
			} else if at == start || !joiner(rune(low[at])) {
				break
			}
			at++
		}
		if left == "" && (at == len(low) || !isWordByte(low[at])) {
			return []int{start, at}
		}
	}
	return nil
}

// workflowTool returns the name of the tool that runs the steps of a skill, if it has steps.
func workflowTool(skill string) string { return "skill_" + strings.ReplaceAll(skill, "-", "_") }

// rank fills the arguments of a tool and weighs how well they fit.
func (c dialog) rank(q *question, t *knownTool, score float64) candidate {
	f := c.fill(q, t)
	k := candidate{filling: f, score: score}
	if t.help != nil {
		k.unknown = f.unexplained()
		if q.has(howTo) {
			k.score *= 1.4
		}
		for range k.unknown {
			k.score *= 0.85
		}
		return k
	}
	if !f.form.words {
		k.unknown = f.unexplained()
	} else if t.Name == "macro_series" || t.Name == "news" {
		for _, s := range f.leftover() {
			if s.kind == numberSlot || s.kind == percentSlot {
				k.unknown = append(k.unknown, s.name)
			}
		}
	}
	for range k.unknown {
		k.score *= 0.75
	}
	k.foreign = slices.ContainsFunc(k.unknown, func(w string) bool { return c.spoken(strings.ToLower(w)) })
	for _, r := range f.missing {
		switch r.name {
		case "symbol", "symbols":
			k.score *= 0.75
		default:
			k.score *= 0.88
		}
	}
	if f.form.symbols > 1 && len(q.of(symbolSlot)) == 1 {
		k.score *= 0.5
	}
	if len(cues(q.low, mineCues)) > 0 {
		if bookTools[t.Name] || t.Name == "add_transaction" {
			k.score *= 1.3
		}
	}
	if bookTools[t.Name] && len(cues(q.low, mineCues)) == 0 && len(q.of(symbolSlot)) > 0 && t.Name != "watchlist" {
		k.score *= 0.7
	}
	if calculators[t.Name] && len(q.of(numberSlot, percentSlot, durationSlot, countSlot)) >= 2 {
		k.score *= 1.25
	}
	if calculators[t.Name] && len(q.of(numberSlot, percentSlot, countSlot)) == 0 && !q.spells(t.Name) {
		k.score *= 0.5
	}
	if verbs, ok := verbs[t.Name]; ok && len(cues(q.low, verbs)) == 0 && !(t.Name == "macro_series" && f.has("series_id")) {
		k.score *= 0.2
		k.unasked = true
	}
	return k
}

// howTo matches questions about how to do something with nfa.
var howTo = lazyregexp.New(`^(?:so |and )?(?:how (?:do|can|could) (?:i|you|we|one)\b|can (?:i|you) (?:use|connect|change|set)\b|where (?:do|can) (?:i|you)\b)|^(?:怎么|如何|怎样)`)

// coinSlot means a symbol slot that holds a coin.
const coinSlot = kind(-1)

// daySlot means a period of the calendar, such as a day or a year.
const daySlot = kind(-2)

var (
	unwatching = lazyregexp.New(`\b(?:take|drop|get) (?:\S+ ){0,3}off\b|\bstop (?:watching|following|tracking)\b|取消关注|不再关注`)
	eachMonth  = lazyregexp.New(`(?:%|percent|years?|yrs?|y) (?:per|a|each) month\b`)
	lasting    = lazyregexp.New(`\b(?:does|do|will|would|can)\b.*\blast\b|\b(?:chance|chances|odds|probability|likely|if|that)\b.*\b(?:my|our|money|savings|it|portfolio)\b.*\blasts?\b`)
	whyMoved   = lazyregexp.New(`\bwhy (?:is|did|has|are|was)\b|为什么.*(?:跌|涨)`)
	asking     = lazyregexp.New(`^what (?:all )?(?:can|could|may|should) i (?:ask|say|type)\b`)
	identity   = lazyregexp.New(`^(?:so )?(?:are|r) (?:you|u)\b|\bwho (?:are|made|built) you\b|\bwhat are you\b|\byou and (?:chatgpt|claude|gpt|gemini)\b|\bdiffer\w* .{0,10}(?:chatgpt|claude|gemini)|你是谁|你是(?:什么|人工|机器|chatgpt|ai)`)
	tradedBy   = lazyregexp.New(`^(?:(?:i|we)(?: have|'ve)?(?: just)? )?(?:bought|sold)\b|^我?(?:刚|刚刚|昨天|今天)?(?:买|卖)了`)
	cashMoved  = lazyregexp.New(`^(?:i |we |record |log |add |note |today |yesterday )*(?:just )?(?:paid|got|received|deposited|withdrew|put)\b|^(?:我)?(?:收到|支付|存入|取出|入金|出金)`)
	gotten     = lazyregexp.New(`\b(?:did|have) i (?:get|got|gotten|receive|received|earn|earned|collect|collected)\b|\bi(?: have|'ve)? (?:got|received|earned|collected)\b|我.{0,6}(?:收到|拿到|收了)`)
	soldBy     = lazyregexp.New(`\bhow much (?:money )?(?:did|does|has|do) (?:[a-z0-9&.' -]+ )?(?:sell|sold|make|earn|earned|spend|spent|owe|take in)\b`)
	noting     = lazyregexp.New(`^(?:please )?(?:note|record|log|remember|write)\b|^(?:请|帮我)?记`)
	listing    = lazyregexp.New(`^(?:please )?(?:list|find|show(?: me)?|search(?: for)?|which|what) .*\b(?:etfs|funds|coins|indices)\b|有哪些.*(?:基金|etf)`)
	paidOut    = lazyregexp.New(`\b(?:did|have) i (?:pay|paid|spend|spent)\b|\bi(?:'ve)? (?:have )?paid\b|\bwithheld\b|我.{0,8}(?:付|交|缴)了`)
	winning    = lazyregexp.New(`\bmy (?:\w+ )?(?:holdings|positions|stocks|shares|funds|investments)\b.*\b(?:losing|lost|down|up|winning|gained|in the red|in the green|underwater|making)\b|\bmy (?:best|worst) (?:\w+ )?(?:investment|stock|holding|position|performer)s?\b|我.{0,6}(?:哪|最).{0,10}(?:亏|赚|涨|跌)`)
	tradedWhat = lazyregexp.New(`\b(?:what|which|when|how often)\b.*\bdid i (?:buy|sell)\b|\b(?:trades|transactions|purchases|sales) (?:did|have) i (?:make|made|do|done)\b|\bhave i (?:bought|sold)\b|\bmy (?:\S+ ){0,3}(?:trades|transactions|purchases|sales|orders)\b|(?:买|卖)了(?:什么|哪些|啥)|我.{0,6}交易`)
	whyFigure  = lazyregexp.New(`^(?:so |and )?(?:how do you know|where (?:can|do|does|did) .*(?:number|figure)s?\b|what is .*(?:number|figure) based)`)
	willGet    = lazyregexp.New(`\b(?:will|do|can) (?:i|we) (?:get|receive|earn|collect|make)\b.*\b(?:dividends?|coupons?|interest)\b|\bdividends?\b.*\b(?:will|do|can) (?:i|we) (?:get|receive|earn|collect|make)\b|我?.{0,4}(?:明年|未来|今后|会|能).{0,8}(?:分红|股息|派息|利息)`)
	sharing    = lazyregexp.New(`\bmy (?:data|information|portfolio|holdings|positions|questions)\b.*\b(?:shared?|private|safe|secure|sent|uploaded|seen|sold|leave)\b|\b(?:do|does|will) (?:you|nfa|it) (?:share|sell|upload|send|track|leak)\b|\bwho (?:can|could) see\b`)
	mine       = lazyregexp.New(`^(?:please )?(?:what are|what's in|show(?: me)?|list|see|give me)(?: all| the)?(?: of)? my (?:stocks|shares|holdings|positions|investments|funds|etfs|portfolio)\b|^my (?:portfolio|positions|holdings)[.?! ]*$`)
	// changingAlert matches requests to remove, pause or resume a rule.
	changingAlert = lazyregexp.New(`\b(?:delete|remove|cancel|drop|stop|pause|resume|mute)\b|删|取消|暂停`)
	operation     = lazyregexp.New(`\d ?[*^×÷] ?\(?-?[\d.]|\d ?[+/] ?\(?[\d.]+ ?[*+/=?-]|\) ?[*/^]|[\d%万亿] ?(?:加上?|减去?|乘以?|除以?) ?\(?[\d.]`)
	importing     = lazyregexp.New(`^(?:please |can you |could you )?(?:import|load|read in|upload)\b|^(?:请|帮我)?(?:导入|读入|上传)`)
	openNow       = lazyregexp.New(`\b(?:is|are|will|does|do|when)\b.*\b(?:open|opens|opening|closed|close|closes|trading hours|holiday)\b|开盘|收盘|休市|开市`)
	happened      = lazyregexp.New(`^what happened (?:in|during|between|from|since)\b`)
	timeIn        = lazyregexp.New(`^(?:the |local |what is the |what's the )*time in\b`)
	usingSkill    = lazyregexp.New(`\b(?:use|run|start|apply|follow|load)\b.*\bskill\b|(?:用|运行|执行).*技能`)
	supporting    = lazyregexp.New(`\b(?:do|does|can|will) (?:you|nfa|it) (?:support|read|import|work with)\b|支持`)
	moved         = lazyregexp.New(`\b(?:moved|transferred)\b.*\bto\b|转入|转出|转到`)
	traded        = lazyregexp.New(`^(?:i |we |ok,? |yesterday |today |please |record |log |add |note )*(?:have )?(?:just )?(?:that )?(?:i )?(?:bought|sold|purchased|picked up|bougth)\b|(?:买入|买了|买进|卖出|卖了|加仓|减仓|购入)`)
	notifying     = lazyregexp.New(`\b(?:let me know|e-?mail me|text me|message me|alert (?:me|when|if)|set (?:an |up an )?alert|tell me (?:when|if|once|as soon)|notify me|remind me|ping me|warn me|keep an eye)\b|提醒我|通知我|关注|.(?:时|就|[%\d])告诉我$`)
	// ruleLead is what people write before a rule.
	ruleLead = lazyregexp.New(`^(?:please )?(?:(?:add|create|set|make|new)(?: (?:up|an?|me|the|new))* )?(?:(?:alert|rule)s?[: ]+)+(?:for |on |rule )?|^(?:添加|新建|设置|增加)(?:一个|一条)?(?:提醒|规则)[：: ]*`)
	// scheduledNote matches requests for a morning note at a time.
	scheduledNote = lazyregexp.New(`(?:morning note|digest|晨报|早报).*\d{1,2}:\d{2}|\d{1,2}:\d{2}.*(?:morning note|digest|晨报|早报)`)
	rebalancing   = lazyregexp.New(`^(?:please |can you |how do i |how should i )?re-?balanc\w* (?:to|my|me|the|towards)|\bback (?:to|on) (?:my )?targets?\b|回到目标|再平衡`)
	owning        = lazyregexp.New(`\b(?:what|which) (?:\w+ )?(?:stocks?|shares|funds|etfs|bonds|coins|companies|investments) (?:do|did) (?:i|we) (?:have|own|hold)\b|\b(?:do i|i) (?:own|hold)\b|\bdo i have\b.*\b(?:in|at|of|shares?|stocks?|cash)\b|\bhow (?:many|much)\b.*\bdo i (?:have|own|hold)\b|\bwhat(?:'s| is) my (?:portfolio|account).*\bworth\b|我(?:现在)?(?:持有|有)(?:多少|哪些|什么)|组合.{0,4}值`)
	allocating    = lazyregexp.New(`\bhow (?:much|is|are) (?:of )?my (?:money|portfolio|holdings|assets)\b.{0,20}\b(?:in|across|split|spread|divided|invested)\b|\bwhat (?:percent|percentage|share|part|fraction) of my (?:portfolio|money|holdings)\b|\b(?:which|what) (?:countries|sectors|currencies|regions|asset classes)\b.*\b(?:i|my)\b|\b(?:sector|region|currency|country|asset) (?:allocation|exposure|breakdown|split)\b|\b(?:weight|share|percentage|proportion) of\b.*\bmy\b|\bpie chart\b.*\bmy\b|占比|行业分布`)
	earning       = lazyregexp.New(`\bam i (?:up|down|winning|losing|beating)\b|\b(?:did|have|how much did|how much have) i (?:make|made|lose|lost|earn|earned|gain|gained|beat|do|done)\b|\bhow (?:am i|did i|have i|(?:is|did|has|have|are) my (?:[\w-]+ )?(?:portfolio|account|investments?|stocks?|holdings?|positions?|money|funds?|etfs?|shares?|savings))\b.*\b(?:do|doing|done|perform\w*|going)\b|\bmy (?:(?:portfolio|account)(?:'s)? )?(?:returns?|performance)\b|我.{0,6}(?:赚|亏|收益|跑赢|回报)`)
	doing         = lazyregexp.New(`\bwhat (?:does|do|is it that)\b.*\b(?:do|make|sell)\b|\bwhat(?:'s| is) .{0,30}\bbusiness\b|\bwho (?:runs|is the ceo of|founded)\b|\bwhat kind of (?:company|business)\b|(?:做什么|干什么|主营|是什么公司)`)
	faring        = lazyregexp.New(`\bhow (?:did|has|have|was|were|well|is|are)\b.*\b(?:do|done|fare|fared|perform\w*|doing|go|gone)\b|\bhow much did\b.*\b(?:make|go up|go down|rise|fall|drop|grow|lose|gain|return)\b|\b(?:performance|return|returns|returned|from (?:its |the )?(?:peak|top|high)|moved|risen|climbed|drawdown|volatility|doubled|tripled|up or down|good year|bad year|gain|gained|lost|lose|made|fell|rose|risen|fallen|happened)\b|\b(?:is|was|are|were)\b.*\b(?:up|down)\b|表现|怎么样|涨了|跌了|回报|报酬|收益|走势|回撤|波动`)
)

// aboutIt matches questions about what a company is.
var aboutIt = lazyregexp.New(`^(?:please |can you |could you )?(?:tell me (?:more |something )?about|what kind of company is|who is|describe) `)

// shapes are forms of questions that suggest one tool. The first match counts.
var shapes = []struct {
	tool    string
	cues    string
	pattern func() *regexp.Regexp
	needs   []kind
	never   []kind
}{
	{tool: "check_api", cues: "up|down|reachable|status|api|403|404|respond*|alive", needs: []kind{urlSlot}},
	{tool: "Skill", pattern: usingSkill},
	{tool: "help_import", cues: accountNames, pattern: supporting},
	{tool: "help_import", cues: "which brokers|what brokers|哪些券商"},
	{tool: "help_identity", pattern: identity},
	{tool: "import_transactions", pattern: importing},
	{tool: helpIntro, pattern: asking},
	{tool: "help_privacy", pattern: sharing},
	{tool: "help_doctor", cues: "my settings|your settings"},
	{tool: "help_why", cues: "based on|how do you know|where * from|number come*|figures come*|数字*来", pattern: whyFigure},
	{tool: "add_transaction", cues: "exchanged|converted", needs: []kind{numberSlot, periodSlot}},
	{tool: "add_transaction", pattern: moved, needs: []kind{symbolSlot, periodSlot}},
	{tool: "add_transaction", pattern: traded, needs: []kind{symbolSlot, numberSlot}, never: []kind{percentSlot, durationSlot}},
	{tool: "add_transaction", cues: "fees?|commissions?|dividends?|interest|deposit*|withdr*|account|手续费|分红|股息|利息|入金|出金", pattern: cashMoved, needs: []kind{numberSlot, periodSlot}},
	{tool: "decision_journal", cues: "because|因为|since i think", pattern: noting},
	{tool: "add_transaction", pattern: tradedBy, needs: []kind{symbolSlot}, never: []kind{durationSlot}},
	{tool: "alerts", cues: "my alerts|which alerts|what alerts|alert rules|alerts do i have|哪些提醒|我的提醒"},
	{tool: "alerts", pattern: notifying, cues: "earnings|10-k|10-q|8-k|files|filing|ex-dividend|drawdown|average|profile limit|long-term|harvest|released|earnings within|earnings * within|decision review|2s10s|margin*|p/e|除息|均线|回撤|提交|发布|公布|内财报|毛利率|市盈率"},
	{tool: "alerts", pattern: scheduledNote},
	{tool: "alerts", pattern: notifying, needs: []kind{percentSlot}},
	{tool: "watchlist", cues: "keep an eye on", needs: []kind{symbolSlot}},
	{tool: "watchlist", pattern: notifying, needs: []kind{symbolSlot, numberSlot}},
	{tool: "portfolio_settings", cues: "my targets|my target|set targets|设成|目标设|目标权重", needs: []kind{symbolSlot, percentSlot}},
	{tool: "rebalance_plan", pattern: rebalancing},
	{tool: "portfolio_transactions", cues: "fees?|commissions?|tax|taxes|手续费|佣金|税", pattern: paidOut, never: []kind{numberSlot}},
	{tool: "portfolio_positions", pattern: winning, never: []kind{numberSlot, symbolSlot, periodSlot, durationSlot}},
	{tool: "income_calendar", pattern: willGet, never: []kind{symbolSlot, numberSlot}},
	{tool: "portfolio_performance", cues: "my gains|my profits?|my losses|my returns?|my performance|我的收益|我的盈亏", needs: []kind{periodSlot}, never: []kind{symbolSlot, numberSlot}},
	{tool: "portfolio_transactions", pattern: tradedWhat, never: []kind{numberSlot}},
	{tool: "portfolio_positions", pattern: owning, never: []kind{numberSlot}},
	{tool: "portfolio_allocation", pattern: allocating, never: []kind{numberSlot}},
	{tool: "portfolio_performance", cues: "beat*|against|vs|versus|compared|benchmark|outperform*|跑赢|相对", pattern: earning, never: []kind{numberSlot}},
	{tool: "portfolio_positions", pattern: earning, needs: []kind{symbolSlot}, never: []kind{numberSlot, periodSlot}},
	{tool: "portfolio_performance", pattern: earning, never: []kind{numberSlot}},
	{tool: "option_price", cues: "black-scholes|black scholes|greeks"},
	{tool: "news", cues: "new with|new at|news|headlines?|going on with|going on at|happening with|happening at|anything new|what's new|latest on|新闻|消息", needs: []kind{symbolSlot}},
	{tool: "news", pattern: whyMoved, needs: []kind{symbolSlot}},
	{tool: "company_profile", pattern: doing, needs: []kind{symbolSlot}},
	{tool: "news", cues: "news|headlines|新闻|头条", never: []kind{symbolSlot, numberSlot, percentSlot}},
	{tool: "macro_series", cues: seriesNames(), never: []kind{symbolSlot, numberSlot, percentSlot, currencySlot}},
	{tool: "portfolio_transactions", cues: "dividends?|interest|股息|分红|利息", pattern: gotten},
	{tool: "financial_statements", cues: "losing money|making money|make money|makes money|profitable|赚钱|亏损|盈利", needs: []kind{symbolSlot}, never: []kind{numberSlot, percentSlot, countSlot}},
	{tool: "financial_statements", pattern: soldBy, needs: []kind{symbolSlot}, never: []kind{numberSlot, percentSlot}},
	{tool: "risk_metrics", cues: "information ratio|omega|calmar|sharpe|sortino|beta|alpha|贝塔系数|skew*|kurtosis|value at risk|expected shortfall|standard deviation|标准差|var|cvar|treynor|夏普|贝塔|在险价值|索提诺", needs: []kind{symbolSlot}},
	{tool: "earnings", cues: "earnings dates?|expect|expects|expected|expecting|expectations?|estimates?|consensus|beat|misses|missed|next earnings|last earnings|latest earnings|earnings results|report earnings|reports earnings|earnings report|earnings call|财报|业绩预期", needs: []kind{symbolSlot}, never: []kind{percentSlot}},
	{tool: "key_ratios", cues: "multiple|pe|price earnings|price to book|price to sales|price to earnings|price/earnings|price/book|price/sales|p/e|p/b|p/s|pe ratio|pb ratio|roe|roa|roic|roce|return on equity|return on assets|return on invested|profit margin*|gross margin*|operating margin*|net margin*|debt to equity|current ratio|quick ratio|ev/ebitda|ev/sales|payout ratio|earnings yield|cash flow yield|fcf yield|peg|overvalued|undervalued|expensive|cheap|market cap*|enterprise value|市值|市盈率|市净率|市销率|市现率|leverage*|indebted|净资产收益率|毛利率|净利率|估值|负债率|高估|低估", needs: []kind{symbolSlot}},
	{tool: "dcf_valuation", cues: "dcf|fair value|intrinsic value|discounted cash flow*|内在价值|现金流折现", needs: []kind{symbolSlot}},
	{tool: "filing_section", cues: "risks?|business|legal|management", pattern: formAt, needs: []kind{symbolSlot}},
	{tool: "filing_section", cues: "ceo pay|executive pay|executive compensation|risk factors|risks|management|cybersecurity|lawsuits?|business section|section|风险因素|md&a|management discussion|management's discussion|legal proceedings|item 1|item 7|诉讼", needs: []kind{symbolSlot}},
	{tool: "filings", cues: "10-k*|10k|10-q*|10q|8-k*|8k|20-f*|filings?|annual report|年报|公告|文件", needs: []kind{symbolSlot}},
	{tool: "insider_trades", cues: "insider*|内部人*|高管*", needs: []kind{symbolSlot}},
	{tool: "efficient_frontier", cues: "efficient frontier|有效前沿|有效边界", needs: []kind{symbolSlot, symbolSlot}},
	{tool: "chart", cues: "chart|plot|draw|graph|histogram|candle*|画|走势图|图表|k线", needs: []kind{symbolSlot}},
	{tool: "correlation", cues: "correlat*|move together|together|moves? with|related|relation*|diversif*|follows?|tracks?|相关*", needs: []kind{symbolSlot, symbolSlot}},
	{tool: "optimize_portfolio", cues: "max* sharpe|minimum volatility|min volatility|minimum variance|min variance|lowest variance|lowest risk|safest|least risk*|lowest vol*|least volatil*|risk parity|max sharpe|best sharpe|optimal weights|optimi*|最小波动|波动最小|风险平价|最优", needs: []kind{symbolSlot, symbolSlot}},
	{tool: "backtest", cues: "backtest*|simulate|hypothetically|回测", needs: []kind{symbolSlot}},
	{tool: "market_status", cues: "stock exchange|exchange|nyse|nasdaq|交易所", pattern: openNow, never: []kind{numberSlot}},
	{tool: "price_history", cues: "52 week|52-week|52周|all time high|all-time high|closed|close on|close of|closing price|closing prices|daily prices|收盘价|收盘", needs: []kind{symbolSlot}},
	{tool: "tax_lots", cues: "cost basis|tax lots?|harvest*|抵税|持仓成本|成本价|wash sale*|did i pay|i paid for|average price|purchase price|realized gains?|realised gains?|capital gains?"},
	{tool: "current_time", pattern: timeIn, never: []kind{symbolSlot}},
	{tool: "current_time", cues: "what time is it|time is it|current time|what day is it|what is the date|todays date|today's date|几点了|现在几点|今天几号|星期几", never: []kind{symbolSlot}},
	{tool: "loan_payment", pattern: eachMonth, needs: []kind{numberSlot, percentSlot, durationSlot}, never: []kind{symbolSlot}},
	{tool: "loan_payment", cues: "mortgage|loan|paying extra|extra per month|extra a month|borrow*|monthly payment*|monthly installment*|贷|月供|按揭", needs: []kind{numberSlot}, never: []kind{symbolSlot}},
	{tool: "watchlist", pattern: unwatching},
	{tool: "watchlist", cues: "my list|my watchlist|watchlist|my radar|自选"},
	{tool: "time_value", cues: "afford", needs: []kind{numberSlot, percentSlot, durationSlot}, never: []kind{symbolSlot}},
	{tool: "time_value", cues: "end up with|become|be worth|grow to|会有多少|变成|有多少|值多少", needs: []kind{numberSlot, percentSlot, durationSlot}, never: []kind{symbolSlot}},
	{tool: "search_symbol", pattern: listing},
	{tool: "retirement_simulation", pattern: lasting, needs: []kind{numberSlot}},
	{tool: "goal_plan", cues: "want|reach*|goal|save for|saving for|save up|down payment|to have|need to save|to save|get to|攒|存够|目标|首付", needs: []kind{numberSlot, durationSlot}, never: []kind{symbolSlot}},
	{tool: "retirement_simulation", cues: "retire*|retirement|savings last|money last|it last|stop working|quit working|run out|last until|will it last|surviv*|退休|够用|撑多久|用多久|花多久"},
	{tool: "returns_stats", cues: "invest*|worth today|worth now|put|turned into|bought|投资", needs: []kind{symbolSlot, numberSlot, periodSlot}},
	{tool: "returns_stats", cues: "growth|grown|grow|become|be worth|would * be|变成|值多少", needs: []kind{symbolSlot, numberSlot}, never: []kind{percentSlot}},
	{tool: "crypto_price", needs: []kind{coinSlot, currencySlot}, never: []kind{percentSlot, countSlot}},
	{tool: "fx_rate", needs: []kind{currencySlot, currencySlot}},
	{tool: "calculate", pattern: operation, never: []kind{symbolSlot}},
	{tool: "calculate", cues: "plus|minus|times|divided by|square root|sqrt|的百分之", needs: []kind{numberSlot}},
	{tool: "compare_assets", cues: "vs|versus|compare*|rank*|better|than|riskier|safer|beat*|outperform*|or|against|next to each other|side by side|stack up|difference|less|more|most|worst|best|对比|比较|哪个|哪只|谁", needs: []kind{symbolSlot, symbolSlot}, never: []kind{percentSlot}},
	{tool: "compare_assets", cues: "compare*|比较|对比", needs: []kind{symbolSlot}, never: []kind{numberSlot, percentSlot}},
	{tool: "investor_profile", cues: "know about me|know of me|about myself|了解我"},
	{tool: "crypto_price", cues: "price|worth|trading|how much|cost|at|价|多少钱", needs: []kind{coinSlot}},
	{tool: "price_history", cues: "prices?|worth|costs?|trading|traded|a share|股价|价格|多少钱|什么价", needs: []kind{symbolSlot, daySlot}, never: []kind{numberSlot, percentSlot, countSlot}},
	{tool: "financial_statements", cues: "revenues?|sales|research and development|r&d|operating expenses|net income|profits?|debt|assets|liabilities|equity|cash flows?|capex|capital expenditures?|balance sheet|income statement|eps|margins?|losses|营收|收入|利润|净利润|现金流|资产|负债|每股收益", needs: []kind{symbolSlot}, never: []kind{numberSlot, percentSlot, countSlot}},
	{tool: "portfolio_positions", pattern: mine, never: []kind{numberSlot}},
	{tool: "quote", cues: "prices?|quotes?|trading|traded|trades at|trades for|trade at|trade for|share price|how much is|多少钱|股价|几点|点位", needs: []kind{symbolSlot}, never: []kind{periodSlot, durationSlot, numberSlot, percentSlot}},
	{tool: "returns_stats", cues: "total return|with dividends|including dividends|dividends included|dividends reinvested|reinvest*|股息再投资|含股息|含分红", needs: []kind{symbolSlot}, never: []kind{numberSlot, percentSlot}},
	{tool: "dividends_splits", cues: "dividends?|split|splits|ex-dividend|payout|股息|分红|拆股|派息|配息", needs: []kind{symbolSlot}, never: []kind{numberSlot, percentSlot}},
	{tool: "quote", cues: "today|right now|今天", pattern: faring, needs: []kind{symbolSlot}, never: []kind{durationSlot, numberSlot, percentSlot, countSlot}},
	{tool: "returns_stats", pattern: faring, needs: []kind{symbolSlot}, never: []kind{numberSlot, percentSlot, countSlot}},
	{tool: "returns_stats", pattern: happened, needs: []kind{periodSlot}, never: []kind{symbolSlot, numberSlot, percentSlot, countSlot}},
}

// shape returns the tool that the form of a question suggests, or "".
func (q *question) shape() string {
	if sum, _ := q.spokenSum(); sum != "" && len(q.of(symbolSlot, durationSlot, currencySlot)) == 0 {
		return "calculate"
	}
	for _, s := range shapes {
		enough := s.cues == "" || len(cues(q.low, s.cues)) > 0
		counts := map[kind]int{}
		for _, k := range s.needs {
			counts[k]++
		}
		enough = enough && (s.pattern == nil || s.pattern().MatchString(q.low))
		for k, n := range counts {
			if k == coinSlot {
				enough = enough && q.coin
				continue
			}
			found := len(q.of(k))
			if k == daySlot {
				for _, s := range q.of(periodSlot) {
					if s.period.From != "" {
						found++
					}
				}
			}
			if k == periodSlot {
				for _, s := range q.of(durationSlot) {
					if s.past {
						found++
					}
				}
			}
			enough = enough && found >= n
		}
		if enough && len(q.of(s.never...)) == 0 {
			if p := q.period(); s.tool == "returns_stats" && p != nil && p.day() != "" && len(q.of(numberSlot)) == 0 {
				return "price_history" // returns need more than one day
			}
			return s.tool
		}
	}
	return ""
}

// plainWords may appear next to a name that is the whole question.
var plainWords = wordSet(`a an the this that my some any i me you we us it its of for on in at to by from with over during since until and or vs versus also please pls plz thanks hi hello hey ok so now then just only still
	no not meant mean sorry actually what whats what's which who how hows how's is are was were be been do does did doing has have had can could would will want need like love know see look looking show tell give gimme get let lets let's check find about say
	today current currently right moment latest last recent recently lately going go gone goes these days day stand stands standing up again more again too very really one much many stock stocks share shares fund etf index coin there here where`)

// bare returns the tool for a question that names only instruments and a time.
func (q *question) bare() string {
	if len(q.of(numberSlot, percentSlot, countSlot, pairSlot, currencySlot, urlSlot, fileSlot)) > 0 || len(q.of(symbolSlot)) == 0 {
		return ""
	}
	for _, w := range q.words() {
		if w.chinese {
			for _, r := range w.text {
				if !everyday()[string(r)] {
					return ""
				}
			}
		} else if !plainWords[w.text] && !(isEveryday(w.text) && len(q.of(periodSlot, durationSlot)) > 0) {
			return ""
		}
	}
	if q.has(aboutIt) {
		return "company_profile"
	}
	symbols, spans := q.of(symbolSlot), q.of(periodSlot, durationSlot)
	spans = slices.DeleteFunc(spans, func(s slot) bool { return s.period.Range == "today" })
	switch {
	case len(symbols) > 1 && len(spans) > 0:
		return "compare_assets"
	case len(spans) > 0:
		if spans[0].period.day() != "" {
			return "price_history"
		}
		return "returns_stats"
	case q.coin && len(symbols) == 1:
		return "crypto_price"
	default:
		return "quote"
	}
}

// say returns the text in the language of the question.
func (q *question) say(english, chinese string) string {
	if q.chinese && chinese != "" {
		return chinese
	}
	return english
}

func (q *question) note(english, chinese string) {
	if text := q.say(english, chinese); !slices.Contains(q.notes, text) {
		q.notes = append(q.notes, text)
	}
}

// period returns the first period that the question names, or nil.
func (q *question) period() *period {
	for _, s := range q.of(periodSlot) {
		return &s.period
	}
	return nil
}

func quotedList(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, quoted(w))
	}
	return strings.Join(out, ", ")
}
