package edgar

import (
	"context"

	"github.com/nfa-cli/nfa/internal/market"
)

// Profile returns EDGAR's data about a company: its SIC industry, other tickers and former names.
// It has no sector, description or employee count.
func (s *Source) Profile(ctx context.Context, sym market.Symbol) (market.Profile, error) {
	f, err := s.filer(ctx, sym, "profile of "+string(sym))
	if err != nil {
		return market.Profile{}, err
	}
	p := market.Profile{
		Instrument: f.instrument(), Description: f.Description, Industry: f.Industry, SIC: f.SIC,
		State: f.State, Website: f.Website, Country: f.country(), FiscalYearEnd: fiscalYearEnd(f.FiscalYearEnd),
		Provenance: provenance("submissions", f.answer, f.answer.FetchedAt),
	}
	p.Name = f.Name
	for i, ticker := range f.Tickers {
		other, err := market.ParseSymbol(ticker)
		if err != nil {
			continue
		}
		p.Tickers = append(p.Tickers, other)
		if other == sym && i < len(f.Exchanges) && f.Exchanges[i] != nil {
			p.Exchange = *f.Exchanges[i]
			p.MIC = micOf(p.Exchange)
		}
	}
	for _, former := range f.Former {
		if former.Name != "" {
			p.FormerNames = append(p.FormerNames, former.Name)
		}
	}
	return p, nil
}

// micOf maps EDGAR's exchange names to market identifier codes.
func micOf(exchange string) string {
	switch exchange {
	case "Nasdaq":
		return "XNAS"
	case "NYSE":
		return "XNYS"
	case "CBOE":
		return "BATS"
	}
	return ""
}

// fiscalYearEnd turns "0926" into "09-26".
func fiscalYearEnd(text string) string {
	if len(text) != 4 {
		return ""
	}
	return text[:2] + "-" + text[2:]
}

// country returns the country of the head office, or of the mailing address. EDGAR names the state
// for US addresses and the country for others.
func (f filer) country() string {
	for _, office := range [...]address{f.Addresses.Business, f.Addresses.Mailing} {
		switch {
		case office.Country != "":
			return office.Country
		case office.Foreign != nil && *office.Foreign == 1:
			return office.StateOrCountry
		case office.Foreign != nil:
			return "United States"
		}
	}
	return ""
}
