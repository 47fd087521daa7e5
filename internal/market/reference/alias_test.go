package reference_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

func TestResolve_ChineseNames(t *testing.T) {
	wantResolved(t, map[string]market.Symbol{
		"苹果": "AAPL", "蘋果": "AAPL", "微软": "MSFT", "微軟": "MSFT", "英伟达": "NVDA", "輝達": "NVDA", "特斯拉": "TSLA",
		"亚马逊": "AMZN", "谷歌": "GOOGL", "脸书": "META", "伯克希尔": "BRK.B", "伯克希尔·哈撒韦": "BRK.B", "摩根大通": "JPM",
		"可口可乐": "KO", "迪士尼": "DIS", "星巴克": "SBUX", "麦当劳": "MCD", "耐克": "NKE", "强生": "JNJ", "辉瑞": "PFE",
		"台积电": "TSM", "台積電": "TSM", "阿里巴巴": "BABA", "拼多多": "PDD", "京东": "JD", "蔚来": "NIO",
		"腾讯": "0700.HK", "騰訊": "0700.HK", "小米": "1810.HK", "平安": "2318.HK", "比亚迪": "1211.HK", "美团": "3690.HK",
		"贵州茅台": "600519.SS", "茅台": "600519.SS", "宁德时代": "300750.SZ", "五粮液": "000858.SZ",
		"路易威登": "MC.PA", "西门子": "SIE.DE", "雀巢": "NESN.SW", "任天堂": "7974.T", "三星": "005930.KS", "鴻海": "2317.TW",
		"标普500": "^GSPC", "标普": "^GSPC", "纳斯达克": "^IXIC", "纳指": "^IXIC", "道指": "^DJI", "恒指": "^HSI",
		"沪深300": "000300.SS", "上证指数": "000001.SS", "日经225": "^N225", "恒生科技指数": "HSTECH.HK",
		"比特币": "BTC-USD", "以太坊": "ETH-USD", "黄金ETF": "GLD", "纳指ETF": "QQQ", "盈富基金": "2800.HK",
	})
}

func TestResolve_Nicknames(t *testing.T) {
	wantResolved(t, map[string]market.Symbol{
		"s&p": "^GSPC", "sp500": "^GSPC", "s and p 500": "^GSPC", "standard and poor 500": "^GSPC", "gspc": "^GSPC", "ixic": "^IXIC",
		"dow jones": "^DJI", "dow 30": "^DJI", "ftse": "^FTSE", "dax": "^GDAXI", "euro stoxx 50": "^STOXX50E", "s&p 100": "^OEX",
		"facebook": "META", "coca cola": "KO", "jp morgan": "JPM", "bofa": "BAC", "amex": "AXP", "goldman": "GS",
		"exxon": "XOM", "p&g": "PG", "j&j": "JNJ", "at&t": "T", "walmart": "WMT", "costco": "COST", "disney": "DIS",
		"mcdonald": "MCD", "cisco": "CSCO", "verizon": "VZ", "xerox": "XRX", "lilly": "LLY", "micron": "MU", "supermicro": "SMCI",
		"chipotle": "CMG", "temu": "PDD", "moutai": "600519.SS", "lvmh": "MC.PA", "hynix": "000660.KS", "nissan": "7201.T",
		"stanchart": "STAN.L", "sinopec": "0386.HK", "pop mart": "9992.HK", "asus": "2357.TW", "bitcoin": "BTC-USD", "ether": "ETH-USD",
	})
}

func wantResolved(t *testing.T, want map[string]market.Symbol) {
	t.Helper()
	table := reference.NewSymbolTable()
	for text, symbol := range want {
		if got, err := table.Resolve(text); err != nil || got.Symbol != symbol {
			t.Errorf("Resolve(%q) = %s, %v; want %s", text, got.Symbol, err, symbol)
		}
	}
}

// An alias of two instruments of one kind is ambiguous. There is none in Chinese. English ones are shared by
// the listings and share classes of one company, for which a model should ask which is meant.
func TestTable_AliasesAreOfOneCompany(t *testing.T) {
	type owner struct{ alias, kind string }
	owners := map[owner]market.Instrument{}
	for _, i := range allInstruments(t) {
		seen := map[string]bool{}
		for _, alias := range i.Aliases {
			folded := strings.ToLower(strings.Join(strings.Fields(alias), ""))
			if seen[alias] {
				t.Errorf("%s has the alias %s twice", i.Symbol, alias)
			}
			seen[alias] = true
			before, taken := owners[owner{folded, i.Kind}]
			if chinese := strings.ContainsFunc(alias, isHan); taken && before.Symbol != i.Symbol && (chinese || !shareWord(before.Name, i.Name)) {
				t.Errorf("%s is an alias of %s (%s) and %s (%s)", alias, before.Symbol, before.Name, i.Symbol, i.Name)
			}
			owners[owner{folded, i.Kind}] = i
		}
	}
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

func shareWord(a, b string) bool {
	for w := range strings.FieldsSeq(a) {
		if len(w) > 1 && strings.Contains(" "+b+" ", " "+w+" ") {
			return true
		}
	}
	return false
}

func TestTable_ManyHaveAChineseName(t *testing.T) {
	named := 0
	for _, i := range allInstruments(t) {
		for _, alias := range i.Aliases {
			if strings.ContainsFunc(alias, isHan) {
				named++
				break
			}
		}
	}
	if named < 800 {
		t.Errorf("%d instruments have a Chinese name, want all of them", named)
	}
}

func TestSearch_ChineseNames(t *testing.T) {
	table := reference.NewSymbolTable()
	for text, want := range map[string][]market.Symbol{
		"茅台":    {"600519.SS"},
		"阿里巴巴":  {"BABA", "9988.HK"}, // with its other listing
		"谷歌":    {"GOOGL", "GOOG"},   // with its other class
		"哈撒韦":   {"BRK.B"},           // part of a name
		"平安":    {"2318.HK", "000001.SZ"},
		"沪深300": {"000300.SS", "510300.SS"},
		"苹果 公司": {"AAPL"},
	} {
		got, err := table.Search(t.Context(), text, 10)
		if err != nil || len(got) < len(want) {
			t.Errorf("Search(%s) = %v, %v; want %v first", text, symbols(got), err, want)
			continue
		}
		if diff := cmp.Diff(want, symbols(got[:len(want)])); diff != "" {
			t.Errorf("Search(%s) (-want +got):\n%s", text, diff)
		}
	}
}

func TestResolve_ChineseNearMisses(t *testing.T) {
	table := reference.NewSymbolTable()
	for text, offered := range map[string]string{"贵洲茅台": "600519.SS", "伯克希尔哈撤韦": "BRK.B"} {
		if _, err := table.Resolve(text); err == nil || !strings.Contains(err.Error(), offered) {
			t.Errorf("Resolve(%s) = %v, want %s offered", text, err, offered)
		}
	}
	// One common character of two is not a typing mistake.
	if _, err := table.Resolve("苹台"); err == nil || strings.Contains(err.Error(), "did you mean") {
		t.Errorf("Resolve(苹台) = %v, want nothing offered", err)
	}
}
