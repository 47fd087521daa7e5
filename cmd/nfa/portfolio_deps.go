package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tools/files"
)

var _ tools.UserStore = (*app.PortfolioStore)(nil)

// portfolioDeps gives the tools the user's own data: portfolio, profile, watchlist and journal.
func (p *program) portfolioDeps(g *globals, d tools.Deps) tools.Deps {
	d.Store, d.Base, d.Benchmark = p.portfolio, p.cfg.BaseCurrency, p.cfg.Benchmark
	d.NewIDs = func(n int) ([]string, error) { return portfolio.NewIDs(clock(), rand.Reader, n) }
	files := files.NewWorkspace(files.WorkspaceOptions{Dir: ".", Home: p.home})
	d.ReadFile = func(path string) (string, []byte, error) {
		switch {
		case p.userInvoked && path == "-":
			return readStdinFile(g.in)
		case p.userInvoked:
			return readNamedFile(path)
		}
		return files.ReadBytes(path, importer.MaxFileSize)
	}
	return d
}

// readNamedFile reads a file that the user named on the command line.
func readNamedFile(path string) (name string, raw []byte, err error) {
	// Looked at first: opening a pipe waits for who writes to it, whatever the signal.
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, err
	}
	if !info.Mode().IsRegular() {
		return "", nil, fmt.Errorf("%s is no ordinary file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	raw, err = readBounded(f, path)
	return filepath.Base(path), raw, err
}

// readStdinFile reads a file that the user sends in.
func readStdinFile(in *os.File) (name string, raw []byte, err error) {
	const source = "standard input"
	if cli.IsTerminal(in) {
		return "", nil, fmt.Errorf("nothing is sent to %s: nfa portfolio import - < FILE", source)
	}
	raw, err = readBounded(in, source)
	return source, raw, err
}

func readBounded(in io.Reader, name string) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(in, importer.MaxFileSize+1))
	if err == nil && len(raw) > importer.MaxFileSize {
		err = fmt.Errorf("%s is larger than %d MiB", name, importer.MaxFileSize>>20)
	}
	return raw, err
}

// clearCodeIfLedgerBroken removes the error code from a failed result if the ledger itself cannot
// be read, because another call would fail as well.
func (p *program) clearCodeIfLedgerBroken(r tool.Result) tool.Result {
	if r.IsError && (r.Code == tool.CodeValidation || r.Code == tool.CodeNoData) && p.portfolio.Fault() != nil {
		r.Code = ""
	}
	return r
}
