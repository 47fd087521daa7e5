package offline

// Topic is what a question is about.
type Topic int

// Topics. Open is a question that names things but does not say what about them.
const (
	TopicOpen Topic = iota
	TopicUnknown
	TopicHelp
	TopicThanks
	TopicSummary
	TopicSkill
	TopicCalculate
	TopicTime
	TopicSubject  // known to the assistant only as what it cannot do
	TopicUserData // the user's own data: the portfolio, the journal, the profile
	TopicQuote
	TopicHistory
	TopicReturns
	TopicInvestment // what an amount would have become
	TopicOverview   // how it has done: history and returns
	TopicCompare
	TopicChart // prices to be seen
)

// TakesSymbols reports whether the topic is about instruments.
func (t Topic) TakesSymbols() bool { return t >= TopicQuote }

// Subject is a field that takes more than rules, with the words that name it.
type Subject struct {
	Name   string
	Reason string // what is said of it
	words  []string
}

const (
	noRule   = "I have no rule for that, and will not guess."
	noFigure = "No tool here gives that figure, and I will not guess it; the price I can give."
	noRank   = "I cannot rank years, months or days, and will not guess; how one stretch of time went I can tell."
)

// subjects are looked for before the topics, because they use the same words:
// the price target of a share is not its price.
var subjects = []Subject{
	{"whether to buy or sell", noRule, []string{"should i", "shall i", "is it a good time", "worth buying", "worth selling", "good investment", "recommend*", "soll ich", "dois-je", "debería"}},
	{"what will happen", noRule, []string{"forecast*", "predict*", "price target", "target price", "will it", "going to rise", "going to fall", "tomorrow", "next year", "next month", "next week", "prognose", "prévision", "pronóstico"}},
	{"a portfolio", noRule, []string{"portfolio*", "my book", "my positions", "my holdings", "rebalanc*", "tax loss", "tax-loss", "harvest*", "capital gain*", "allocation"}},
	{"news and filings", noRule, []string{"news", "headline*", "filing*", "10-k", "10-q", "8-k", "earnings call", "insider*", "noticias", "nachrichten"}},
	{"which year or month was the best or the worst", noRank, rankingWords()},
	{"the dividend yield", noFigure, []string{"dividend yield*"}},
	{"the P/E ratio", noFigure, []string{"p e", "pe", "pe ratio", "price to earnings", "price-to-earnings", "price earnings"}},
	{"the price-to-book ratio", noFigure, []string{"p b", "price to book", "price-to-book"}},
	{"the price-to-sales ratio", noFigure, []string{"p s", "price to sales", "price-to-sales"}},
	{"the market capitalisation", noFigure, []string{"market cap*", "marketcap", "market value", "mcap"}},
	{"earnings per share", noFigure, []string{"eps", "earnings per share"}},
	{"beta or the Sharpe ratio", noFigure, []string{"beta", "sharpe*", "sortino*"}},
	{"the number of shares outstanding", noFigure, []string{"shares outstanding", "outstanding shares", "share count"}},
	{"a company's figures", noFigure, []string{"earnings", "revenue*", "net income", "profit*", "balance sheet", "income statement", "cash flow", "fundamentals", "ebitda", "margin*", "book value"}},
	{"valuation", noRule, []string{"valuation", "fair value", "intrinsic value", "dcf", "undervalued", "overvalued"}},
	{"a technical indicator", noRule, []string{"moving average*", "sma", "ema", "rsi", "macd", "bollinger*", "stochastic*", "fibonacci*", "gleitende* durchschnitt*"}},
	{"correlation", noRule, []string{"correlat*", "covarian*", "korrel*", "corrélation*", "correlación*"}},
	{"retirement and plans", noRule, []string{"retire*", "pension*", "savings plan", "mortgage*", "loan*"}},
	{"currencies and rates", noRule, []string{"exchange rate*", "interest rate*", "inflation", "yield curve", "treasury yield*"}},
}

