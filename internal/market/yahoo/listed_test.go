package yahoo_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// withPass returns a Yahoo that accepts sessions and has one more response.
func withPass(path, body string) *markettest.Script {
	return sessionScript().Respond(path, markettest.JSONResponse(body))
}

const listedPath = "/v7/finance/quote"

func TestQuotes_FallBackOnTheListedOnes(t *testing.T) {
	for name, answer := range map[string]markettest.Response{"gone": {Status: 500}, "page": markettest.HTMLResponse(200, "no"), "refused": {Status: 401}} {
		script := withPass(listedPath, `{"quoteResponse":{"result":[
			{"symbol":"AAA","quoteType":"EQUITY","currency":"GBp","exchange":"LSE","longName":"Example plc","marketState":"POSTPOST",
			 "regularMarketPrice":308.8,"regularMarketPreviousClose":315.2,"regularMarketTime":1740000000,"exchangeDataDelayedBy":15},
			{"symbol":"DEAD","regularMarketTime":1561759658}],"error":null}}`).Respond(sparkPath, answer)
		got, err := sourceOf(script).Quotes(t.Context(), []market.Symbol{"AAA", "DEAD", "NONE"})
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: Quotes = %v, %v; want AAA alone", name, got, err)
		}
		q := got["AAA"]
		if !q.Price.Equal(testDecimal("3.088")) || !q.Previous.Decimal.Equal(testDecimal("3.152")) || q.Provenance.Endpoint != "v7 quote" ||
			q.Provenance.DelayMinutes != 15 || q.Provenance.Phase != market.PhaseClosed || q.Provenance.Currency != "GBP" {
			t.Errorf("%s: quote = %+v", name, q)
		}
	}
}

func TestQuotes_WithoutEitherSayWhyTheFirstFailed(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{sparkPath: {Status: 500}})
	if _, err := sourceOf(script).Quotes(t.Context(), []market.Symbol{"AAA"}); !errors.Is(err, market.ErrUnavailable) || !strings.Contains(err.Error(), "500") {
		t.Errorf("Quotes = %v, want ErrUnavailable with status 500", err)
	}
}

func TestQuotes_UnderALimitDoNotAskAnotherWay(t *testing.T) {
	script := withPass(listedPath, `{"quoteResponse":{"result":[],"error":null}}`).Respond(sparkPath, markettest.Response{Status: 429})
	_, err := sourceOf(script).Quotes(t.Context(), []market.Symbol{"AAA"})
	if !errors.Is(err, market.ErrRateLimited) || paths(script) != sparkPath+" "+sparkPath {
		t.Errorf("Quotes = %v after %s, want ErrRateLimited after a spark under each name", err, paths(script))
	}
}

func TestQuotes_OfRecordedListedAnswers(t *testing.T) {
	for _, row := range []struct {
		file    string
		symbols []market.Symbol
		prices  map[market.Symbol]string
	}{
		{"yahoo/quote-AAPL-BABA.json", []market.Symbol{"AAPL", "BABA"}, map[market.Symbol]string{"AAPL": "244.6", "BABA": "124.73"}},
		{"yahoo/quote-OCDO.L.json", []market.Symbol{"OCDO.L"}, map[market.Symbol]string{"OCDO.L": "3.088"}},
		{"yahoo/quote-ADH.json", []market.Symbol{"ADH"}, nil},
		{"errors/yahoo-quote-unknown-200.json", []market.Symbol{"UNKNOWN"}, nil},
	} {
		script := withPass(listedPath, recordedBody(t, row.file)).Respond(sparkPath, markettest.Response{Status: 500})
		got, err := sourceOf(script).Quotes(t.Context(), row.symbols)
		if err != nil || len(got) != len(row.prices) {
			t.Errorf("%s: Quotes = %v, %v; want %v", row.file, got, err, row.prices)
		}
		for sym, price := range row.prices {
			if !got[sym].Price.Equal(testDecimal(price)) {
				t.Errorf("%s: %s = %s, want %s", row.file, sym, got[sym].Price, price)
			}
		}
	}
}

