//go:build !unix

package config

import "io/fs"

// foreignOwner returns "", because these systems do not report the owner.
func foreignOwner(fs.FileInfo) string { return "" }
