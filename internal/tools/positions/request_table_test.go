package positions_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestRequestedAccounts_AreTheListAndTheOneOnceEach(t *testing.T) {
	for _, tc := range []struct {
		name string
		list []string
		one  string
		want []string
	}{
		{"none", nil, "", nil},
		{"one alone", nil, "us", []string{"us"}},
		{"the list keeps its order", []string{"us", "de"}, "", []string{"us", "de"}},
		{"the one comes last", []string{"us"}, "de", []string{"us", "de"}},
		{"the same in both", []string{"us", "de"}, "us", []string{"us", "de"}},
		{"twice in the list", []string{"us", "us"}, "", []string{"us"}},
		{"spaces around", []string{" us "}, "us", []string{"us"}},
		{"blanks name nothing", []string{"", "  "}, "\t", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, positions.RequestedAccounts(tc.list, tc.one)); diff != "" {
				t.Errorf("AskedAccounts(%q, %q) (-want +got):\n%s", tc.list, tc.one, diff)
			}
		})
	}
}

// The spare capacity of a caller's slice belongs to the caller.
func TestRequestedAccounts_LeavesTheListOfTheCall(t *testing.T) {
	backing := []string{"us", "mine"}
	positions.RequestedAccounts(backing[:1], "de")
	if backing[1] != "mine" {
		t.Errorf("AskedAccounts wrote %q into the caller's list, want it as it was", backing[1])
	}
}

func TestRequestedCurrency_IsACodeOrNoneAndElseNoQuestion(t *testing.T) {
	for text, want := range map[string]string{"": "", "eur": "EUR", " USD ": "USD"} {
		if got, err := positions.RequestedCurrency(text); got != want || err != nil {
			t.Errorf("AskedCurrency(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"dollars", "U$D", "€", "EURUSD"} {
		if got, err := positions.RequestedCurrency(text); !errors.Is(err, positions.ErrInvalidRequest) {
			t.Errorf("AskedCurrency(%q) = %q, %v; want ErrAsked", text, got, err)
		}
	}
}

func TestAsOf_NoDayLeavesTheClock(t *testing.T) {
	for _, at := range []string{"", "  "} {
		d, err := newTestDeps(t).AsOf(at)
		if err != nil || d.Replay || !d.Now().Equal(newTestDeps(t).Now()) {
			t.Errorf("On(%q) = at %v, replay %v, %v; want the clock as it was", at, d.Now(), d.Replay, err)
		}
	}
}

// The portfolio of a day has its transactions up to that day, with prices as traded at its close. On June
// 25 the close of VTI, adjusted for a later split of four for one, is 105, so it traded at four times that:
// 10 x 420. Closes of SAP are adjusted for dividends too, so the traded price is unknown.
func TestAsOf_SetsBookAndPricesToTheEndOfTheDay(t *testing.T) {
	d, err := newTestDeps(t, toolstest.Buy("3", "us", "VTI", "1", "480", "USD", "2024-06-26")).AsOf("2024-06-25")
	if err != nil {
		t.Fatal(err)
	}
	v := valued(t, d, "")
	if v.Total.String() != "4200" || v.Complete || len(v.Lines) != 2 || !v.Day.Equal(portfoliotest.Day("2024-06-25")) {
		t.Errorf("the portfolio of 2024-06-25 = %s of %d lines on %v, whole %v; want 4200 of one of two", v.Total, len(v.Lines), v.Day, v.Complete)
	}
	if got := v.Unvalued(); len(got) != 1 || !strings.HasPrefix(got[0], "SAP: ") {
		t.Errorf("unvalued = %q; want SAP with its reason", got)
	}
	if !d.Replay {
		t.Error("a past day can be written")
	}
	if d, err = newTestDeps(t).AsOf("2024-06-28"); err != nil || !d.Today().Equal(portfoliotest.Day("2024-06-28")) {
		t.Errorf("On(today) = %v, %v; want today", d.Today(), err)
	}
}

func TestAsOf_WhatIsNoDayOrNotYetOneIsNoQuestion(t *testing.T) {
	for at, says := range map[string]string{"2024-06-29": "2024-06-28", "yesterday": "at", "2024-02-30": "at", "28.06.2024": "at"} {
		if _, err := newTestDeps(t).AsOf(at); !errors.Is(err, positions.ErrInvalidRequest) || !strings.Contains(err.Error(), says) {
			t.Errorf("On(%q) = %v; want ErrAsked with %q", at, err, says)
		}
	}
}

func TestLoadAndValue_OfAllAndOfSomeAccounts(t *testing.T) {
	for _, tc := range []struct {
		name     string
		accounts []string
		currency string
		want     string
	}{
		{"all in the user's currency", nil, "", "1860 USD of us, de"},
		{"one", []string{"de"}, "", "660 USD of de"},
		{"one in its own", []string{"de"}, "eur", "600 EUR of de"},
		{"both named", []string{"de", "us"}, "usd", "1860 USD of de, us"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, v, err := newTestDeps(t).LoadAndValue(t.Context(), tc.accounts, tc.currency)
			if err != nil || o.Engine == nil {
				t.Fatalf("Valued = %v", err)
			}
			if got := fmt.Sprintf("%s %s of %s", v.Total, v.Base, strings.Join(v.Accounts, ", ")); got != tc.want {
				t.Errorf("Valued(%q, %q) = %s; want %s", tc.accounts, tc.currency, got, tc.want)
			}
		})
	}
}

func TestLoadAndValue_SaysWhyItCannot(t *testing.T) {
	sold := sale("3", "us", "10", "1200", "2024-06-27")
	for _, tc := range []struct {
		name     string
		deps     positions.Deps
		accounts []string
		currency string
		want     error
		says     string
	}{
		{"a currency that is none", newTestDeps(t), nil, "gold bars", positions.ErrInvalidRequest, "ISO 4217"},
		{"an account that there is not", newTestDeps(t), []string{"uk"}, "", portfolio.ErrUnknownAccount, "us, de"},
		{"an account that was sold empty", newTestDeps(t, sold), []string{"us"}, "", positions.ErrNoPositions, "kind closed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, _, err := tc.deps.LoadAndValue(t.Context(), tc.accounts, tc.currency); !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("Valued(%q, %q) = %v; want %v with %q", tc.accounts, tc.currency, err, tc.want, tc.says)
			}
		})
	}
	if _, v, err := newTestDeps(t, sold).LoadAndValue(t.Context(), nil, ""); err != nil || v.Total.String() != "660" {
		t.Errorf("Valued of what is left = %s, %v; want the 660 of SAP", v.Total, err)
	}
}

