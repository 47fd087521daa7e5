package main

import (
	"os"
	"path/filepath"
)

// contactNotice asks for the address that the SEC wants, once in the life of a
// home: a program that asks at every start is not asking any more. Doctor and the
// tools that need it go on saying so. It is never made up.
func (h *house) contactNotice() string {
	if h.onSample() || h.cfg.Data.SECContact != "" {
		return ""
	}
	dir := filepath.Join(h.home, "cache")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return ""
	}
	asked, err := os.OpenFile(filepath.Join(dir, "sec-contact-asked"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "" // asked before, or it could not be remembered
	}
	_ = asked.Close()
	return "The SEC wants an e-mail address with each request for filings and statements; to give it yours: nfa config set sec.contact you@example.com."
}
