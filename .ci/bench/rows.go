package main

// section is a section of the page: a title and its rows.
type section struct {
	title string
	rows  []row
}

// row is a line of the page: a benchmark at one size, or at n, 2n and 4n.
type row struct {
	name  string
	unit  string // what is counted by sizes
	pkg   string // under internal
	bench string // %d stands for the size
	sizes []int
	grows growth
	// once has each size run a single time in a round, because it takes seconds.
	once bool
}

// growth is how the time ought to follow the size: the most that doubling the one may
// do to the other.
type growth struct {
	name string
	most float64
}

func flat() growth      { return growth{"not at all", 1} }
func linear() growth    { return growth{"as n", 2} }
func quadratic() growth { return growth{"as n²", 4} }
func cubic() growth     { return growth{"as n³", 8} }

func sections() []section {
	return []section{
		{"Skills", skillRows()},
		{"A conversation", conversationRows()},
		{"The screen", screenRows()},
		{"What is kept on disk", diskRows()},
		{"Mathematics", mathematicsRows()},
		{"A book", portfolioRows()},
	}
}

func skillRows() []row {
	const scan = "BenchmarkOpen/skills=%d/junk=0"
	return []row{
		{name: "scan, few", unit: "skills", pkg: "skill", bench: scan, sizes: []int{8}},
		{name: "scan, some", unit: "skills", pkg: "skill", bench: scan, sizes: []int{100}},
		{name: "scan, many", unit: "skills", pkg: "skill", bench: scan, sizes: []int{500, 1_000, 2_000}, grows: linear()},
		{name: "scan, in three folders", unit: "skills", pkg: "skill", bench: scan, sizes: []int{10_000}},
		{name: "load one of", unit: "skills", pkg: "skill", bench: "BenchmarkLoad/skills=%d", sizes: []int{100, 200, 400}, grows: flat()},
		{name: "cache hit, a text of", unit: "KB", pkg: "skill", bench: "BenchmarkCache_Hit/KB=%d", sizes: []int{25, 50, 100}, grows: linear()},
	}
}

func conversationRows() []row {
	return []row{
		{name: "tool calls, one a step", unit: "calls", pkg: "agent", bench: "BenchmarkRun_ToolCalls/calls=%d", sizes: []int{5, 10, 20}, grows: linear()},
		{name: "an answer in deltas", unit: "deltas", pkg: "agent", bench: "BenchmarkRun_Text/deltas=%d", sizes: []int{1_000, 2_000, 4_000}, grows: linear()},
		{name: "stream parsed", unit: "MB", pkg: "llm/openai", bench: "BenchmarkStream/MB=%d", sizes: []int{1, 2, 4}, grows: linear()},
		{name: "figures check, an answer of", unit: "KB", pkg: "trace", bench: "BenchmarkMatch_ALongAnswer/KB=%d", sizes: []int{10, 20, 40}, grows: linear()},
		{name: "figures check against", unit: "known", pkg: "trace", bench: "BenchmarkMatch_ManyKnown/known=%d", sizes: []int{300, 600, 1_200}, grows: linear()},
		{name: "report with", unit: "figures", pkg: "report", bench: "BenchmarkNew/markdown_%d", sizes: []int{500, 1_000, 2_000}, grows: linear()},
	}
}

func screenRows() []row {
	return []row{
		{name: "transcript opened", unit: "messages", pkg: "tui", bench: "BenchmarkOpen/messages=%d", sizes: []int{2_500, 5_000, 10_000}, grows: linear()},
		{name: "frame drawn after", unit: "messages", pkg: "tui", bench: "BenchmarkView/messages=%d", sizes: []int{2_500, 5_000, 10_000}, grows: flat()},
		{name: "key and its frame after", unit: "messages", pkg: "tui", bench: "BenchmarkKeystroke/messages=%d", sizes: []int{2_500, 5_000, 10_000}, grows: flat()},
		{name: "answer streamed, every frame drawn", unit: "tokens", pkg: "tui", bench: "BenchmarkStream/tokens=%d", sizes: []int{5_000, 10_000, 20_000}, grows: linear()},
		{name: "Markdown streamed: an answer", unit: "tokens", pkg: "markdown", bench: "BenchmarkStream/answer/%d", sizes: []int{10_000, 20_000, 40_000}, grows: linear()},
		{name: "Markdown streamed: one table", unit: "tokens", pkg: "markdown", bench: "BenchmarkStream/table/%d", sizes: []int{10_000, 20_000, 40_000}, grows: linear()},
	}
}

