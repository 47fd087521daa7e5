package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newPortfolioExport(g *globals) *cobra.Command {
	var format, output string
	var replace bool
	var formats []string
	for _, f := range export.Formats() {
		formats = append(formats, string(f))
	}
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			if g.json && output == "" && !cmd.Flags().Changed("format") {
				format = "json"
			}
			if !slices.Contains(export.Formats(), export.Format(format)) {
				return usage.Errorf("%w %.40q; use one of %s", export.ErrFormat, format, strings.Join(formats, ", "))
			}
			ledger, err := a.Stores.Portfolio.Ledger(cmd.Context())
			if err != nil {
				return err
			}
			var b bytes.Buffer // buffered, so that a failed export leaves no file
			if err := export.Write(&b, ledger, export.Format(format)); err != nil {
				return fmt.Errorf("export the portfolio: %w", err)
			}
			if output == "" {
				_, err := g.out.Write(b.Bytes())
				return err
			}
			if err := atomicfile.Create(output, b.Bytes(), 0o600, replace); errors.Is(err, atomicfile.ErrExists) {
				return fmt.Errorf("%w (--replace)", err)
			} else if err != nil {
				return err
			}
			if g.json {
				return cli.WriteJSON(g.out, map[string]any{"transactions": len(ledger.Transactions), "path": output})
			}
			_, err = fmt.Fprintf(g.err, "exported %s: %s\n", cli.CountNoun(len(ledger.Transactions), "transaction"), markdown.SanitizeLine(output))
			return err
		}),
	}
	cmd.Flags().StringVar(&format, "format", formats[0], "`FORMAT` "+strings.Join(formats, ", "))
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write (default stdout)")
	cmd.Flags().BoolVar(&replace, "replace", false, "replace an existing file")
	return cmd
}
