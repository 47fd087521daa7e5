package offline

import (
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// form defines how words of a question become arguments of a tool. Arguments shared by many tools,
// such as symbol and range, need no form.
type form struct {
	numbers  []numberArgument
	choices  []choiceArgument
	required []requirement
	symbols  int    // minimum number
	words    bool   // the remaining words are the query
	also     string // more words that belong to the tool
	build    func(f *filling)
}

// numberArgument is a number identified by the words next to it.
type numberArgument struct {
	name  string
	kind  string // money, percent, rate (percent, or a number right after its word), years, count, number (money or count) or ratio
	cues  string // words next to it, separated by bars; a word that ends in * is a prefix
	bare  bool   // the words are optional
	every byte   // y: a yearly amount; a monthly one is multiplied by twelve
}

// choiceArgument takes one of a few values, each with its words. The first value whose words occur counts.
type choiceArgument struct {
	name   string
	values []choice
}

type choice struct{ value, cues string }

// requirement is a required argument, and the question that asks for it.
type requirement struct {
	name             string
	english, chinese string
	lead             string // inserted before the answer when it is added to the first question
}

var (
	needSymbol  = requirement{"symbol", "Which symbol or company?", "哪个代码或公司？", ""}
	needSymbols = requirement{"symbols", "Which symbols? Give at least two.", "哪些代码？请至少说两个。", ""}
	needRate    = requirement{"annual_rate", "What annual interest rate, in percent?", "年利率是多少？", "rate"}
	needYears   = requirement{"years", "Over how many years?", "多少年？", "years"}
	needBalance = requirement{"current_balance", "How much have you saved so far?", "目前有多少积蓄？", "I have"}
	needSpend   = requirement{"annual_withdrawal", "How much do you want to spend per year?", "每年打算花多少钱？", "spend a year"}
)

// faringWords describe how a price changed.
const faringWords = "cumulative overall holding owning 涨幅 跌幅 percent percentage move moved moving went risen climbed climb plunged soared surged crashed tumbled tanked jumped rallied declined decline slid sank recovered recover peak loss losses behaved cagr best-performing perform performed performing performance return returns returned gain gained lost loss grow grown growth doubled rise rose fell fallen drop dropped good bad better worse best worst well did done do fare fared volatile volatility volatile risk risky swing swings crash drawdown max maximum annualized annual 怎么样 如何 涨 跌 表现 走势 回报 回报率 报酬 报酬率 收益 收益率 波动 风险 回撤"

const (
	rateCues  = "rate|interest|apr|at|yield*|利率|利息|年利率|年化|收益率|回报率|return*|growing|grow|earning*|earn"
	haveCues  = "from|with|now|have|i've got|saved|savings|start* with|starting|already|current*|nest egg|portfolio of|balance|got|现有|已有|目前有|有|存了|存款|积蓄|本金|资产|攒了"
	spendCues = "spend*|withdraw*|taking|take|live on|living on|take out|taking out|drawing|draw|expenses|need|花|支出|取|开销|生活费|提取|花费"
	saveCues  = "save|saves|saving|put away|putting|put aside|contribut*|set aside|adding|add|invest*|定投|每月存|存|投入|追加|储蓄"
	goalCues  = "saving for|save for|saved for|will i have|would i have|end up with|reach*|to have|want|need|goal|target|get to|down payment|deposit|攒|达到|目标|存到|攒到|攒够|首付|凑够|需要|想有|想要|要有|变成"
)

var (
	formsOnce sync.Once
	forms     map[string]form // by tool name
)

// formOf returns the form of a tool. A tool without a form has only the shared arguments.
func formOf(tool string) (f form, ok bool) {
	formsOnce.Do(func() { forms = makeForms() })
	f, ok = forms[tool]
	return f, ok
}

// texts returns the words of a form.
func (f form) texts() []string {
	out := []string{f.also}
	for _, n := range f.numbers {
		out = append(out, cueText(n.cues))
	}
	for _, c := range f.choices {
		for _, v := range c.values {
			out = append(out, cueText(v.cues))
		}
	}
	return out
}

func makeForms() map[string]form {
	return map[string]form{
		"loan_payment": {
			also:    "car house home borrow totl total interest cost me per month paid quarterly 车 房 每月 要还 利息",
			choices: []choiceArgument{{"payments_per_year", []choice{{"4", "quarterly|every quarter|按季"}, {"26", "biweekly|every two weeks"}, {"52", "weekly"}, {"1", "yearly|annually|once a year"}}}},
			numbers: []numberArgument{
				{name: "extra_payment", kind: "money", cues: "extra|additional|overpay*|on top|more|额外|多还|提前|多付", every: 'k'},
				{name: "principal", kind: "money", cues: "loan|mortgage|borrow*|refinanc*|principal|debt|car|house|贷款|贷|借|本金", bare: true},
				{name: "annual_rate", kind: "rate", cues: rateCues, bare: true},
				{name: "years", kind: "years", cues: "over|for|term|years|期|年", bare: true},
			},
			required: []requirement{{"principal", "How much is the loan?", "贷款金额是多少？", "loan"}, needRate, {"years", "Over how many years?", "贷款多少年？", "years"}},
		},
		"time_value": {
			also: "fv pv house home loan afford until due turns turn what rate double 存 拿 到手 本息 triple compounded compound monthly grow become 变成 复利",
			numbers: []numberArgument{
				{name: "payment", kind: "money", cues: "monthly|a month|per month|each month|every month|a year|每月|每年|定投|payment", every: 'k'},
				{name: "future_value", kind: "money", cues: "into|to|become*|grow* to|reach|goal|future|turn into|to get|want|need|变成|达到|终值|目标"},
				{name: "present_value", kind: "money", cues: "invest*|start*|initial|lump sum|today|now|principal|deposit|put|本金|投入|现在|一次性|存|present", bare: true},
				{name: "rate", kind: "percent", cues: rateCues, bare: true},
				{name: "periods", kind: "years", cues: "for|over|in|after|years", bare: true},
			},
			build: buildTimeValue,
		},
		"goal_plan": {
			numbers: []numberArgument{
				{name: "annual_contribution", kind: "money", cues: saveCues, every: 'y'},
				{name: "goal", kind: "money", cues: goalCues, bare: true},
				{name: "current_balance", kind: "money", cues: haveCues},
				{name: "years", kind: "years", cues: "in|within|over|after|for", bare: true},
				{name: "mean_return", kind: "percent", cues: rateCues},
				{name: "volatility", kind: "percent", cues: "volatility|vol|波动率"},
				{name: "inflation", kind: "percent", cues: "inflation|通胀"},
			},
			also:     "odds chance monthly boat house car college wedding aside put get long take from nothing month 房 车 首付 每年 每月 才能",
			required: []requirement{{"goal", "What amount do you want to reach?", "目标金额是多少？", "reach"}, {"years", "In how many years?", "多少年内？", "in"}},
			build: func(f *filling) {
				if f.cue("how long|when will|多久|几年|多少年") && f.has("annual_contribution") {
					f.waive("years")
				}
				if now, then := f.age(ageNow), f.age(ageRetire, ageEnd); now > 0 && then > now {
					f.setDefault("years", whole(then-now))
				}
				if v, ok := f.args["annual_contribution"]; ok && !f.has("goal") && !slices.ContainsFunc(f.q.of(numberSlot), func(s slot) bool { return s.every != 0 }) {
					delete(f.args, "annual_contribution") // "save a million"
					f.set("goal", v)
				}
				if f.cue("from nothing|from scratch|from zero|从零") {
					f.setDefault("current_balance", whole(0))
				}
				assumeMarket(f)
			},
		},
		"retirement_simulation": {
			numbers: []numberArgument{
				{name: "annual_withdrawal", kind: "money", cues: spendCues, every: 'y'},
				{name: "annual_contribution", kind: "money", cues: saveCues, every: 'y'},
				{name: "current_balance", kind: "money", cues: haveCues, bare: true},
				{name: "years", kind: "years", cues: "for|last*|over|years|持续", bare: true},
				{name: "mean_return", kind: "percent", cues: rateCues},
				{name: "volatility", kind: "percent", cues: "volatility|vol|波动率"},
				{name: "inflation", kind: "percent", cues: "inflation|通胀"},
				{name: "success_probability", kind: "percent", cues: "sure|success|certain*|probab*|把握|成功"},
			},
			required: []requirement{needBalance, needSpend},
			also:     "chance chances odds probability likely survived history going taking retired nothing last till still how much can 能 花 撑 每年 多久", build: buildRetirement,
		},
		"position_size": {
			also: "many shares account lose more than don't want dont size position bankroll average win twice loss time buying 多少股 仓位 资金 买",
			numbers: []numberArgument{
				{name: "stop", kind: "number", cues: "stop*|stop loss|止损*|exit"},
				{name: "price", kind: "number", cues: "at|price|entry|buy*|costs?|entering|@|买入价|买入|价格|股价|现价|入场"},
				{name: "capital", kind: "money", cues: "i have|have|account|capital|portfolio|with|on|of|from|funds|bankroll|资金|本金|账户|总资产", bare: true},
				{name: "payoff", kind: "ratio", cues: "payoff|pay off|odds|win/loss|reward|赔率|盈亏比"},
				{name: "win_probability", kind: "percent", cues: "win*|probability|chance|hit rate|胜率|概率"},
				{name: "target_volatility", kind: "percent", cues: "target vol*|目标波动"},
				{name: "volatility", kind: "percent", cues: "vol*|波动率"},
				{name: "risk", kind: "percent", cues: "risk*|风险|lose|亏", bare: true},
			},
			choices:  []choiceArgument{{"method", []choice{{"kelly", "kelly|凯利"}, {"volatility", "volatility|波动率"}}}},
			required: []requirement{{"stop", "Which stop price?", "止损价是多少？", "stop"}, {"price", "Which entry price?", "买入价是多少？", "entry price"}, {"capital", "How much capital?", "资金是多少？", "capital"}, {"risk", "What percentage of your capital do you want to risk?", "风险占资金的百分之几？", "risk"}},
			build:    buildPositionSize,
		},
		"option_price": {
			also: "black scholes black-scholes model implied vol stock go with the at money greeks delta gamma vega theta half year months days",
			numbers: []numberArgument{
				{name: "strike", kind: "number", cues: "strike*|struck at|call|put|calls|puts|行权价|执行价|敲定价|k"},
				{name: "spot", kind: "number", cues: "spot|stock|share|stock at|stock is at|underlying|trading at|stock price|share price|现价|标的|股价|正股|s"},
				{name: "price", kind: "number", cues: "premium|option price|call price|put price|option costs?|cost*|trades at|quoted at|at|for|期权价|权利金"},
				{name: "dividend_yield", kind: "rate", cues: "dividend*|股息"},
				{name: "volatility", kind: "rate", cues: "vol*|sigma|iv|波动率|隐含波动"},
				{name: "rate", kind: "rate", cues: "r|rate|interest|risk free|risk-free|利率|无风险"},
				{name: "years", kind: "years", cues: "t|to expiry|expiry|expiring|maturity|in|到期|期限", bare: true},
			},
			choices: []choiceArgument{
				{"type", []choice{{"put", "put|puts|看跌|认沽"}, {"call", "call|calls|看涨|认购"}}},
				{"style", []choice{{"american", "american|美式"}, {"european", "european|欧式"}}},
			},
			required: []requirement{
				{"type", "A call or a put?", "看涨还是看跌期权？", ""}, {"spot", "What is the price of the underlying (spot)?", "标的现价是多少？", "spot"},
				{"strike", "Which strike price?", "行权价是多少？", "strike"}, {"years", "How long until expiry?", "距离到期多久？", ""},
				{"volatility", "What annual volatility, in percent?", "年化波动率是多少？", "volatility"},
			},
			build: func(f *filling) {
				f.useAll(symbolSlot) // the tool takes the price of the underlying
				if f.has("price") {
					f.waive("volatility")
				}
			},
		},
		"bond_price": {
			also: "settled settling settlement due maturing priced bund duration annual semiannual convexity ytm",
			numbers: []numberArgument{
				{name: "coupon", kind: "rate", cues: "coupon*|bond|票面*|票息|债券", bare: true},
				{name: "yield", kind: "rate", cues: "at|yield*|ytm|market rate|rates?|discount*|收益率|市场利率|到期收益"},
				{name: "price", kind: "number", cues: "price*|trading at|costs?|at|for|价格|卖"},
				{name: "years", kind: "years", cues: "year*|matur*|due|in|到期|期", bare: true},
			},
			choices:  []choiceArgument{{"frequency", []choice{{"2", "semi*|twice a year|半年"}, {"4", "quarterly|季度"}, {"12", "monthly|每月"}, {"1", "annual|yearly|每年"}}}},
			required: []requirement{{"coupon", "What is the coupon rate, in percent?", "票面利率是多少？", "coupon"}, {"maturity", "When does the bond mature?", "什么时候到期？", "maturity"}, {"yield", "What is the yield to maturity, in percent (or the price)?", "到期收益率是多少（或价格）？", "yield"}},
			build:    buildBond,
		},
		"calculate": {build: buildExpression, required: []requirement{{"expression", "What should I calculate? For example: 12.5% of 3,400, or (1 + 0.07)^10.", "要计算什么？例如 3400的12.5% 或 (1 + 0.07)^10。", ""}}},
		"xirr": {
			build:    buildCashFlows,
			required: []requirement{{"cash_flows", "Which amounts on which dates? For example: paid 10000 on 2020-01-01, received 15000 on 2024-06-30.", "哪些日期有多少现金流？例如：2020-01-01 投入 10000，2024-06-30 收回 15000。", ""}},
		},
		"dcf_valuation": {
			numbers: []numberArgument{
				{name: "base_cash_flow", kind: "money", cues: "cash flow|fcf|free cash flow|自由现金流|现金流", bare: true},
				{name: "terminal_growth", kind: "percent", cues: "terminal*|perpetual|forever|long-term|永续|长期"},
				{name: "discount_rate", kind: "percent", cues: "discount*|wacc|required return|折现|贴现"},
				{name: "growth1", kind: "percent", cues: "grow*|增长", bare: true},
				{name: "years", kind: "years", cues: "years|for|over|年", bare: true},
				{name: "net_debt", kind: "money", cues: "net debt|debt|净债务|净负债"},
				{name: "shares", kind: "number", cues: "shares|股本|股数|总股本"},
				{name: "price", kind: "number", cues: "price|trading at|股价"},
			},
			required: []requirement{
				{"base_cash_flow", "What is the latest free cash flow?", "起始自由现金流是多少？", "free cash flow"}, {"growth", "How fast does the cash flow grow, in percent per year?", "现金流每年增长多少？", "growth"},
				{"discount_rate", "What discount rate, in percent?", "折现率是多少？", "discount rate"}, {"net_debt", "How much is the net debt (0 if none)?", "净债务是多少（没有则为 0）？", "net debt"}, {"shares", "How many shares?", "股本是多少股？", "shares"},
			},
			build: func(f *filling) {
				f.useAll(symbolSlot)
				if g, ok := f.args["growth1"]; ok {
					delete(f.args, "growth1")
					f.set("growth", []any{g})
				}
			},
		},
		"comps_valuation": {build: func(f *filling) { f.useAll(symbolSlot) }, required: []requirement{{"peers", "To compare companies by multiples, use the skill comps-valuation with a language model (/setup).", "按可比公司估值需要各公司的数据；请连接语言模型后使用 comps-valuation 技能（/setup）。", ""}}},
		"fx_rate":         {also: "change swap turn worth swedish japanese british chinese indian mexican turkish korean", build: buildPair, required: []requirement{{"pair", "Which two currencies? For example: EUR/USD.", "哪两种货币？例如 EUR/USD。", ""}}},
		"crypto_price": {
			build: func(f *filling) {
				for _, s := range f.q.of(symbolSlot) {
					if coin, ok := strings.CutSuffix(s.text, "-USD"); ok || f.names.isCoin(s.text) || !f.names.has(s.text) {
						if f.has("coin") {
							break // there is one coin in a call
						}
						f.set("coin", coin)
						f.use(s)
					}
				}
				for _, s := range f.q.of(numberSlot, countSlot) {
					if !s.number.Equal(whole(1)) { // "what is 1 bitcoin"
						f.note("This is the price of one; multiply it by "+s.number.String()+".", "这是一枚的价格，请乘以 "+s.number.String()+"。")
					}
					f.use(s)
				}
			},
			required: []requirement{{"coin", "Which coin?", "哪种币？", ""}},
		},
		"macro_series": {build: buildSeries, words: true},
		"earnings": {symbols: 1, also: "numbers due history past often last this quarter year think street forecast", build: func(f *filling) {
			f.useAll(periodSlot, durationSlot) // the tool returns the quarters around today
		}},
		"yield_curve": {numbers: []numberArgument{{name: "", kind: "number", cues: "between|and|year|minus|to"}}, also: "between and treasuries treasury vs versus bill bills note notes yields spread minus moved slope steep inverted rates bonds 10-year 2-year", build: func(f *filling) {
			for _, at := range maturityAt().FindAllStringIndex(f.q.low, -1) {
				f.take(at[0], at[1])
			}
			if f.cue("moved|changed|change|since|compared|变化|相比") {
				for _, s := range f.q.of(periodSlot) {
					if s.period.From != "" && !f.used(s) {
						f.set("compare_to", s.period.From)
						f.use(s)
					}
				}
			}
		}, choices: []choiceArgument{{"curve", []choice{{"us_treasury_real", "real|tips|实际"}, {"euro_area", "euro|euro area|eurozone|ecb|german*|europe*|欧元区|欧元|欧洲"}, {"us_treasury", "treasur*|us|american|美国|美债"}}}}},
		"market_status": {also: "开市 休市 交易 股市 开着 开门 现在", build: buildExchange},
		"current_time":  {build: buildTimezone},
		"option_chain": {
			choices: []choiceArgument{{"type", []choice{{"put", "put|puts|看跌|认沽"}, {"call", "call|calls|看涨|认购"}}}},
			numbers: []numberArgument{{name: "strikes", kind: "number", cues: "strikes?|around|行权价"}},
			symbols: 1, also: "options option only around price nearest expiring expiry chain",
			build: func(f *filling) {
				f.day("expiry")
				if p := f.q.period(); p != nil && !f.has("expiry") {
					f.useAll(periodSlot)
					f.missing = append(f.missing, requirement{"expiry", "Which expiry date (YYYY-MM-DD)?", "哪个到期日（YYYY-MM-DD）？", "expiring on"})
				}
			},
		},
		"backtest": {
			also:    "回测 加 plus equal weights reset quarter gone would go each hold holding",
			numbers: []numberArgument{{name: "start", kind: "money", cues: "start*|with|initial|invest*", bare: true}, {name: "target_volatility", kind: "percent", cues: "target*|volatility|波动率"}, {name: "top", kind: "number", cues: "top|best|最强"}},
			choices: []choiceArgument{
				{"strategy", []choice{
					{"moving_average_cross", "moving average*|golden cross|ma cross|均线|金叉"}, {"momentum", "momentum|动量"}, {"volatility_target", "volatility target*|target vol*|波动率目标"},
					{"fixed_weights", "rebalanc*|weights|60/40|再平衡|权重"}, {"buy_and_hold", "buy and hold|buy-and-hold|hold*|买入持有|买入并持有|持有"},
				}},
				{"rebalance", []choice{{"yearly", "yearly|annual*|every year|每年|年度"}, {"quarterly", "quarterly|every quarter|each quarter|每季"}, {"monthly", "monthly|every month|每月"}, {"never", "never|without rebalancing|不再平衡"}}},
			},
			symbols: 1, build: buildBacktest,
		},
		"optimize_portfolio": {
			numbers: []numberArgument{
				{name: "target_return", kind: "percent", cues: "return*|收益|回报"}, {name: "target_volatility", kind: "percent", cues: "volatility|vol|risk|波动率"}, {name: "max_weight", kind: "percent", cues: "at most|max*|no more than|nothing above|nothing over|cap*|最多|不超过|上限"},
				{name: "min_weight", kind: "percent", cues: "at least|min weight|minimum weight|至少|不低于"}, {name: "sum", kind: "money", cues: "invest*|with|投", bare: true}, {name: "risk_free_rate", kind: "percent", cues: "risk free|risk-free|无风险"},
			},
			choices: []choiceArgument{{"objective", []choice{
				{"min_cvar", "cvar|tail*|expected shortfall|尾部"}, {"risk_parity", "risk parity|equal risk|风险平价"}, {"hrp", "hrp|hierarchical|层次"}, {"black_litterman", "black-litterman|black litterman"},
				{"min_volatility", "minim* vol*|min* volatility|least volatil*|lowest vol*|lowest risk|minimum variance|min variance|least risk*|safest|lowest variance|最小方差|最小波动*|波动最小|风险最低|风险最小|最低波动"},
				{"efficient_return", "target return|目标收益"}, {"efficient_risk", "target risk|目标风险"}, {"max_sharpe", "sharpe|best risk*|optimal|optimi*|夏普|最优|优化"},
			}}},
			also:    "maximum highest portfolio mix combination",
			symbols: 2, required: []requirement{needSymbols, {"objective", "Optimize for what: max Sharpe, minimum volatility, risk parity or minimum CVaR?", "优化目标是什么：最大夏普、最小波动、风险平价还是最小 CVaR？", ""}},
		},
		"efficient_frontier":   {symbols: 2, also: "draw show plot mix", numbers: []numberArgument{{name: "points", kind: "number", cues: "points|点"}, {name: "max_weight", kind: "percent", cues: "at most|max*|不超过|最多"}}},
		"compare_assets":       {symbols: 2, also: faringWords + " 多 more less than next each other side riskier safer won winner 高 低 ahead beat between stocks which outperformed"},
		"skill_compare_assets": {symbols: 2},
		"correlation":          {symbols: 2, also: "move moves moved together related similar between same way"},
		"returns_stats":        {symbols: 1, build: buildReturns, also: faringWords + " change changed average dividends dividend included reinvested 分红 股息 含 投入 买入 lose make up down year stock worth become total right percent far come happened"},
		"risk_metrics": {
			numbers: []numberArgument{{name: "confidence", kind: "percent", cues: "at|confidence|var|value at risk|level|置信", bare: true}, {name: "risk_free_rate", kind: "percent", cues: "risk free|risk-free|无风险|rate"}},
			symbols: 1, also: "risk risky riskiness holding owning",
			build: func(f *filling) {
				for _, s := range f.q.of(numberSlot) { // "var 95"
					if n := s.number; !f.has("confidence") && !f.used(s) && n.GreaterThan(whole(50)) && n.LessThan(whole(100)) && f.cue("var|cvar|value at risk") {
						f.set("confidence", n.Shift(-2))
						f.use(s)
					}
				}
			},
		},
		"technical_indicators": {build: buildIndicators, symbols: 1, also: "daily day chart signal"},
		"price_history": {
			symbols: 1,
			choices: []choiceArgument{{"interval", []choice{{"5m", "5 minute*|5-minute*|5min|five minute*|intraday|minute bars|5分钟|分时"}, {"1h", "hourly|1 hour|one hour|60 minute*|hour bars|小时"}, {"monthly", "monthly|月线|每月"}, {"weekly", "weekly|周线|每周"}}}},
			build: func(f *filling) {
				if f.cue("52 week|52-week|52week|52 周|52周|52wk") {
					f.setDefault("range", "1y")
				}
			},
		},
		"chart": {
			symbols: 1, also: "图 画 走势 价格 一年",
			choices: []choiceArgument{{"kind", []choice{{"candles", "candle*|k线|蜡烛"}, {"drawdown", "drawdown*|回撤"}, {"histogram", "histogram|distribution|直方"}, {"compare", "compare*|against|versus|vs|对比|比较"}, {"line", "line|折线|走势"}}}},
		},
		"financial_statements": {
			also:    "vs versus compared between long short term sell sold spend spent owe total generate generated bring growth operating free gross net last years quarter statement statements how much did make earn profitable margin revenue 同比 增长 多少",
			numbers: []numberArgument{{name: "periods", kind: "years", cues: "last|past|years|近|过去", bare: true}},
			choices: []choiceArgument{
				{"statement", []choice{
					{"cash_flow", "cash flow*|cashflow*|fcf|capex|capital expenditure*|现金流*|自由现金流|资本开支"},
					{"balance", "balance sheet*|how much cash|cash on hand|cash pile|sitting on|assets|debt|liabilit*|equity|cash and|cash position|book value|inventor*|资产负债*|负债*|资产|债务|股东权益|现金储备|存货"},
					{"per_share", "eps|earnings per share|per share|每股收益|每股"},
					{"income", "income|revenue*|sales|profit*|research and development|r&d|expenses|costs|earn*|margin*|net income|ebit*|top line|bottom line|turnover|营收|收入|利润*|净利*|销售额|毛利"},
				}},
				{"span", []choice{{"quarterly", "quarter*|季度*|季报|q1|q2|q3|q4"}, {"ttm", "ttm|trailing|last twelve months|last four quarters|最近四个季度|过去十二个月"}, {"annual", "annual*|yearly|fiscal|每年|年度|年报"}}},
			},
			symbols: 1,
			build: func(f *filling) {
				for _, s := range f.q.of(durationSlot) {
					if s.unit == 'm' { // "last 8 quarters"
						f.setDefault("span", "quarterly")
						f.use(s)
					}
					if f.args["span"] == "quarterly" {
						f.set("periods", whole(min(12, int(s.years().Mul(whole(4)).IntPart()))))
					}
				}
				// The tool has no year argument, so request enough periods to include the year.
				for _, s := range f.q.of(periodSlot) {
					if year := atoi((s.period.From + "    ")[:4]); year > 0 && !f.used(s) {
						f.setDefault("periods", whole(min(12, max(1, f.q.now.Year()-year+1))))
						f.use(s)
					}
				}
			},
		},
		"key_ratios": {
			symbols: 1, numbers: []numberArgument{{name: "", kind: "number", cues: "above|below|over|under|than|大于|小于|高于|低于"}}, also: "trade trades trading compared free forward trailing above below over under more less than market cap capitalization enterprise return on equity assets capital invested book value sales cash flow debt current quick interest coverage turnover payout cheap expensive valued valuation multiple ev ebitda p e b s price to growth yield margin roe roa roic roce peg next 贵 便宜 估值 高 低 净资产 收益率 毛利率 净利率 负债率 增长",
			choices: []choiceArgument{{"span", []choice{{"ttm", "ttm|trailing|last twelve months"}}}},
		},
		"filings":        {symbols: 1, also: "open read report reports submitted filed published paperwork", numbers: []numberArgument{{name: "limit", kind: "number", cues: "last|latest|newest|recent|最近|最新"}}, build: func(f *filling) { f.filingForm(false) }},
		"filing_section": {symbols: 1, build: buildSection},
		"insider_trades": {symbols: 1, numbers: []numberArgument{{name: "limit", kind: "number", cues: "last|latest|newest"}}, build: func(f *filling) {
			f.setWhen("open market|open-market|公开市场", "open_market_only", true)
		}, also: "open market only sales sold bought officers directors ceo cfo 卖 买 高管"},
		"company_profile":  {symbols: 1, also: "do does make makes sell sells business what who runs ceo employees headquarters founded sector industry year end fiscal financial month 做 什么 主营"},
		"dividends_splits": {symbols: 1, also: "times next upcoming ever pay pays paid payout stock last when much per share ex date history 分红 分了 红 派息 拆股 股息"},
		"news":             {words: true, build: buildNews, numbers: []numberArgument{{name: "limit", kind: "number", cues: "latest|last|newest|headlines|top|articles|条"}}},
		"quote":            {symbols: 1, also: "last level 什么价 一股 几点 up down today stock much one share worth cost price prices 一股 各 现在"},
		"search_symbol":    {words: true, build: buildSearch, required: []requirement{{"query", "Which company or security?", "哪家公司或证券？", ""}}},
		"web_search":       {words: true, build: buildWebSearch, required: []requirement{{"query", "What should I search for?", "要搜索什么？", ""}}},
		"web_fetch":        {build: func(f *filling) { f.reference("url", urlSlot) }, required: []requirement{{"url", "Which address (URL)?", "哪个网址？", ""}}},
		"check_api":        {numbers: []numberArgument{{name: "", kind: "number", cues: "return*|status|code|with|error"}}, also: "why return returns respond down up 403 404 500", build: func(f *filling) { f.reference("url", urlSlot) }, required: []requirement{{"url", "Which address (URL)?", "哪个网址？", ""}}},
		"read_file":        {build: func(f *filling) { f.reference("path", fileSlot) }, required: []requirement{{"path", "Which file?", "哪个文件？", ""}}},
		"list_files":       {build: buildListFiles},
		"storage_usage":    {build: func(f *filling) { f.reference("path", fileSlot) }},
		"write_report":     {also: "up this that it as in to file comparison answer result note", build: func(f *filling) { f.reference("path", fileSlot); f.set("content", f.lastAnswer) }, required: []requirement{{"path", "Which file should I write, such as report.md?", "写入哪个文件，例如 report.md？", ""}}},
		"import_transactions": {
			also:     "trades transactions statement from broker 交易 记录",
			build:    func(f *filling) { f.reference("path", fileSlot) },
			required: []requirement{{"path", "Which file should I import? Give its path.", "要导入哪个文件？请给出路径。", ""}},
		},
		"add_transaction":    {build: buildTransaction},
		"remove_transaction": {also: "book ledger entry sale purchase trade wrong mistake typed", build: buildRemoval, required: []requirement{{"id", "Which transaction? Give its ID from `nfa portfolio list`, or say \"the last one\".", "要删除哪笔交易？请给出编号（nfa portfolio list 会列出），或说“最后一笔”。", ""}}},
		"alerts":             {also: "let know tell alert notify when falls drops rises files goes day moving average below above", build: buildAlerts},
		"watchlist":          {also: "let know when drops drop under upper target keep eye look again over write note done price alert email text message 到 时", build: buildWatchlist, numbers: []numberArgument{{name: "above", kind: "number", cues: "above|over|rises? to|reach*|hits?|exceeds?|涨到|高于|超过|突破|涨破"}, {name: "below", kind: "number", cues: "below|under|drops? to|falls? to|dips?|跌到|低于|跌破|降到"}}},
		"portfolio_positions": {numbers: []numberArgument{{name: "", kind: "number", cues: "biggest|largest|smallest|top|best|worst|my"}}, also: "performing losers winners gainers biggest largest smallest top cost paid pay lost lose made make gain gained loss profit on many own hold holdings have shares much worth value cash total stocks positions in at up unrealized 值多少 持有 持仓 多少 有 现金 总值 值", build: func(f *filling) {
			f.useAll(symbolSlot) // the table lists all positions
		}},
		"portfolio_allocation": {also: "europe asia america emerging abroad foreign invested investments between spread across sectors sector percent part share regions region currencies currency countries weight weights tech technology stocks bonds cash concentrated exposure exposed 行业 占比 比例 分布 集中 货币 美元", build: func(f *filling) {
			f.useAll(currencySlot) // the question is about a part of the table
		}},
		"portfolio_performance": {
			also:    "against benchmark am up down made make lost lose gain gained earn earned doing did do how well beat market return returned profit losses year 赚 亏 收益 回报 跑赢 表现",
			choices: []choiceArgument{{"method", []choice{{"money_weighted", "money-weighted|money weighted|irr|资金加权"}, {"time_weighted", "time-weighted|time weighted|时间加权"}, {"modified_dietz", "modified dietz|dietz"}}}},
		},
		"portfolio_transactions": {choices: []choiceArgument{{"kind", []choice{{"dividend", "dividend*|股息|分红"}, {"sell", "sold|sell*|sales|卖出|卖了"}, {"buy", "bought|buy*|purchases?|买入|买了|买的"}, {"deposit", "deposit*|入金|存入"}, {"withdrawal", "withdraw*|出金|取出"}, {"fee", "fees?|费用|手续费"}}}}},
		"portfolio_settings":     {also: "use right now fifo lifo average cost basis method account accounts set make targets target", build: buildTargets},
		"rebalance_plan": {
			also:    "split match how be it buy sell trades trade orders should get back targets keep out sales which on 组合 买 卖 回到 比例",
			numbers: []numberArgument{{name: "new_cash", kind: "money", cues: "cash|new|invest*|add*|deposit*|extra|现金|新增|投入|资金", bare: true}, {name: "band", kind: "percent", cues: "band|drift|within|偏离|区间"}},
			build: func(f *filling) {
				if weights := f.weights(); len(weights) > 0 {
					targets := map[string]any{}
					for symbol, w := range weights {
						targets[symbol] = w
					}
					f.set("targets", targets)
					delete(f.args, "band")
					f.useAll(symbolSlot, percentSlot)
				}
				if f.cue("equal weight*|equally|等权*") && !f.has("targets") {
					f.missing = append(f.missing, requirement{"targets", "Which target weights? Write them like 60% VTI, 40% BND.", "目标权重是多少？例如 60% VTI，40% BND。", "to"})
				}
				f.setWhen("without selling|only buy*|no selling|don't sell|do not sell|只买不卖|不卖", "only_buy", true)
				if f.cue("withdraw*|take out|take * out|out|need to take|取出|提取") {
					if n, ok := f.args["new_cash"].(amount); ok {
						f.set("new_cash", n.Neg())
					}
				}
			},
		},
		"portfolio_checkup": {
			numbers: []numberArgument{{name: "max_holding", kind: "percent", cues: "position|holding|single|one stock|above|over|more than|at most|单只|单一|不超过|超过"}, {name: "max_cash", kind: "percent", cues: "cash|现金"}},
			also:    "no above health check holdings healthy risk risks risky diversified concentrated concentration balanced too much wrong spread 健康 体检 检查 风险 集中",
		},
		"income_calendar": {build: func(f *filling) {
			for _, s := range f.q.of(durationSlot) {
				if s.years().Equal(whole(1)) { // the calendar covers the next twelve months
					f.use(s)
				}
			}
		}, also: "what when will would do i get receive arrive paid pay pays months expect expected each every per by in over show 每个月 能 收到 多少 什么时候 明年 未来 一年"},
		"tax_lots": {
			also: "long short term gains vs versus and average price",
			choices: []choiceArgument{
				{"kind", []choice{{"harvest", "harvest*|at a loss|under water|underwater|tax loss|tax-loss|losses|offset|抵税|亏损|税损"}, {"wash", "wash*|洗售"}, {"closed", "realiz*|realis*|closed|sold|已实现的收益|已实现|卖出"}, {"open", "open|unrealized|unrealised|cost basis|未实现|成本"}}},
				{"jurisdiction", []choice{{"us", "us|irs|american|美国"}}},
			},
		},
		"decision_journal": {build: buildJournal, words: true},
		"investor_profile": {also: "my investment horizon remember that years risk", build: func(f *filling) {
			if d := f.q.of(durationSlot); len(d) > 0 && f.cue("horizon|期限|investing for") {
				f.set("action", "answer")
				f.set("answers", map[string]any{"horizon": d[0].number.String() + " years"})
				f.use(d[0])
			}
		}, choices: []choiceArgument{{"action", []choice{{"questions", "questions?|ask me|问题|问卷"}, {"clear", "clear|reset|delete|清空|清除"}}}}},
		"Skill": {build: buildSkill, words: true, required: []requirement{{"name", "Which skill? For the list: /skills", "哪个技能？/skills 会列出。", ""}}},
		"read_skill_file": {also: "show came with mentions it", build: func(f *filling) {
			buildSkill(f)
			if name, ok := f.args["name"]; ok {
				delete(f.args, "name")
				f.set("skill", name)
			}
			for _, s := range f.q.of(fileSlot) {
				f.setDefault("path", s.text)
			}
		}, required: []requirement{{"skill", "Which skill? For the list: /skills", "哪个技能？", ""}, {"path", "Which file of the skill?", "哪个文件？", ""}}},
		"skill_what_if_monthly_saving": {
			numbers:  []numberArgument{{name: "monthly", kind: "money", cues: "a month|monthly|every month|每月|定投", bare: true}, {name: "years", kind: "years", bare: true}, {name: "annual_return", kind: "percent", cues: rateCues, bare: true}},
			required: []requirement{{"monthly", "How much a month?", "每月多少？", "monthly"}, needYears},
			build: func(f *filling) {
				if n, ok := f.args["monthly"].(amount); ok {
					f.set("monthly", n.String())
				}
			},
		},
		"skill_price_alert_report": {
			numbers: []numberArgument{{name: "above", kind: "number", cues: "above|over|高于|超过|涨到"}, {name: "below", kind: "number", cues: "below|under|低于|跌破|跌到"}},
			symbols: 1,
			build:   func(f *filling) { f.reference("file", fileSlot) },
		},
	}
}

// maturityAt matches a maturity on the yield curve; the tool shows all of them.
var maturityAt = lazyregexp.New(`\b(?:1|2|3|5|6|7|10|20|30|two|five|ten|thirty)[ -]?(?:y|yr|years?|m|months?)\b|(?:1|2|3|5|7|10|20|30|[一二两三五七十]|二十|三十)年期?`)

// bookTools answer from the user's own records.
var bookTools = wordSet("portfolio_positions portfolio_performance portfolio_allocation portfolio_checkup portfolio_transactions portfolio_settings rebalance_plan tax_lots income_calendar watchlist decision_journal investor_profile")

// calculators take several numbers.
var calculators = wordSet("loan_payment time_value goal_plan retirement_simulation position_size option_price bond_price calculate xirr dcf_valuation skill_what_if_monthly_saving")

// verbs lists, by tool, words of which a question needs at least one, because the tool changes something or
// accepts any words.
var verbs = map[string]string{
	"add_transaction":          "bought|sold|buy|sell|sale|purchased|received|deposited|withdrew|deposit|withdraw*|dividend|split|record*|log|transferred|moved|exchanged|converted|fee|买*|卖*|记*|分红|股息|入金|出金|存入|取出|转入|转到|录入|加仓|减仓|added|picked up|got|paid|spun",
	"remove_transaction":       "remove*|delete*|undo|删*|撤销|去掉|移除",
	"import_transactions":      "import*|load|read in|upload|导入|读入|上传",
	"comps_valuation":          "comps|peers?|comparable*|multiples?|同行|可比",
	"position_size":            "risk*|stop*|siz*|many shares|kelly|仓位|几股|多少股|止损|凯利|风险",
	"portfolio_settings":       "setting*|method|fifo|lifo|average cost|targets|my target|target weight*|target allocation*|alias*|weights?|设置|目标|先进先出|后进先出|平均成本|别名",
	"write_report":             "save*|write|export|store|report|保存|写*|导出|存*|生成",
	"skill_price_alert_report": "alert*|预警",
	"alerts":                   "alert*|let me know|tell me when|tell me if|tell me once|notify*|remind*|ping me|warn*|keep an eye|提醒*|通知*|关注*",
	"decision_journal":         "journal|decision*|decided|decide|reason|thesis|why did i|日志|决定|决策|为什么",
	"portfolio_positions":      "my|our|i|portfolio|holdings?|positions?|account*|own|持仓|组合|持有|我*|账户",
	"watchlist":                "watch*|unwatch|list|radar|track*|follow*|alert*|remind*|tell me|let me know|notify*|keep an eye*|monitor|put|add|ad|remove|delete|take|drop|自选*|关注*|提醒*|盯*|通知*|取关|加*|移*|删*",
	"portfolio_allocation":     "my|our|i|portfolio|holdings?|allocat*|expos*|invested|weights?|spread|组合|持仓|占比|分布|我*|集中|行业*",
	"tax_lots":                 "my|our|i|tax*|lots?|realiz*|realis*|unrealiz*|harvest*|wash*|gains?|losses|cost basis|税*|抵税|成本*|亏损|我*|已实现*|未实现*|洗售",
	"rebalance_plan":           "rebalanc*|re-balanc*|my|i|portfolio|targets|target weight*|target mix|allocation|再平衡|调仓|目标*|组合|回到*|我*",
	"news":                     "为什么|为何|news|headline*|article*|story|stories|happening|press|why is|why did|新闻|消息|报道|头条|资讯",
	"web_search":               "search*|google|look up|web|internet|online|find out|搜索|搜|网上|上网",
	"search_symbol":            "ticker*|symbol*|isin|cik|wkn|sedol|code|代码|search*|find|look up|listed|代號|代号",
	"macro_series":             "over time|fred|series|economic*|economy|macro|statistics|指标|宏观|经济",
	"Skill":                    "skill*|技能|run|use|apply|用",
	"check_api":                "up|down|reachable|status|api|return*|respon*|ping|check|403|404|500|latency|alive|works?|working|能访问|状态|通不通|挂",
	"read_skill_file":          "skill*|技能",
	"investor_profile":         "profile|questionnaire|about me|risk tolerance|my risk|horizon|know about me|birth*|born|income|画像|档案|风险承受|风险偏好|投资期限",
}

// accountNames lists brokers, because people name their accounts after them.
const accountNames = "roth ira|ira|401k|isa|sipp|fidelity|schwab|vanguard|ibkr|interactive brokers|robinhood|degiro|etrade|e-trade|trading212|trading 212|etoro|revolut|coinbase|swissquote|saxo|xtb|trade republic|scalable|comdirect|merrill|webull|questrade|wealthsimple|freetrade|kraken|binance|富途|老虎|盈透|嘉信|富达|华泰|雪盈"

// knownOnlyToBuilders are words that determine an argument but are in no tool description.
var knownOnlyToBuilders = sync.OnceValue(func() string {
	var all []string
	for _, list := range [][]choice{exchanges, cities, series, transactionKinds} {
		for _, c := range list {
			all = append(all, c.cues)
		}
	}
	return strings.Join(append(all, accountNames), "|")
})

func isHan(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= 0x2E80 }) >= 0
}

