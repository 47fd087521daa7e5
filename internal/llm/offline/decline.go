package offline

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// refusal is a kind of question that nfa does not answer, with its reply.
type refusal struct {
	reason           string
	pattern          func() *regexp.Regexp
	english, chinese string
}

var (
	injection = lazyregexp.New(`\b(?:ignore|disregard|forget) (?:all |any |your |the |my )*(?:previous |prior |above )?(?:instructions|rules|prompts?)\b|system prompt|\bjailbreak|developer mode|忽略.{0,8}(?:指令|提示|规则)|系统提示词`)
	secrets   = lazyregexp.New(`\b(?:show|tell|print|give|reveal|what(?:'s| is| are)|list|read|dump|send)\b.{0,30}\b(?:api[ -]?keys?|passwords?|secret keys?|secrets|private keys?|credentials|tokens?|your (?:\w+ )?keys?)\b|(?:密钥|密码|api ?key).{0,6}(?:是|给|发|告诉)|(?:给|发|告诉|显示).{0,8}(?:密钥|密码)`)
	orders    = lazyregexp.New(`\b(?:place|submit|execute|enter|cancel|put in|make)\b.{0,25}\b(?:orders?|trades? for me)\b|\bset (?:a |an |up a )?(?:stop|limit|trailing)\b|\b(?:buy|sell|short|order)(?: me)? \d+ .{0,30}\b(?:for me|right now|at market|now|please)\b|^(?:please )?(?:buy|sell|short|liquidate|close) (?:me )?(?:all |some |my |everything|it |them |\d)|\b(?:market|limit|stop) order\b|^(?:can|could|will|would) (?:you|nfa) (?:please )?(?:trade|buy|sell|invest)\b|帮我.{0,6}(?:买|卖|下单|平仓|清仓)|下单|挂单`)
	forecast  = lazyregexp.New(`\b(?:predict|prediction|forecast|price target|crystal ball)\b|\bwill\b.{0,40}\b(?:be worth|go up|go down|rise|fall|crash|drop|rally|recover|double|moon|hit|reach|price be|be at|outperform|beat|do well|perform|happen|split)\b|\b(?:chances?|odds|probability) (?:of|that) .{0,20}\b(?:losing|crash|fall|drop|rise|rising)|\bwhat will .{1,40} do\b|\bwhere (?:will|is) .{0,40}\b(?:be in|headed|going|go)\b|\b(?:going to|gonna)\b.{0,20}\b(?:recover|rally|keep|bounce|improve|crash|rise|fall|go up|go down|drop|moon|double|happen)\b|\b(?:next (?:year|month|week)|tomorrow|in the future|by 20[3-9]\d)\b.{0,25}\b(?:price|worth|value|be)\b|\b(?:price|worth|value)\b.{0,25}\b(?:next (?:year|month|week)|tomorrow|in the future|by 20[3-9]\d)\b|(?:会不会|会|是否).{0,6}(?:降息|加息|衰退|崩盘)|预测|预计.{0,6}(?:涨|跌)|(?:明天|明年|下周|下个?月|未来|以后|接下来).{0,12}(?:涨|跌|价|走势|表现|多少|怎么样)|会(?:不会)?(?:涨|跌|翻倍|崩)|还能(?:涨|跌)|目标价`)
	selfPlan  = lazyregexp.New(`\b(?:i|my savings|my money|it|we|they) (?:reach|last|have|save|retire|run out)\b|will (?:i|my (?:savings|money|portfolio))\b|攒|退休|够用|我.{0,12}(?:分红|股息|派息|利息)`)
	tips      = lazyregexp.New(`\b(?:which|what(?:'s| is| are)?|best|top|hot|good|recommend(?:ed)?|suggest|pick|give me|tell me)\b.{0,30}\b(?:stocks?|etfs?|funds?|coins?|cryptos?|shares?|investments?|penny stocks?)\b.{0,40}\b(?:to buy|should i (?:buy|choose|pick|get|take|own)|buy now|double|moon|to invest|invest in|explode|this year|right now|for me|10x|triple|will)\b|\b(?:recommend|suggest|pick)\b.{0,25}\b(?:stocks?|etfs?|funds?|coins?|something|shares?|investments?)\b|\b(?:which|what) (?:stocks?|etfs?|funds?|coins?|shares?) (?:is|are) (?:the )?(?:best|good|better|safest)\b|\bbest (?:stock|etf|fund|investment|crypto|coin|s&p 500 etf)\b|\b(?:stock|hot|insider) tips?\b|\bwhat (?:should|do|can) i (?:buy|invest in)\b|推荐|必涨|满仓|(?:哪只|哪个|什么|哪些)(?:股票|基金|币).{0,8}(?:好|买|涨|翻)|买什么(?:股票|基金|好)|牛股`)
	verdict   = lazyregexp.New(`\bshould (?:i|we) by\b|\bshould (?:i|we|one)\b.{0,30}\b(?:buy|sell|hold|keep|have|switch|move|invest|get|own|dump|short|trade|exit|wait|put|add|cash)\b|\b(?:is|are|was)\b.{0,40}\b(?:a (?:good|bad|great|smart|safe) (?:buy|investment|stock|idea|time|bet|choice)|worth (?:buying|it|holding)|too (?:late|early)|a buy|a sell)\b|\bgood time to (?:buy|sell|invest)\b|\b(?:buy or sell|sell or hold|buy or hold|worth buying)\b|\bdo you (?:think|like|recommend)\b|\bwhat do you think\b|\byour (?:opinion|favou?rite)\b|(?:应该|该不该|要不要|能不能|可不可以|可以|值得|能|该)(?:买|卖|入手|抛|清仓|加仓|减仓|投资|持有)(?:吗|么|不|$|.{0,12}(?:吗|么|？|\?))|划算吗|好不好|现在(?:买|卖).{0,8}(?:吗|合适|好)|是不是.{0,4}该|看好|适合(?:买|卖|投资|入场)`)
	writing   = lazyregexp.New(`\b(?:write|make|create|draft|generate|prepare)\b.{0,20}\b(?:report|analysis|summary|memo|article|note|presentation)\b (?:about|on|of|for) |^(?:please )?(?:summarize|analyse|analyze) |(?:写|做|生成).{0,6}(?:报告|分析|总结)$`)
	extreme   = lazyregexp.New(`\bwhen did\b.*\bthe most\b|\b(?:best|worst)(?: ever| single| trading| calendar)? (?:year|month|week|day)s?\b|\b(?:which|what) (?:year|month|week|day)\b.*\b(?:best|worst|most|least|highest|lowest)\b|(?:哪一?[年月天]|[年月天]).{0,8}(?:最好|最差|最多|最惨)|最(?:好|差|惨)的一?个?[年月天]`)
	screening = lazyregexp.New(`^(?:(?:find|show|list|give|which|what|search|screen|me|for|all|any|the|are) )*(?:\w+ )?(?:stocks|companies|shares) (?:(?:trading )?(?:under|below)|with an?|paying|yielding|that pay) |^(?:(?:show|list|give|what|which|who|are|is|the|me|were|today's) )*(?:top|biggest|largest|best|worst) (?:gainers?|losers?|movers?)\b(?:$|[ ?.!]*(?:today|this|on|in the|of the))|\bmost active (?:stocks|shares)\b|\b(?:cheapest|highest|lowest|top|best|biggest) (?:\w+ )?(?:stocks|companies|shares) (?:by|with|in the|on the|right now|today)\b|涨幅榜|跌幅榜`)
	// otherLanguage has words and letters that English does not have.
	otherLanguage = lazyregexp.New(`[\p{Hiragana}\p{Katakana}\p{Hangul}\p{Cyrillic}\p{Arabic}\p{Hebrew}\p{Thai}]|\b(?:wie|ist|und|der|das|den|dem|ein|eine|für|von|vom|nicht|ich|mein|meine|wieviel|welche|welcher|kostet|hoch|heute|zeig|mir|bei|seit|jahr|jahre|jahren|aktie|aktien|kurs|dividende|zinsen|rendite|le|les|des|est|que|quel|quelle|combien|pour|avec|sur|du|une|prix|cours|je|bourse|cuánto|cuanto|cuál|cual|cuesta|vale|el|los|las|del|una|para|por|precio|acción|acciones|qual|quanto|preço|azioni|prezzo)\b`)
	howMuch       = lazyregexp.New(`\bhow (?:much|many)\b|多少`)
	toTargets     = lazyregexp.New(`\btargets?\b|目标`)
	offTopic      = lazyregexp.New(`\b(?:poem|poems|haiku|joke|jokes|recipe|recipes|cook (?:a|an|the|some|rice|dinner)|weather|song|lyrics|essay|novel|homework|python|javascript|java|(?:write|some|source) code|script|regex|football|movie|movies|president|girlfriend|boyfriend|horoscope|lottery|translate)\b|写.{0,4}(?:诗|代码|小说|作文|歌)|天气|笑话|菜谱|做饭|翻译|彩票|星座|电影|足球`)
)

