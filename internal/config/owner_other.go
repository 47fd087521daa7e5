//go:build !unix

package config

import "io/fs"

// foreignOwner returns why a file may be another user's, or "". Other systems do not tell.
func foreignOwner(fs.FileInfo) string { return "" }