func TestProfile_OfRecordedAnswers(t *testing.T) {
	for _, row := range []struct {
		file string
		sym  market.Symbol
		want error
	}{
		{"quoteSummary-assetProfile-AAPL.json", "AAPL", nil},
		{"quoteSummary-assetProfile-ADH.json", "ADH", market.ErrNoData},
		{"quoteSummary-calendarEvents-AAPL.json", "AAPL", market.ErrNoData},
		{"quoteSummary-defaultKeyStatistics-AAPL.json", "AAPL", market.ErrNoData},
		{"quoteSummary-earningsTrend-AAPL.json", "AAPL", market.ErrNoData},
		{"quoteSummary-financialData-AAPL.json", "AAPL", market.ErrNoData},
	} {
		answer := markettest.JSONResponse(recordedBody(t, "yahoo/"+row.file))
		if row.sym == "ADH" {
			answer.Status = 404
		}
		script := sessionScript().Respond("/v10/finance/quoteSummary/"+string(row.sym), answer)
		p, err := sourceOf(script).Profile(t.Context(), row.sym)
		if !errors.Is(err, row.want) {
			t.Errorf("%s: Profile = %v, want %v", row.file, err, row.want)
		}
		if row.want == nil && (p.Industry != "Consumer Electronics" || p.Country != "United States" || p.Description == "" || p.Employees == 0) {
			t.Errorf("%s: profile = %+v", row.file, p)
		}
	}
}

func TestProfile_OfAnUnlistedOrAnotherSymbol(t *testing.T) {
	unlisted := markettest.Response{Status: 404, Body: []byte(`{"quoteSummary":{"result":null,"error":{"code":"Not Found","description":"Quote not found for symbol: AAA"}}}`)}
	if _, err := sourceOf(sessionScript().Respond(profilePath, unlisted)).Profile(t.Context(), "AAA"); !errors.Is(err, market.ErrUnknownSymbol) {
		t.Errorf("Profile = %v, want ErrUnknownSymbol", err)
	}
	other := strings.ReplaceAll(profileBody, `"AAA"`, `"BBB"`)
	if _, err := sourceOf(withPass(profilePath, other)).Profile(t.Context(), "AAA"); !errors.Is(err, market.ErrMalformed) {
		t.Errorf("Profile about BBB = %v, want ErrMalformed", err)
	}
}

const (
	optionPath = "/v7/finance/options/AAA"
	optionBody = `{"optionChain":{"result":[{"underlyingSymbol":"AAA","expirationDates":[1740096000,1740700800],"strikes":[90,100],
		"quote":{"symbol":"AAA","currency":"USD","quoteType":"EQUITY","exchange":"NMS","longName":"Example Inc.","marketState":"REGULAR",
			"regularMarketPrice":95.5,"regularMarketTime":1740056400},
		"options":[{"expirationDate":1740096000,
			"calls":[
				{"contractSymbol":"AAA250221C00100000","strike":100,"currency":"USD","lastPrice":0.15,"bid":0,"ask":0.2,"volume":12,"openInterest":340,"contractSize":"REGULAR","lastTradeDate":1740000000,"impliedVolatility":0.31,"inTheMoney":false},
				{"contractSymbol":"AAA250221C00090000","strike":90,"currency":"USD","lastPrice":5.6,"bid":5.5,"ask":5.7,"contractSize":"REGULAR","impliedVolatility":1.0000000000000003E-5,"inTheMoney":true},
				{"contractSymbol":"AAA1250221C00090000","strike":90,"currency":"USD","contractSize":"MINI"}],
			"puts":[{"contractSymbol":"AAA250221P00090000","strike":90,"currency":"USD","lastPrice":0.1,"contractSize":"REGULAR"}]}]}],"error":null}}`
)

