package sqlite_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// Environment of a re-executed test binary that works on a portfolio as a second process: the file,
// and what to do with it.
const (
	portfolioChildEnv = "NFA_SQLITE_TEST_BOOK"
	portfolioTaskEnv  = "NFA_SQLITE_TEST_BOOK_TASK"
)

const importedLines, linesAtOnce = 60, 7

// kills is how often a program that writes to a portfolio is killed. The flag allows more than a
// usual run has time for.
var kills = flag.Int("kills", 6, "how often a program that writes to a portfolio is killed")

func portfolioChild(path string) int {
	ctx := context.Background()
	b, err := sqlite.OpenPortfolioStore(ctx, path, sqlite.Options{Notice: func(s string) { fmt.Fprintln(os.Stderr, s) }})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer b.Close()
	task := recordBatches
	if os.Getenv(portfolioTaskEnv) == "import" {
		task = importFile
	}
	if err := task(ctx, b); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// recordBatches records three transactions at once and removes one of the previous three, until it
// is killed. It prints each number once it is recorded.
func recordBatches(ctx context.Context, b *sqlite.PortfolioStore) error {
	for n := 0; ; n++ {
		name := fmt.Sprintf("%d-%d", os.Getpid(), n)
		c := portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}}
		for _, part := range []string{"x", "y", "z"} {
			c.Add = append(c.Add, portfoliotest.Purchase(name+part, "main"))
		}
		if n > 0 {
			c.Remove = []string{fmt.Sprintf("%d-%dz", os.Getpid(), n-1)}
		}
		if err := b.Update(ctx, func(portfolio.Ledger) (portfolio.Change, error) { return c, nil }); err != nil {
			return err
		}
		fmt.Println(name)
	}
}

// importFile imports a few lines at a time and skips those that are already recorded.
func importFile(ctx context.Context, b *sqlite.PortfolioStore) error {
	for first := 0; first < importedLines; first += linesAtOnce {
		err := b.Update(ctx, func(l portfolio.Ledger) (portfolio.Change, error) {
			c := importOf(l, fmt.Sprint(os.Getpid(), "-"), first, min(first+linesAtOnce, importedLines))
			c.Accounts = []portfolio.Account{portfolio.NewAccount("main")}
			return c, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func startChild(t *testing.T, path, task string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), portfolioChildEnv+"="+path, portfolioTaskEnv+"="+task)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

func TestBook_AKillAtAnyMomentLeavesItWhole(t *testing.T) {
	path := portfolioPath(t)
	random := rand.New(rand.NewPCG(5, 6))
	for round := range *kills {
		cmd, says := startChild(t, path, "record")
		for range random.IntN(6) {
			says.Scan()
		}
		last := says.Text()
		// Up to a few changes later, so that the kill interrupts one.
		kill := time.AfterFunc(time.Duration(random.IntN(12_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		for says.Scan() {
			last = says.Text()
		}
		_ = cmd.Wait()
		kill.Stop()
		if got := ask(t, path, "PRAGMA integrity_check"); got != "ok" {
			t.Fatalf("round %d: %s", round, got)
		}
		checkBatches(t, path, round, last)
		_ = os.Remove(path + ".backup-" + time.Now().UTC().Format("20060102")) // the next kill may fall into making it
	}
}

// checkBatches checks that every change is in the ledger completely or not at all, and that the
// last one printed is there.
func checkBatches(t *testing.T, path string, round int, last string) {
	t.Helper()
	b := openPortfolioAt(t, path, noon)
	defer b.Close()
	parts := map[string]string{}
	for id := range strings.FieldsSeq(heldPositions(t, b)) {
		parts[id[:len(id)-1]] += id[len(id)-1:]
	}
	if last != "" && parts[last] == "" {
		t.Fatalf("round %d: %s was said to be recorded and is not there", round, last)
	}
	for name, has := range parts {
		var process, n int
		if _, err := fmt.Sscanf(name, "%d-%d", &process, &n); err != nil {
			t.Fatal(err)
		}
		want := "xyz"
		if parts[fmt.Sprintf("%d-%d", process, n+1)] != "" {
			want = "xy" // the change after it took the third out
		}
		if has != want {
			t.Fatalf("round %d: %s has %q, want %q", round, name, has, want)
		}
	}
}

func TestBook_TwoProcessesImportAtOnce(t *testing.T) {
	path := portfolioPath(t)
	var children []*exec.Cmd
	for range 3 {
		cmd, _ := startChild(t, path, "import")
		children = append(children, cmd)
	}
	for _, cmd := range children {
		if err := cmd.Wait(); err != nil {
			t.Errorf("a process that imported: %v", err)
		}
	}
	l, err := openPortfolio(t, path).Ledger(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, tr := range l.Transactions {
		seen[tr.SourceID]++
	}
	for i := range importedLines {
		if seen[fmt.Sprint(i)] != 1 {
			t.Errorf("line %d is in the ledger %d times, want once", i, seen[fmt.Sprint(i)])
		}
	}
}
