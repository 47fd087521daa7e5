// Package report writes, verifies and exports texts with the sources of their figures.
//
// New writes a report as Markdown, HTML or CSV with a footnote for each traced figure, and a
// Provenance record that is saved next to it. Verify reads both files again: it reports whether the
// report was changed, whether each number matches its record, and whether repeating the recorded tool
// calls gives the same values. WriteTranscript exports a session as Markdown; a SecretFilter removes
// API keys from it.
//
// Reports and records are neither secret nor signed: a consistent change of both files is found only
// by repeating the calls. Treat the content of both files as untrusted.
package report