// An account with only cash is not empty.
func TestLoadAndValue_CashAloneIsHeld(t *testing.T) {
	d := newTestDeps(t)
	err := d.Store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{
			Accounts: []portfolio.Account{portfolio.NewAccount("bank")},
			Add:      []portfolio.Transaction{{ID: "9", Date: portfoliotest.Day("2024-06-26"), Kind: portfolio.KindDeposit, Account: "bank", Amount: toolstest.MustDecimal("70"), Currency: "USD"}},
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, v, err := d.LoadAndValue(t.Context(), []string{"bank"}, "")
	if err != nil || v.Total.String() != "70" || len(v.Cash) != 1 || v.Cash[0].Weight.Decimal.String() != "1" {
		t.Errorf("Valued(bank) = %s of %+v, %v; want 70 of cash, all of it", v.Total, v.Cash, err)
	}
}

// A portfolio without transactions is refused before any price is requested, and so is a store that fails.
func TestLoadAndValue_NeedsABook(t *testing.T) {
	d := newTestDeps(t)
	d.Store = &portfoliotest.Store{}
	if _, _, err := d.LoadAndValue(t.Context(), nil, ""); !errors.Is(err, positions.ErrEmptyLedger) {
		t.Errorf("Valued of an empty portfolio = %v; want ErrEmpty", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newTestDeps(t).Load(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Load of a store that is cancelled = %v; want its error", err)
	}
}

// Cash of another account, or an account that was emptied, does not count as held.
func TestLoadAndValue_AnotherAccountsCashIsNotHeldHere(t *testing.T) {
	d := newTestDeps(t, sale("3", "us", "10", "1200", "2024-06-27"))
	err := d.Store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		day := portfoliotest.Day("2024-06-26")
		return portfolio.Change{
			Accounts: []portfolio.Account{portfolio.NewAccount("bank"), portfolio.NewAccount("spent")},
			Add: []portfolio.Transaction{
				{ID: "7", Date: day, Kind: portfolio.KindDeposit, Account: "bank", Amount: toolstest.MustDecimal("70"), Currency: "USD"},
				{ID: "8", Date: day, Kind: portfolio.KindDeposit, Account: "spent", Amount: toolstest.MustDecimal("70"), Currency: "USD"},
				{ID: "9", Date: day, Kind: portfolio.KindWithdrawal, Account: "spent", Amount: toolstest.MustDecimal("70"), Currency: "USD"},
			},
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, account := range []string{"us", "spent"} {
		if _, v, err := d.LoadAndValue(t.Context(), []string{account}, ""); !errors.Is(err, positions.ErrNoPositions) {
			t.Errorf("Valued(%s) = %s, %v; want ErrNothing", account, v.Total, err)
		}
	}
}

// An error that another request, or an entry in the portfolio, avoids is a result; the error of a source
// that is down ends the call.
func TestErrorResult_IsAResultWithItsCodeOrEndsTheCall(t *testing.T) {
	d, disk := newTestDeps(t), errors.New("disk full")
	for _, tc := range []struct {
		err  error
		code string // "" ends the call
	}{
		{positions.ErrInvalidRequest, tool.CodeValidation}, {positions.ErrNoBaseCurrency, tool.CodeValidation}, {portfolio.ErrUnknownAccount, tool.CodeValidation},
		{performance.ErrInvalidRequest, tool.CodeValidation}, {toolkit.ErrPeriod, tool.CodeValidation},
		{positions.ErrEmptyLedger, tool.CodeNoData}, {positions.ErrNoPositions, tool.CodeNoData}, {performance.ErrNoTransactions, tool.CodeNoData},
		{portfolio.ErrInvalid, tool.CodeNoData}, {portfolio.ErrNotHeld, tool.CodeNoData}, {portfolio.ErrOverdrawn, tool.CodeNoData},
		{market.ErrUnknownSymbol, market.CodeUnknownSymbol}, {market.ErrNoData, tool.CodeNoData}, {market.ErrAmbiguous, tool.CodeNoData},
		{disk, ""}, {context.Canceled, ""}, {market.ErrRateLimited, ""},
	} {
		res, err := d.ErrorResult(fmt.Errorf("looking at it: %w", tc.err))
		switch {
		case tc.code == "" && (!errors.Is(err, tc.err) || res.IsError):
			t.Errorf("ErrorResult(%v) = %+v, %v; want the error", tc.err, res, err)
		case tc.code != "" && (err != nil || !res.IsError || res.Code != tc.code || !strings.Contains(res.ErrorText(), tc.err.Error())):
			t.Errorf("ErrorResult(%v) = code %q, %q, %v; want a result of code %s", tc.err, res.Code, res.ErrorText(), err, tc.code)
		}
	}
}

// The user reads what is wrong with the portfolio; a model that may not see amounts reads the transaction
// and the day.
func TestErrorResult_HiddenAmountsAreForPeopleAlone(t *testing.T) {
	d := newTestDeps(t)
	refused := &portfolio.TransactionError{Transaction: sale("t1", "us", "777", "888", "2024-06-27"), Err: fmt.Errorf("%w: 777 of 10", portfolio.ErrNotHeld)}
	overdrawn := &portfolio.OverdrawnError{Account: "us", Currency: "USD", Amount: toolstest.MustDecimal("-777"), Date: portfoliotest.Day("2024-06-27")}
	for name, err := range map[string]error{
		"a refused entry": refused, "no cash": overdrawn, "said by the program": toolkit.Errorf("%w: %s on 2024-06-27", positions.ErrNoPositions, toolkit.Amount("777.77 USD")),
	} {
		res, failed := d.ErrorResult(fmt.Errorf("opening the book: %w", err))
		if failed != nil || !res.IsError {
			t.Fatalf("%s: ErrorResult = %+v, %v; want a result", name, res, failed)
		}
		if strings.Contains(res.Redacted, "777") || strings.Contains(res.Redacted, "888") || !strings.Contains(res.Redacted, "2024-06-27") {
			t.Errorf("%s: a model reads %q; want the day and no amount", name, res.Redacted)
		}
		if !strings.Contains(res.UserText(), "777") || !strings.Contains(res.ErrorText(), "777") || strings.Contains(res.ErrorText(), toolkit.AmountsHiddenNote) {
			t.Errorf("%s: people read %q, and a model with shared amounts %q; want the amount", name, res.UserText(), res.ErrorText())
		}
	}
	if _, err := d.ErrorResult(errors.New("line 7: 777.77 USD")); err == nil {
		t.Error("an error that ends the call is a result")
	} else if public, ok := tool.RedactedText(err); !ok || strings.Contains(public, "777") {
		t.Errorf("an error that ends the call reads %q to a model; want no amount", public)
	}
}
