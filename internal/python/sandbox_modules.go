package python

import (
	_ "embed"
	"strings"
)

// sandboxStdlib lists the importable modules of this build's standard library, one per line. A test
// compares it with the real build.
//
//go:embed stdlib.txt
var sandboxStdlib string

// UnsupportedBySandbox reports whether a top-level module does not work in the sandbox, and why.
func UnsupportedBySandbox(module string) (reason string, unsupported bool) {
	if reason := failingModuleReason(module); reason != "" {
		return reason, true
	}
	if strings.HasPrefix(module, "_") || strings.Contains("\n"+sandboxStdlib, "\n"+module+"\n") {
		return "", false
	}
	return "not in its standard library, and packages are not supported", true
}

// isStandardModule reports whether every Python has the module.
func isStandardModule(module string) bool {
	return strings.Contains("\n"+sandboxStdlib, "\n"+module+"\n")
}

// failingModuleReason returns why a module can be imported but always fails, so that a script is
// refused before it runs.
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
