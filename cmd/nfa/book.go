package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/nfa-cli/nfa/internal/cabinet"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox"
	"github.com/nfa-cli/nfa/internal/workspace"
)

var _ toolbox.Book = (*cabinet.Book)(nil)

// withBook gives the tools the user's own things.
func (h *house) withBook(g *globals, d toolbox.Deps) toolbox.Deps {
	d.Book, d.Base, d.Benchmark, d.HideAmounts = h.book, h.cfg.BaseCurrency, h.cfg.Benchmark, !h.cfg.ShareAmounts && !h.byHand
	d.NewIDs = func(n int) ([]string, error) { return portfolio.NewIDs(clock(), rand.Reader, n) }
	files := workspace.New(workspace.Options{Dir: ".", Home: h.home})
	d.ReadFile = func(path string) (string, []byte, error) {
		switch {
		case h.byHand && path == "-":
			return readStandard(g.in)
		case h.byHand:
			return readWhole(path)
		}
		return files.Bytes(path, sheet.Most)
	}
	return d
}

// readWhole reads a file that the user named on the command line.
func readWhole(path string) (name string, raw []byte, err error) {
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

// readStandard reads a file that the user sends in.
func readStandard(in *os.File) (name string, raw []byte, err error) {
	const from = "standard input"
	if console.IsTerminal(in) {
		return "", nil, fmt.Errorf("nothing is sent to %s: nfa portfolio import - < FILE", from)
	}
	raw, err = readBounded(in, from)
	return from, raw, err
}

func readBounded(from io.Reader, name string) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(from, sheet.Most+1))
	if err == nil && len(raw) > sheet.Most {
		err = fmt.Errorf("%s is larger than %d MiB", name, sheet.Most>>20)
	}
	return raw, err
}

// blamed takes the code from a failure for which the book itself is the reason: no
// other call would have done better.
func (h *house) blamed(r tool.Result) tool.Result {
	if r.IsError && (r.Code == tool.CodeValidation || r.Code == tool.CodeNoData) && h.book.Fault() != nil {
		r.Code = ""
	}
	return r
}