// cues returns the positions of the words of a list in a text.
func cues(low, list string) [][2]int {
	var out [][2]int
	for cue := range strings.SplitSeq(list, "|") {
		open := strings.HasSuffix(cue, "*")
		cue = strings.TrimSuffix(cue, "*")
		if inner := strings.Index(cue, "* "); inner >= 0 {
			out = append(out, splitCues(low, cue[:inner], cue[inner+2:], open)...)
			continue
		}
		optional := strings.HasSuffix(cue, "s?")
		cue = strings.TrimSuffix(cue, "s?")
		for from := 0; cue != "" && from < len(low); {
			at := strings.Index(low[from:], cue)
			if at < 0 {
				break
			}
			start, end := from+at, from+at+len(cue)
			from = end
			if isHan(cue) {
				out = append(out, [2]int{start, end})
				continue
			}
			if optional && strings.HasPrefix(low[end:], "s") {
				end++
			}
			for open && end < len(low) && isWordByte(low[end]) {
				end++
			}
			if (start == 0 || !isWordByte(low[start-1])) && (end == len(low) || !isWordByte(low[end])) {
				out = append(out, [2]int{start, end})
			}
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return a[0] - b[0] })
	return out
}

// splitCues finds a word that begins with first, followed by a word that begins with second.
func splitCues(low, first, second string, open bool) [][2]int {
	var out [][2]int
	suffix := ""
	if open {
		suffix = "*"
	}
	for _, a := range cues(low, first+"*") {
		for _, b := range cues(low, second+suffix) {
			if b[0] > a[1] && b[0]-a[1] <= 2 {
				out = append(out, [2]int{a[0], b[1]})
			}
		}
	}
	return out
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '_'
}
