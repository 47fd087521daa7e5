package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Delta returns the format of Delta's table of transactions. An asset is a code, optionally followed by its name in
// parentheses.
func Delta() Format {
	return spec{
		name: "delta", title: "Delta investment tracker, transactions (CSV)",
		header: []string{"Date", "Way", "Base amount", "Base currency (name)", "Base type", "Quote amount", "Quote currency"},
		date:   "Date", action: "Way", quantity: "Base amount", amount: "Quote amount", fee: "Fee amount", decimal: DecimalPoint,
		rules: []rule{
			{words: "buy", kind: portfolio.KindBuy},
			{words: "sell", kind: portfolio.KindSell},
			{words: "fiat buy|fiat sell", book: bookDeltaExchange},
			{words: "dividend|fiat dividend", kind: portfolio.KindDividend},
			{words: "deposit", kind: portfolio.KindTransferIn},
			{words: "withdraw", kind: portfolio.KindTransferOut},
			{words: "fiat deposit", kind: portfolio.KindDeposit},
			{words: "fiat withdraw", kind: portfolio.KindWithdrawal},
			{words: "transfer|fiat transfer", ignore: "move between your own wallets"},
		},
		when: whenDelta, parse: parseDelta, check: checkDelta, identify: identifyDelta,
		complete: func(l *specLine, t portfolio.Transaction) ([]portfolio.Transaction, error) {
			t.Note = Shorten(l.cell("Notes"))
			if t.Symbol != "" {
				_, t.Name = deltaAsset(l.cell("Base currency (name)"))
			}
			return []portfolio.Transaction{t}, nil
		},
	}.format()
}

func deltaAsset(text string) (code, name string) {
	code, name, _ = strings.Cut(text, "(")
	return strings.ToUpper(strings.TrimSpace(code)), Shorten(strings.TrimSuffix(strings.TrimSpace(name), ")"))
}

// whenDelta reads ISO 8601 and RFC 2822, as Delta does. The date is the one written in the file, in
// its own zone.
func whenDelta(l *specLine) error {
	zone := l.options.Zone
	if zone == nil {
		zone = time.UTC
	}
	for _, layout := range []string{
		"2006-01-02 15:04:05Z07:00", time.RFC3339Nano, "2006-01-02 15:04Z07:00", time.RFC1123Z, "2 Jan 2006 15:04:05 -0700",
		"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateOnly,
	} {
		at, err := time.ParseInLocation(layout, l.cell("Date"), zone)
		if err != nil || at.Year() < 1900 || at.Year() > 2200 {
			continue
		}
		if l.date = DayOf(at); layout != time.DateOnly {
			l.time = at.UTC()
		}
		return nil
	}
	return fmt.Errorf("%w: %q, expected a format such as 2006-01-02 15:04:05-07:00", ErrDay, Shorten(l.cell("Date")))
}

// parseDelta moves deposits and withdrawals from the asset columns to the amount.
func parseDelta(l *specLine) error {
	for name, d := range map[string]bool{"Base amount": l.quantity.Decimal.IsNegative(), "Quote amount": l.amount.Decimal.IsNegative(), "Fee amount": l.fee.Decimal.IsNegative()} {
		if d {
			return fmt.Errorf("%s is negative; enter the transaction by hand", name)
		}
	}
	l.symbol, _ = deltaAsset(l.cell("Base currency (name)"))
	l.currency, _ = deltaAsset(l.cell("Quote currency"))
	if strings.EqualFold(l.cell("Base type"), "fiat") {
		l.action = "fiat " + l.action
	}
	if l.action == "fiat deposit" || l.action == "fiat withdraw" {
		l.currency, l.amount = l.symbol, l.quantity
	}
	return nil
}

func checkDelta(l *specLine) error {
	paid, r := l.fee.Decimal.IsPositive(), l.rule()
	code, _ := deltaAsset(l.cell("Fee currency (name)"))
	if strings.HasSuffix(l.action, "deposit") {
		switch source := strings.ToLower(l.cell("Sent/Received from")); source {
		case "dividends", "dividend", "staking", "mining", "airdrop", "fork", "interest", "reward", "rewards":
			return fmt.Errorf("reward of %s %s without a value in the file; enter the transaction by hand as a reinvested dividend with its value", l.quantity.Decimal, Shorten(l.symbol))
		}
		if paid {
			return errors.New("unclear who paid the fee on this receipt; enter the transaction by hand")
		}
	}
	switch {
	case r.ignore != "" && paid:
		return fmt.Errorf("move between your own wallets with a fee of %s %s; enter the fee by hand", l.fee.Decimal, Shorten(code))
	case r.ignore != "" || r == &unknownRule || r.kind == portfolio.KindTransferIn:
		return nil
	case r.kind == portfolio.KindTransferOut:
		if paid && code != l.symbol {
			return fmt.Errorf("fee of %s %s on %s; enter both by hand", l.fee.Decimal, Shorten(code), Shorten(l.symbol))
		}
		if !l.quantity.Decimal.IsZero() {
			l.quantity.Decimal = l.quantity.Decimal.Add(l.fee.Decimal) // the fee was paid in coins
		}
		return nil
	case !l.amount.Decimal.IsPositive():
		return errors.New("missing amount; enter the transaction by hand")
	case !IsFiat(l.currency) && r.kind == portfolio.KindDividend:
		return errors.New("dividend without an amount in a currency; enter the transaction by hand")
	case !IsFiat(l.currency):
		return fmt.Errorf("priced in %s, which is not a currency; enter a sale of one and a purchase of the other by hand, at their market value", Shorten(l.currency))
	case paid && code != l.currency:
		return fmt.Errorf("fee of %s %s on amounts in %s; enter the transaction by hand", l.fee.Decimal, Shorten(code), l.currency)
	}
	return nil
}

func identifyDelta(l *specLine) (symbol market.Symbol, isin string, err error) {
	switch class := strings.ToUpper(l.cell("Base type")); class {
	case "CRYPTO":
		symbol, err = CoinSymbol(l.symbol)
	case "STOCK", "FUND":
		symbol, err = ParseTicker(l.symbol)
	default:
		err = fmt.Errorf("unsupported asset type %q; enter the transaction by hand", Shorten(class))
	}
	return symbol, "", err
}

// bookDeltaExchange books a currency exchange: a purchase pays the quote and receives the base.
func bookDeltaExchange(l *specLine) ([]portfolio.Transaction, error) {
	t := portfolio.Transaction{
		Date: l.date, Time: l.time, Kind: portfolio.KindExchange, Note: Shorten(l.cell("Notes")), Fee: l.fee.Decimal,
		Currency: l.currency, Amount: l.amount.Decimal, ToCurrency: l.symbol, ToAmount: l.quantity.Decimal,
	}
	switch {
	case !IsFiat(l.symbol):
		return nil, fmt.Errorf("%q is not a known currency; enter the transaction by hand", Shorten(l.symbol))
	case l.action == "fiat buy":
	case t.Fee.IsPositive():
		return nil, errors.New("fee in the purchased currency; enter the exchange by hand")
	default:
		t.Currency, t.Amount, t.ToCurrency, t.ToAmount = t.ToCurrency, t.ToAmount, t.Currency, t.Amount
	}
	return []portfolio.Transaction{t}, nil
}
