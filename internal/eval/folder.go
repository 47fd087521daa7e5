package eval

import (
	"embed"
	"io/fs"
)

//go:embed folder
var folder embed.FS

// Folder is what stands in the working directory of a case: letter.txt, and with
// home a home of nfa that holds one report.
func Folder() (fs.FS, error) { return fs.Sub(folder, "folder") }