func diskRows() []row {
	return []row{
		{name: "bars written, daily", unit: "years", pkg: "sqlite", bench: "BenchmarkBars_Save/years=%d", sizes: []int{10, 20, 40}, grows: linear()},
		{name: "bars read, daily", unit: "years", pkg: "sqlite", bench: "BenchmarkBars_Load/years=%d", sizes: []int{10, 20, 40}, grows: linear()},
		{name: "session read", unit: "entries", pkg: "sqlite", bench: "BenchmarkLoad/entries=%d", sizes: []int{2_500, 5_000, 10_000}, grows: linear()},
		{name: "book written", unit: "transactions", pkg: "sqlite", bench: "BenchmarkBook_Import/%d", sizes: []int{25_000, 50_000, 100_000}, grows: linear(), once: true},
		{name: "book read", unit: "transactions", pkg: "sqlite", bench: "BenchmarkBook_Ledger/%d", sizes: []int{25_000, 50_000, 100_000}, grows: linear(), once: true},
	}
}

func mathematicsRows() []row {
	bars := []int{250_000, 500_000, 1_000_000}
	assets := []int{125, 250, 500}
	return []row{
		{name: "SMA(20)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/sma/bars=%d", sizes: bars, grows: linear()},
		{name: "RSI(14)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/rsi/bars=%d", sizes: bars, grows: linear()},
		{name: "MACD(12, 26, 9)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/macd_line/bars=%d", sizes: bars, grows: linear()},
		{name: "ADX(14)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/adx/bars=%d", sizes: bars, grows: linear()},
		{name: "Aroon(25)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/aroon_up/bars=%d", sizes: bars, grows: linear()},
		{name: "Ichimoku(9, 26, 52)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/conversion/bars=%d", sizes: bars, grows: linear()},
		{name: "least volatility, few", unit: "assets", pkg: "analytics/optimize", bench: "BenchmarkMinVolatility/%d", sizes: []int{50}},
		{name: "least volatility", unit: "assets", pkg: "analytics/optimize", bench: "BenchmarkMinVolatility/%d", sizes: assets, grows: cubic()},
		{name: "frontier", unit: "assets", pkg: "analytics/optimize", bench: "BenchmarkFrontier/%d", sizes: assets, grows: cubic()},
		{name: "risk parity", unit: "assets", pkg: "analytics/optimize", bench: "BenchmarkRiskParity/%d", sizes: assets, grows: cubic()},
		{name: "simulation of 50 years, normal", unit: "paths", pkg: "analytics/simulate", bench: "BenchmarkRun_50Years/normal/paths=%d", sizes: []int{25_000, 50_000, 100_000}, grows: linear(), once: true},
		{name: "simulation of 50 years, bootstrap", unit: "paths", pkg: "analytics/simulate", bench: "BenchmarkRun_50Years/bootstrap/paths=%d", sizes: []int{25_000, 50_000, 100_000}, grows: linear(), once: true},
		{name: "soonest year of a goal", unit: "paths", pkg: "analytics/simulate", bench: "BenchmarkSoonest_60Years/paths=%d", sizes: []int{50_000, 100_000, 200_000}, grows: linear(), once: true},
	}
}

func portfolioRows() []row {
	transactions := []int{25_000, 50_000, 100_000}
	return []row{
		{name: "lots and gains, 5 symbols", unit: "transactions", pkg: "portfolio/lots", bench: "BenchmarkEngine/fifo/5symbols/%d", sizes: transactions, grows: linear()},
		{name: "lots and gains, 500 symbols", unit: "transactions", pkg: "portfolio/lots", bench: "BenchmarkEngine/fifo/500symbols/%d", sizes: transactions, grows: linear()},
		{name: "20 years valued each day", unit: "transactions", pkg: "analytics/performance", bench: "BenchmarkNew_Transactions/%d_tracked", sizes: transactions, grows: linear()},
		{name: "20 years valued each day, held throughout", unit: "positions", pkg: "analytics/performance", bench: "BenchmarkNew_Positions/%d_in_USD", sizes: []int{50, 100, 200}, grows: linear()},
	}
}