// advised is how many subjects stand before the questions about what the user keeps.
const advised = 2

func rankingWords() []string {
	var out []string
	for _, unit := range []string{"year", "month", "week", "day", "quarter", "decade"} {
		out = append(out, "worst "+unit+"*", "best "+unit+"*", "which "+unit, "what "+unit+" was")
	}
	return out
}

// classify tells what s asks for. The order matters: what is more particular
// comes first.
func classify(s sentence, q Question) (Topic, Subject) {
	switch {
	case s.begins("summarize", "summarise", "summary of", "tl;dr", "please summarize", "please summarise") ||
		s.has("summarize this", "summarise this", "summary of this", "fasse zusammen", "résume", "resume esto"):
		return TopicSummary, Subject{}
	case q.Expression != "":
		return TopicCalculate, Subject{}
	case s.has("what time", "current time", "time is it", "what day", "what date", "today's date", "current date", "date today", "date is it",
		"what the date", "what is the date", "what is the time", "what the time", "wie spät", "welcher tag", "quelle heure", "qué hora", "几点", "今天几号"):
		return TopicTime, Subject{}
	}
	if t, about := unsupportedSubject(s, q); t != TopicOpen {
		return t, about
	}
	if t := marketTopic(s, q); t != TopicOpen {
		return todayTopic(t, s, q), Subject{}
	}
	return talkTopic(s, q), Subject{}
}

// unsupportedSubject finds the subject of s, but for two that sound like one and are not:
// what named holdings are worth, and returns with dividends.
func unsupportedSubject(s sentence, q Question) (Topic, Subject) {
	if len(q.ShareCounts) > 0 && s.has("worth", "value", "wert", "vaut", "vale") && !s.has(subjects[0].words...) {
		return TopicQuote, Subject{}
	}
	if q.Investment.Amount != "" && s.has("a month", "per month", "each month", "every month", "monthly", "a week", "per week", "each week", "every week", "weekly", "per year", "each year",
		"every year", "yearly", "annually", "im monat", "pro monat", "monatlich", "par mois", "al mes") {
		return TopicSubject, Subject{Name: "a sum that is put in again and again", Reason: noRule}
	}
	for i, about := range subjects {
		// Advice and forecasts are asked of the portfolio, too, and no tool gives them.
		if i == advised && q.UserData.stated {
			return TopicUserData, Subject{Name: q.UserData.Name(), Reason: noRule}
		}
		if s.has(about.words...) {
			return TopicSubject, about
		}
	}
	if s.has("dividend*") && !s.has("return*", "perform*", "reinvest*", "with", "without", "including", "excluding") {
		return TopicSubject, Subject{Name: "dividends", Reason: noFigure}
	}
	return TopicOpen, Subject{}
}

func marketTopic(s sentence, q Question) Topic {
	comparing := s.has("compare*", "comparison", "vs", "versus", "against", "better than", "worse than", "riskier than", "safer than",
		"difference between", "outperform*", "vergleich*", "gegen", "comparer*", "comparar*", "比较", "对比")
	asksReturns := s.has("risk*", "volatil*", "drawdown*", "how bad", "how far did", "return", "returns", "returned", "cagr", "perform*",
		"gain*", "lost", "lose", "loss*", "crash*", "fell", "fall", "fallen", "drop*", "rise", "risen", "rose", "grow", "grew", "grown",
		"growth", "how safe", "how dangerous", "worst", "risiko", "riskant", "rendite", "schwank*", "verlust*", "risque*", "rendement*",
		"perte*", "baisse", "riesgo*", "rentabilidad", "rendimiento", "pérdida*", "caída*", "风险", "收益", "回报", "波动", "回撤")
	switch {
	case q.Investment.Amount != "":
		return TopicInvestment
	case s.wantsChart():
		return TopicChart
	case comparing && len(q.Symbols)+len(q.UnknownNames) > 0:
		return TopicCompare
	case len(q.Symbols) > 1 && (asksReturns || s.has("which", "better", "worse")):
		return TopicCompare
	case s.asksPerformance():
		return TopicOverview
	case asksReturns:
		return TopicReturns
	case s.has("history", "histories", "historic*", "trend*", "over time", "time series", "closing prices",
		"kursverlauf", "verlauf", "historie", "historique", "histórico", "historial", "历史", "走势"):
		return TopicHistory
	case s.has("price*", "quote*", "trading at", "trades at", "trade at", "trading", "worth", "cost", "costs", "how much is", "how much are",
		"last close", "level", "latest", "where is", "tell me about", "info on", "information on", "kurs", "preis", "aktienkurs", "steht",
		"notiert", "cours", "prix", "cote", "precio*", "cotiza*", "vale", "股价", "价格", "多少钱", "报价"):
		return pricedTopic(q)
	}
	return TopicOpen
}

