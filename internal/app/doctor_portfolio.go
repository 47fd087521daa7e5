package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// checkPortfolio reports the portfolio file, whether it is valid, its size, and the latest backup.
// It creates no file.
func checkPortfolio(ctx context.Context, path string, now func() time.Time) Finding {
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		if err := sqlite.CheckPortfolioMissing(path); err != nil {
			return problemFinding("portfolio", err.Error(), "")
		}
		return okFinding("portfolio", "none yet", "start with: nfa portfolio import FILE, or nfa portfolio add")
	}
	ledger, err := readLedger(ctx, path, now)
	backup := newestBackupText(path)
	switch {
	case err != nil && (errors.Is(err, sqlite.ErrNewer) || errors.Is(err, sqlite.ErrPortfolioDamaged)):
		return problemFinding("portfolio", err.Error(), "") // the error names the backup
	case err != nil:
		return problemFinding("portfolio", fmt.Sprintf("%s: %v", path, err), backup)
	case ledger.problem != nil:
		return problemFinding("portfolio", fmt.Sprintf("the transactions in %s are inconsistent: %v", path, ledger.problem), "find the transaction with nfa portfolio list and remove it with nfa portfolio remove; "+backup)
	}
	return okFinding("portfolio", fmt.Sprintf("%s in %s (%s)", cli.CountNoun(ledger.transactions, "transaction"), cli.CountNoun(ledger.accounts, "account"), path), backup)
}

// ledgerSummary describes a complete ledger.
type ledgerSummary struct {
	transactions, accounts int
	problem                error // why its transactions contradict each other
}

func readLedger(ctx context.Context, path string, now func() time.Time) (ledgerSummary, error) {
	// Not interruptible: opening may migrate the tables.
	b, err := sqlite.OpenPortfolioStore(context.WithoutCancel(ctx), path, sqlite.Options{Now: now, Notice: func(string) {}})
	if err != nil {
		return ledgerSummary{}, err
	}
	defer func() { _ = b.Close() }()
	if err := b.Check(ctx); err != nil {
		return ledgerSummary{}, err
	}
	l, err := b.Ledger(ctx)
	if err != nil {
		return ledgerSummary{}, err
	}
	return ledgerSummary{len(l.Transactions), len(l.Accounts), lots.Check(l)}, nil
}

// newestBackupText names the newest backup.
func newestBackupText(path string) string {
	backups, err := sqlite.PortfolioBackups(path)
	switch {
	case err != nil:
		return err.Error()
	case len(backups) == 0:
		return "no backup yet; nfa makes one before the first change of each day"
	}
	return "newest backup: " + backups[0]
}
