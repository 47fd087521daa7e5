package eval

import (
	"embed"
	"io/fs"
)

//go:embed folder
var caseFolder embed.FS

// CaseFolder is what stands in the working directory of a case: letter.txt, and with
// home a home of nfa that holds one report.
func CaseFolder() (fs.FS, error) { return fs.Sub(caseFolder, "folder") }