func TestOptionChain_IsByStrikeWithoutPricesThatNobodyMade(t *testing.T) {
	c, err := sourceOf(withPass(optionPath, optionBody)).OptionChain(t.Context(), "AAA", market.Date{})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Expiry.Equal(testDay("2025-02-21")) || len(c.Expiries) != 2 || !c.Spot.Decimal.Equal(testDecimal("95.5")) || c.Name != "Example Inc." ||
		c.Provenance.Phase != market.PhaseRegular || !c.Provenance.AsOf.Equal(time.Unix(1740056400, 0)) {
		t.Errorf("chain = %+v", c)
	}
	var order []string
	for _, o := range c.Options {
		order = append(order, o.Strike.String()+" "+string(o.Kind))
	}
	if got, want := strings.Join(order, ", "), "90 call, 90 put, 100 call"; got != want {
		t.Fatalf("options = %s, want %s; the small contract does not compare", got, want)
	}
	if !strings.Contains(c.Provenance.Note, "size or currency: 1.") {
		t.Errorf("note = %q, want it to tell of the one left out", c.Provenance.Note)
	}
	deep, far := c.Options[0], c.Options[2]
	if deep.Implied.Valid || !deep.InMoney || !deep.LastTraded.IsZero() {
		t.Errorf("call at 90 = %+v, want no implied volatility", deep)
	}
	if far.Bid.Valid || !far.Ask.Decimal.Equal(testDecimal("0.2")) || far.Volume != 12 || far.OpenInterest != 340 || !far.Implied.Decimal.Equal(testDecimal("0.31")) {
		t.Errorf("call at 100 = %+v, want no bid", far)
	}
}

// A response that was just fetched may have yesterday's prices.
func TestOptionChain_OfNoTimeIsAsOfTheAnswerAndSaysSo(t *testing.T) {
	timeless := strings.Replace(optionBody, `,"regularMarketTime":1740056400`, "", 1)
	if timeless == optionBody {
		t.Fatal("the answer tells no time: the test proves nothing")
	}
	c, err := sourceOf(withPass(optionPath, timeless)).OptionChain(t.Context(), "AAA", market.Date{})
	if err != nil || !c.Provenance.AsOf.Equal(c.Provenance.FetchedAt) || !strings.Contains(c.Provenance.Note, "reported no time") {
		t.Errorf("as of %v, note %q, %v; want the moment of the answer, and that it is no more", c.Provenance.AsOf, c.Provenance.Note, err)
	}
	if c, _ := sourceOf(withPass(optionPath, optionBody)).OptionChain(t.Context(), "AAA", market.Date{}); strings.Contains(c.Provenance.Note, "reported no time") {
		t.Errorf("note %q of a chain with a time", c.Provenance.Note)
	}
}

func TestOptionChain_OfAnExpiry(t *testing.T) {
	script := withPass(optionPath, optionBody)
	if _, err := sourceOf(script).OptionChain(t.Context(), "AAA", testDay("2025-02-21")); err != nil {
		t.Errorf("OptionChain of a listed expiry = %v", err)
	}
	if got := script.Requests()[2].URL.Query().Get("date"); got != "1740096000" {
		t.Errorf("asked for date %s, want midnight of 2025-02-21", got)
	}
	if _, err := sourceOf(script).OptionChain(t.Context(), "AAA", testDay("2025-02-22")); !errors.Is(err, market.ErrNoData) {
		t.Errorf("OptionChain of another day = %v, want ErrNoData", err)
	}
}

func TestOptionChain_WhereThereIsNone(t *testing.T) {
	for _, row := range []struct {
		name, body string
		want       error
	}{
		{"nothing", `{"optionChain":{"result":[],"error":null}}`, market.ErrUnknownSymbol},
		{"no options", `{"optionChain":{"result":[{"underlyingSymbol":"AAA","expirationDates":[],"options":[]}]}}`, market.ErrNoData},
		{"another symbol", strings.ReplaceAll(optionBody, `"AAA"`, `"BBB"`), market.ErrMalformed},
		{"another service", `{"quoteResponse":{}}`, market.ErrMalformed},
	} {
		if _, err := sourceOf(withPass(optionPath, row.body)).OptionChain(t.Context(), "AAA", market.Date{}); !errors.Is(err, row.want) {
			t.Errorf("%s: OptionChain = %v, want %v", row.name, err, row.want)
		}
	}
}

func TestOptionChain_OfARecordedAnswer(t *testing.T) {
	script := withPass("/v7/finance/options/AFRAF", recordedBody(t, "yahoo/options-AFRAF.json"))
	if _, err := sourceOf(script).OptionChain(t.Context(), "AFRAF", market.Date{}); !errors.Is(err, market.ErrNoData) {
		t.Errorf("OptionChain of a share without options = %v, want ErrNoData", err)
	}
}
