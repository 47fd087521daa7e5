//go:build !unix

package main

import (
	"errors"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func postgresAvailable() error { return errors.ErrUnsupported }

func startPostgres(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("not on this system") }

func prepareSharedStore(r *reader) { r.t.Skip("not on this system") }

func sharedStoreOf(t *testing.T, _ string) string { t.Skip("not on this system"); return "" }
