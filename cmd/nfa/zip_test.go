package main

import (
	"archive/zip"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// makeZip implements the script command "zip FILE ENTRY=SOURCE...". It packs files under any names, including those
// that archivers reject.
func makeZip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: zip FILE ENTRY=SOURCE...")
	}
	file, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	defer func() { _ = file.Close() }()
	archive := zip.NewWriter(file)
	for _, pair := range args[1:] {
		entry, source, _ := strings.Cut(pair, "=")
		w, err := archive.Create(entry)
		ts.Check(err)
		_, err = w.Write([]byte(ts.ReadFile(source)))
		ts.Check(err)
	}
	ts.Check(archive.Close())
}
