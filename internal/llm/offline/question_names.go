package offline

import (
	"strings"
	"sync"
)

// names are the instruments that people call by name rather than by symbol, as
// the words of a sentence are spelled: lower case, without possessives. They are
// a convenience: what is not here is asked for by its ticker.
var names = map[string]string{
	"s&p 500": "^GSPC", "s&p500": "^GSPC", "s&p": "^GSPC", "sp500": "^GSPC", "sp 500": "^GSPC", "s and p 500": "^GSPC",
	"s&p 500 index": "^GSPC", "standard & poor 500": "^GSPC", "standard and poor 500": "^GSPC", "spx": "^GSPC", "gspc": "^GSPC",
	"s&p 100": "^OEX", "s&p 400": "^SP400", "s&p midcap 400": "^SP400", "s&p 600": "^SP600", "dow 30": "^DJI", "dow jones 30": "^DJI",
	"nasdaq 100": "^NDX", "nasdaq-100": "^NDX", "ndx": "^NDX", "nasdaq composite": "^IXIC", "nasdaq": "^IXIC", "ixic": "^IXIC",
	"dow jones": "^DJI", "dow": "^DJI", "the dow": "^DJI", "djia": "^DJI", "russell 2000": "^RUT", "vix": "^VIX",
	"dax": "^GDAXI", "ftse 100": "^FTSE", "ftse 250": "^FTMC", "ftse mib": "FTSEMIB.MI", "ftse": "^FTSE", "nikkei 225": "^N225", "nikkei": "^N225", "hang seng": "^HSI",
	"euro stoxx 50": "^STOXX50E", "cac 40": "^FCHI", "ibex 35": "^IBEX",

	"apple": "AAPL", "microsoft": "MSFT", "amazon": "AMZN", "amazon.com": "AMZN", "google": "GOOGL", "alphabet": "GOOGL",
	"international business machines": "IBM", "xerox": "XRX", "adobe": "ADBE", "dell": "DELL", "dell technologies": "DELL",
	"nvidia": "NVDA", "tesla": "TSLA", "facebook": "META", "meta platforms": "META", "netflix": "NFLX", "intel": "INTC",
	"cisco": "CSCO", "oracle": "ORCL", "salesforce": "CRM", "qualcomm": "QCOM", "broadcom": "AVGO", "paypal": "PYPL",
	"berkshire hathaway": "BRK.B", "berkshire": "BRK.B", "jpmorgan": "JPM", "jp morgan": "JPM", "jpmorgan chase": "JPM",
	"goldman sachs": "GS", "morgan stanley": "MS", "bank of america": "BAC", "citigroup": "C", "wells fargo": "WFC",
	"mastercard": "MA", "american express": "AXP", "blackrock": "BLK", "walmart": "WMT", "costco": "COST",
	"home depot": "HD", "mcdonald": "MCD", "mcdonalds": "MCD", "starbucks": "SBUX", "coca-cola": "KO", "coca cola": "KO",
	"pepsico": "PEP", "pepsi": "PEP", "procter & gamble": "PG", "procter and gamble": "PG", "disney": "DIS",
	"walt disney": "DIS", "boeing": "BA", "caterpillar": "CAT", "general electric": "GE", "general motors": "GM",
	"exxon": "XOM", "exxonmobil": "XOM", "exxon mobil": "XOM", "chevron": "CVX", "johnson & johnson": "JNJ",
	"johnson and johnson": "JNJ", "pfizer": "PFE", "merck": "MRK", "eli lilly": "LLY", "unitedhealth": "UNH", "at&t": "T",
	"verizon": "VZ", "toyota": "TM", "asml": "ASML", "siemens": "SIE.DE", "volkswagen": "VOW3.DE", "nestle": "NESN.SW",
	"nestlé": "NESN.SW", "novartis": "NVS", "bitcoin": "BTC-USD", "ethereum": "ETH-USD",
}

// properNames are names that are ordinary words without their capital.
var properNames = map[string]string{
	"visa": "V", "meta": "META", "target": "TGT", "ford": "F", "nike": "NKE", "shell": "SHEL", "uber": "UBER", "sap": "SAP",
}

// unspacedNames are names in scripts that put no spaces between words, longer
// ones first where one holds the other.
var unspacedNames = []struct{ name, symbol string }{
	{"标普", "^GSPC"}, {"標普", "^GSPC"}, {"纳斯达克", "^IXIC"}, {"納斯達克", "^IXIC"}, {"道琼斯", "^DJI"},
	{"苹果", "AAPL"}, {"蘋果", "AAPL"}, {"微软", "MSFT"}, {"微軟", "MSFT"}, {"亚马逊", "AMZN"}, {"亞馬遜", "AMZN"},
	{"谷歌", "GOOGL"}, {"英伟达", "NVDA"}, {"特斯拉", "TSLA"},
}