// refusals are tried in this order.
var refusals = []refusal{
	{"injection", injection, "I only answer questions about your investments and the markets, with figures from tools.", "我只回答与投资和市场有关的问题，数字来自工具。"},
	{"secret", secrets, "I do not show keys or passwords. To see which keys are set (without their values), run `nfa auth list`.", "我不会显示密钥或密码。`nfa auth list` 可以查看已设置的密钥（不含内容）。"},
	{"order", orders, "nfa cannot place orders. It can record a trade: `I bought 10 AAPL at 150 on 2024-03-05`, or compute a position size: `position size with 1% risk on 100k, entry 150, stop 140`.", "nfa 不能下单。可以记录您已完成的交易，例如：`2024年3月5日以150买入10股苹果`。"},
	{"tip", tips, "I do not recommend securities.", "我不推荐具体的证券。"},
	{"advice", verdict, "Whether to buy, hold or sell is your decision; I do not recommend either.", "买入、持有还是卖出由您自己决定，我不作结论。"},
	{"forecast", forecast, "I do not forecast prices; nobody can do that reliably.", "我不预测价格，没有人能可靠地预测。"},
	{"extreme", extreme, "I have no list of returns by year, month or day. Ask for one of them, such as `How did the S&P 500 do in 2008?`", "没有按年、月、日排列的回报。可以问其中一年，例如 `标普500 2008年的回报`。"},
	{"screen", screening, "nfa does not search the market for securities by a figure. Name some and I compare them, for example `compare AAPL, MSFT and KO`.", "nfa 不按指标筛选全市场的证券。请说出几只，例如 `比较苹果、微软和可口可乐`。"},
	{"writing", writing, "Writing a text takes a language model (`/setup` connects one).", "撰写文字需要语言模型（用 `/setup` 连接）。"},
	{"other", offTopic, "That question is not about investing.", "这与投资无关。"},
}

