package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/shopspring/decimal"
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newIncomeExport(g *globals) *cobra.Command {
	var format, output string
	var replace bool
	var accounts []string
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{UserInvoked: true}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			write := map[string]func([]expectedPayment, time.Time) ([]byte, error){"ics": paymentCalendar, "csv": paymentTable}[cmp.Or(format, strings.TrimPrefix(filepath.Ext(output), "."), "ics")]
			if write == nil {
				return usage.Errorf("unknown format; use --format ics or --format csv")
			}
			arguments, err := json.Marshal(map[string]any{"accounts": accounts})
			if err != nil {
				return err
			}
			o, err := toolCall{name: "income_calendar", arguments: string(arguments)}.run(cmd.Context(), a, a.AllTools())
			if err != nil {
				return err
			}
			if o.Result.IsError {
				return &exitError{exitOfResult(o.Result), errors.New(cli.FailureText(o.Result))}
			}
			raw, err := json.Marshal(o.Result.Value)
			if err != nil {
				return err
			}
			var income struct {
				Payments []expectedPayment `json:"payments"`
			}
			if err := json.Unmarshal(raw, &income); err != nil {
				return err
			}
			content, err := write(income.Payments, a.Now())
			if err != nil {
				return err
			}
			if output == "" {
				_, err := g.out.Write(content)
				return err
			}
			if err := atomicfile.Create(output, content, 0o600, replace); errors.Is(err, atomicfile.ErrExists) {
				return fmt.Errorf("%w (--replace)", err)
			} else if err != nil {
				return err
			}
			return g.printDone(map[string]any{"payments": len(income.Payments), "path": output}, "exported %s: %s", cli.CountNoun(len(income.Payments), "payment"), markdown.SanitizeLine(output))
		}),
	}
	cmd.Flags().StringVar(&format, "format", "", "`FORMAT` ics or csv (default from the name of FILE, otherwise ics)")
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write (default stdout)")
	cmd.Flags().BoolVar(&replace, "replace", false, "replace an existing file")
	cmd.Flags().StringSliceVar(&accounts, "accounts", nil, "`NAME,...` accounts (default all)")
	return cmd
}

// expectedPayment is a payment of the tool income_calendar.
type expectedPayment struct {
	Date       string           `json:"date"`
	ExDateOnly bool             `json:"ex_date_only"`
	ExDate     string           `json:"ex_date"`
	Account    string           `json:"account"`
	Symbol     string           `json:"symbol"`
	Name       string           `json:"name"`
	Kind       string           `json:"kind"`
	Quantity   decimal.Decimal  `json:"quantity"`
	PerUnit    decimal.Decimal  `json:"per_unit"`
	Amount     decimal.Decimal  `json:"amount"`
	Currency   string           `json:"currency"`
	Net        *decimal.Decimal `json:"net"`
	Declared   bool             `json:"declared"`
	Rule       string           `json:"rule"`
}

func (p expectedPayment) status() string {
	if p.Declared {
		return "declared"
	}
	return "estimated"
}

// paymentCalendar returns the payments as all-day events (RFC 5545). An event keeps its UID when the
// estimate changes or is declared, so that importing a newer calendar updates it.
func paymentCalendar(payments []expectedPayment, now time.Time) ([]byte, error) {
	calendar := ics.NewCalendarFor("nfa")
	calendar.SetXWRCalName("Dividends and coupons")
	seen := map[string]int{}
	for _, p := range payments {
		day, err := time.Parse(time.DateOnly, p.Date)
		if err != nil {
			return nil, err
		}
		key := strings.Join([]string{p.Account, p.Symbol, p.Kind, cmp.Or(p.ExDate, p.Date)[:len("2006-01")]}, "\x00")
		seen[key]++
		event := calendar.AddEvent(fmt.Sprintf("%x@nfa", sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))))
		event.SetDtStampTime(now)
		event.SetAllDayStartAt(day)
		event.SetTimeTransparency(ics.TransparencyTransparent)
		event.SetStatus(ics.ObjectStatusTentative)
		if p.Declared {
			event.SetStatus(ics.ObjectStatusConfirmed)
		}
		event.SetSummary(fmt.Sprintf("%s %s: %s (%s)", p.Symbol, p.Kind, toolkit.Format(p.Amount, toolkit.Money, p.Currency), p.status()))
		lines := []string{fmt.Sprintf("%s of %s, account %s", p.Kind, cmp.Or(p.Name, p.Symbol), p.Account), fmt.Sprintf("%s units x %s %s", p.Quantity, p.PerUnit, p.Currency), "Basis: " + p.Rule}
		if p.Net != nil {
			lines = append(lines, "After withholding: "+toolkit.Format(p.Net, toolkit.Money, p.Currency))
		}
		if p.ExDateOnly {
			lines = append(lines, "This is the ex-dividend date; the payment date is unknown.")
		}
		event.SetDescription(markdown.Sanitize(strings.Join(lines, "\n")))
	}
	return []byte(calendar.Serialize()), nil
}

// paymentTable returns the payments as comma-separated values.
func paymentTable(payments []expectedPayment, _ time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"date", "ex_date", "account", "symbol", "name", "kind", "quantity", "per_unit", "amount", "net", "currency", "status", "basis"}}
	for _, p := range payments {
		net := ""
		if p.Net != nil {
			net = p.Net.String()
		}
		rows = append(rows, []string{p.Date, p.ExDate, export.EscapeFormulas(p.Account), export.EscapeFormulas(p.Symbol), export.EscapeFormulas(p.Name), p.Kind, p.Quantity.String(), p.PerUnit.String(), p.Amount.String(), net, p.Currency, p.status(), p.Rule})
	}
	err := w.WriteAll(rows)
	return b.Bytes(), err
}