// todayTopic returns TopicQuote for a move within this day, because the newest price comes with
// that move, and otherwise t.
func todayTopic(t Topic, s sentence, q Question) Topic {
	if (t == TopicReturns || t == TopicOverview || t == TopicCompare) && q.Period.Empty() && s.has("today", "heute", "aujourd'hui", "hoy", "今天") {
		return TopicQuote
	}
	return t
}

// pricedTopic tells the newest price from prices of the past.
func pricedTopic(q Question) Topic {
	if q.Period.Empty() {
		return TopicQuote
	}
	return TopicHistory
}

// wantsChart recognises the wish to see prices. A chart that is asked for beside how
// something has done stands in the cards of that answer.
func (s sentence) wantsChart() bool {
	return s.begins("chart", "draw", "plot", "graph", "zeichne", "dessine", "dibuja", "画") ||
		s.has("chart*", "candles", "candlestick*", "draw", "plot", "graph", "graphs", "histogram*", "diagramm", "graphique", "gráfico", "图表", "走势图") && !s.asksPerformance()
}

// chartKind is the kind of chart that s names, as the tool has it, or empty.
func (s sentence) chartKind() string {
	switch {
	case s.has("candle*"):
		return "candles"
	case s.has("drawdown*"):
		return "drawdown"
	case s.has("histogram*", "distribution"):
		return "histogram"
	}
	return ""
}

// asksPerformance recognises "how has it done", in whatever form.
func (s sentence) asksPerformance() bool {
	asks := s.has("how") && !s.has("how do i", "how do you", "how do we", "you", "how to")
	does := s.has("done", "do", "doing", "perform", "performed", "performing", "performance", "fared", "fare", "gone", "developed", "behaved")
	return asks && does || s.has("wie hat sich", "wie lief", "wie ist es", "entwickelt", "comment a évolué", "a évolué", "s'est comporté", "cómo ha ido",
		"ha evolucionado", "表现", "表現")
}

func talkTopic(s sentence, q Question) Topic {
	if len(q.Symbols) > 0 {
		return TopicOpen
	}
	switch {
	case s.has("help", "what can you", "what can i", "what do you do", "who are you", "what are you", "how do you work", "what skills", "which skills",
		"list skills", "what tools", "which tools", "commands", "hilfe", "was kannst du", "aide", "ayuda", "帮助", "你好"):
		return TopicHelp
	case q.words <= 4 && s.begins("hello", "hi", "hey", "good morning", "good evening", "good afternoon", "hallo", "bonjour", "salut", "hola"):
		return TopicHelp
	case q.words <= 6 && s.begins("thanks", "thank you", "thx", "ok thanks", "great", "danke", "merci", "gracias", "谢谢"):
		return TopicThanks
	case s.begins("calculate", "compute", "calc", "berechne", "calcule", "calcula"):
		return TopicCalculate
	case q.words == 0:
		return TopicHelp
	}
	return TopicOpen
}
