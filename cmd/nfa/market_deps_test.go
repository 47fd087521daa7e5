package main

import (
	"bytes"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// marketKey is the key under which a script's data servers are stored.
type marketKey struct{}

// startMarket implements the script command market.
//
// "market MODE [PROVIDER...]" starts data servers on loopback, points the program to them, and
// gives the named servers, or all, a fault; the mode good means none.
//
// "market requests N [PROVIDER]" checks that all servers, or one, received that many requests since
// the last check or since a mode was set.
//
// "market aged DURATION" makes the cached answers older by that duration.
func startMarket(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: market MODE [PROVIDER...] | market requests N [PROVIDER]")
	}
	started := ts.Value(marketKey{}).(**markettest.FakeProviders)
	switch args[0] {
	case "requests":
		countRequests(ts, *started, args[1:])
		return
	case "aged":
		ageAnswers(ts, args[1:])
		return
	}
	fault, err := markettest.FailureModeNamed(args[0])
	ts.Check(err)
	if *started == nil {
		*started = markettest.NewFakeProviders(time.Now)
		server := httptest.NewServer(*started)
		ts.Defer(server.Close)
		vars := (*started).Env(server.URL)
		for _, name := range slices.Sorted(maps.Keys(vars)) {
			ts.Setenv(name, vars[name])
		}
		ts.Setenv("NFA_DATA", "live")
		ts.Setenv("NFA_SEC_CONTACT", "tests@example.com")
	}
	names := args[1:]
	if len(names) == 0 {
		names = (*started).Names()
	}
	for _, name := range names {
		if !slices.Contains((*started).Names(), name) {
			ts.Fatalf("no fake provider %q: %v", name, (*started).Names())
		}
	}
	(*started).SetMode(fault, names...)
	(*started).ResetRequests()
}

func countRequests(ts *testscript.TestScript, w *markettest.FakeProviders, args []string) {
	if w == nil || len(args) == 0 || len(args) > 2 {
		ts.Fatalf("usage, after market MODE: market requests N [PROVIDER]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	name := ""
	if len(args) == 2 {
		name = args[1]
	}
	if got := w.Requests(name); got != want {
		ts.Fatalf("%d requests to %q, want %d", got, name, want)
	}
	w.ResetRequests()
}

// fetched matches the time at which a cached answer was fetched, in the line before its body.
var fetched = regexp.MustCompile(`"fetched_at":"[^"]*"`)

func ageAnswers(ts *testscript.TestScript, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: market aged DURATION")
	}
	older, err := time.ParseDuration(args[0])
	ts.Check(err)
	files, err := filepath.Glob(filepath.Join(ts.Getenv("HOME"), ".nfa", "cache", "http", "*"))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("no answer is kept")
	}
	then := fmt.Appendf(nil, `"fetched_at":%q`, time.Now().Add(-older).Format(time.RFC3339))
	for _, name := range files {
		text, err := os.ReadFile(name)
		ts.Check(err)
		line, body, _ := bytes.Cut(text, []byte("\n"))
		ts.Check(os.WriteFile(name, slices.Concat(fetched.ReplaceAll(line, then), []byte("\n"), body), 0o600))
	}
}