// known are the tickers that are recognised in lower case, too.
var known = sync.OnceValue(func() map[string]bool {
	out := wordSet("AAPL MSFT AMZN GOOGL GOOG IBM XRX ADBE NVDA TSLA META NFLX INTC AMD CSCO ORCL SPY QQQ VTI VOO VXUS BND AGG VWCE")
	for _, symbol := range names {
		if strings.TrimLeft(symbol, "^") == symbol {
			out[symbol] = true
		}
	}
	return out
})

// abbreviations look like tickers and are not, unless a $ says so.
var abbreviations = lazyWordSet(`A I AI AM API APR ATH ATM AUD AUG AUM CAD CAGR CEO CFO CHF CLI CNY COO CPI CSV CTO DCF DEC EBIT
	EPS ESG EST ET ETF ETFS EU EUR FAQ FEB FED FOMC FX FY FYI GAAP GBP GDP GMT HKD IPO IRA IRR IRS JAN JPY JSON JUL JUN LLM LTD
	MAR MAX MAY MCP MD NAV NFA NOV NPV NYSE OCT OTC PDF PE PM PS Q1 Q2 Q3 Q4 QE REIT REITS ROA ROE ROI ROIC ROTH SEC SEP SEPT
	SQL TTM TV UK UN URL US USA USD UTC VAT VS WTF YOY YTD YTM LOL OMG ASAP BTW IMO TLDR DIY HR PR HTML HTTP TODO IMF ECB BOE BOJ ` + currencyCodes)

// ordinary are the words questions are made of: never a ticker, never a name.
var ordinary = lazyWordSet(`a about after against all also am an analyse analysis analyze and annual annually annualised annualized any are
	around as ask at average back bad be been before began begin behave best better between bought buy by calculate can cash cat
	change changed chart charts check close closed closes closing co come company compare compared comparison compute cost costs
	corp corporation could crash crashed currency current currently daily data date dates day days decade decades deep deepest did
	dividend dividends do does doing dollar dollars done down drawdown drawdowns drop dropped during each earn earned either else end ended
	ending euro euros ever every fall fallen falls far fared fell few figure figures find first five for four from full fund
	funds further gain gained gains get give go going gone good got great grew group grow grown growth had happen happened has
	have he hello help hey hi high highest him his historic historical historically history hold holding how i if in inc index indices
	info information into invest invested investing investment is isn't it its jan january feb february mar march apr april may
	jun june jul july aug august sep sept september oct october nov november dec december just know last late latest least less
	let level like list long look lose loses losing loss losses lost low lower lowest made make many market markets max maximum
	me mean min minimum monday month monthly months more most move moved much my name need new next nine no not now number of off
	offer ok okay old on once one only open or other our out over own past peak per percent performance perform performed
	performing period please point points possible prev previous price prices quarter question quick quickly quote quotes range
	rate rather recent recently recover recovered relative report return returned returns rise risen rises rising risk riskier riskiest risks
	risky rose run said same say security see sell series seven share shares she should show since six skill skills so
	sold some start started starting stat statistics stats still stock stocks summarise summarize summary symbol symbols take ten tell
	than thank thanks that the their them then there these they thing things this those three through ticker tickers till time
	times to today together told too top total trade traded trades trading trend trends trough turn two under until up upon
	us use usd used using value versus very volatile volatility vs want wants was we week weeks well went were what when where
	which while who why will with within without work worse worst worth would year yearly years yesterday yet you your yes
	candle candles candlestick candlesticks draw drawn drawing plot plotted graph graphs histogram diagram zeichne dessine dibuja
	and's ytd cheap expensive move movement moves swing swings safe safer dangerous doing it's that's what's how's let's whats hows
	aktie aktien ab auf bei bis das dem den der des die ein eine entwickelt entwicklung es hat im ist jahr jahre jahren kurs
	kursverlauf letzten mit monat monate rendite risiko seit sich und verlauf vergleiche vergleich von wie wieviel wert zeige zwischen zum
	au aux avec cette ces combien comment comparer compare cours d'action dans de depuis derniers derniere du en entre est et
	la le les mois ans an années action actions prix quel quelle rendement risque sur un une vaut
	acciones acción ano años año comparar como cómo cuál cual cuanto cuánto cuesta desde el entre es ha hace hasta los las
	por precio precios que qué rendimiento riesgo una último últimos y`)

// lazyWordSet is the words of a text, gathered at the first use: programs that start for
// something else should not wait for it.
func lazyWordSet(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool { return wordSet(words) })
}

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}
