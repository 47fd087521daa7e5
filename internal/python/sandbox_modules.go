package python

import (
	_ "embed"
	"strings"
)

// sandboxStdlib lists what the standard library of this build can import, one module a line. A test
// compares it with the real build.
//
//go:embed stdlib.txt
var sandboxStdlib string

// UnsupportedBySandbox reports whether the sandbox cannot do what a top-level module is
// imported for, and why.
func UnsupportedBySandbox(module string) (reason string, unsupported bool) {
	if reason := failingModuleReason(module); reason != "" {
		return reason, true
	}
	if strings.HasPrefix(module, "_") || strings.Contains("\n"+sandboxStdlib, "\n"+module+"\n") {
		return "", false
	}
	return "not in its standard library, and it installs no packages", true
}

// failingModuleReason names the modules that can be imported and then do nothing but
// fail, so that a script hears it before it has run half way.
func failingModuleReason(module string) string {
	switch module {
	case "socket", "socketserver", "ftplib", "imaplib", "poplib", "smtplib", "nntplib", "telnetlib", "ssl":
		return "no network"
	case "subprocess", "multiprocessing":
		return "no other processes"
	case "threading", "concurrent":
		return "no threads"
	case "asyncio":
		return "its event loop needs sockets"
	case "zoneinfo":
		return "no time zone data"
	}
	return ""
}