// refuse returns why a question is not answered, or nil.
func (q *question) refuse() *refusal {
	foreign := map[string]bool{}
	for _, w := range otherLanguage().FindAllString(q.raw, -1) {
		foreign[w] = true
	}
	if len(foreign) >= 2 && len(foreign) >= len(strings.Fields(q.raw))/3 {
		return &refusal{reason: "language", english: "I understand only English and Chinese (我只理解英文和中文)."}
	}
	for i, r := range refusals {
		if !r.pattern().MatchString(q.raw) && !r.pattern().MatchString(q.low) {
			continue
		}
		if r.reason == "tip" && (toTargets().MatchString(q.raw) || winning().MatchString(q.raw)) {
			continue
		}
		if r.reason == "order" && slices.ContainsFunc(q.of(periodSlot), func(s slot) bool { return s.period.day() != "" && s.period.From <= q.now.Format(time.DateOnly) }) {
			continue // a past trade, not an order
		}
		if r.reason == "advice" && (q.has(rebalancing) || toTargets().MatchString(q.raw) || len(q.of(numberSlot, percentSlot)) > 0 && howMuch().MatchString(q.low)) {
			continue
		}
		if r.reason == "forecast" && (selfPlan().MatchString(q.raw) || len(q.of(percentSlot)) > 0 && len(q.of(numberSlot)) > 0) {
			continue
		}
		return &refusals[i]
	}
	return nil
}
