package edgar

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	// maxOwnershipForms limits the number of forms that one query reads, because each needs a
	// request.
	maxOwnershipForms = 40
	// defaultTrades is the number of trades if the caller sets no limit.
	defaultTrades = 50
)

// InsiderTrades reads forms 4 and 5 of filings within r, newest first, until it has limit trades or
// has read forty forms; a note reports the latter. A trade whose form was amended later is flagged
// as restated and listed next to its amendment: do not add them up.
func (s *Source) InsiderTrades(ctx context.Context, sym market.Symbol, r market.Range, limit int) ([]market.InsiderTrade, error) {
	doing := "insider trades of " + string(sym)
	if limit <= 0 {
		limit = defaultTrades
	}
	f, err := s.filer(ctx, sym, doing)
	if err != nil {
		return nil, err
	}
	forms, err := s.ownershipForms(ctx, f, r, doing)
	if err != nil {
		return nil, err
	}
	var out []market.InsiderTrade
	var notes []string
	corrected := make(amendments)
	for i, row := range forms {
		if len(out) >= limit {
			break
		}
		if i == maxOwnershipForms {
			notes = append(notes, fmt.Sprintf("forms filed before %s were not read; to read them, request earlier dates", forms[i-1].date.Format("2006-01-02")))
			break
		}
		trades, err := s.ownershipForm(ctx, f, row, doing, corrected)
		if errors.Is(err, market.ErrMalformed) || errors.Is(err, market.ErrNoData) {
			notes = append(notes, "the form "+row.accession+" could not be read")
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, trades...)
	}
	if len(out) == 0 {
		return nil, s.client.NewError(doing, market.ErrNoData, strings.Join(append([]string{"no trades in the forms filed in this range"}, notes...), "; "))
	}
	out = out[:min(len(out), limit)]
	for i := range out {
		out[i].Provenance.Note = joinNotes(out[i].Provenance.Note, strings.Join(notes, "; "))
	}
	return out, nil
}

func joinNotes(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

func (s *Source) ownershipForms(ctx context.Context, f filer, r market.Range, doing string) ([]filingRow, error) {
	var forms []filingRow
	_, err := s.walkFilings(ctx, f, r, doing, func(row filingRow, _ client.Response) bool {
		// Form 3 reports the holdings of a new insider, not a trade.
		if form := strings.TrimSuffix(row.form, "/A"); (form == "4" || form == "5") && strings.HasSuffix(row.document, ".xml") {
			forms = append(forms, row)
		}
		return len(forms) <= maxOwnershipForms
	})
	return forms, err
}

// amendments maps the forms that later forms replace, by owner and filing date.
type amendments map[string]string

func (s *Source) ownershipForm(ctx context.Context, f filer, row filingRow, doing string, corrected amendments) ([]market.InsiderTrade, error) {
	form, answer, err := getDocument(ctx, s, client.Request{
		Op: doing, URL: s.hosts.document(f.cik, row.accession, rawDocument(row.document)), Kind: client.XML, Fresh: client.Forever,
	}, func(document []byte) (*ownership, error) {
		form, err := parseOwnership(document)
		if err == nil {
			_, err = form.trades()
		}
		return form, err
	})
	if err != nil {
		return nil, err
	}
	// The list also has forms in which the company is the owner of another company's shares.
	if client.PadCIK(form.Issuer.CIK) != f.cik {
		return nil, nil
	}
	trades, err := form.trades()
	if err != nil {
		return nil, s.malformedError(doing, err)
	}
	owner, _ := form.ownerNames()
	if original, err := time.Parse(time.DateOnly, strings.TrimSpace(form.Original)); err == nil && strings.HasSuffix(row.form, "/A") {
		corrected[owner+" "+original.Format(time.DateOnly)] = row.accession
	}
	by := corrected[owner+" "+row.date.Format(time.DateOnly)]
	for i := range trades {
		t := &trades[i]
		t.Symbol, t.Filed, t.Accession, t.Form = f.symbol, row.date, row.accession, row.form
		t.URL = s.hosts.document(f.cik, row.accession, row.document)
		t.Provenance = provenance("Archives", answer, row.date)
		t.Provenance.Currency = "USD" // the forms require prices in dollars
		if by != "" && by != row.accession {
			t.Provenance = t.Provenance.With(market.FlagRestated)
			t.Provenance.Note = "amended by " + by
		}
	}
	return trades, nil
}
