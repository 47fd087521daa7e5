//go:build !linux

package credential

// eraseVariables does nothing: only Linux shows the first environment of a process to other programs
// as a file.
func eraseVariables([]string) {}

func protectProcess() {}
