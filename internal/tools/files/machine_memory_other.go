//go:build !linux && !darwin && !windows

package files

// readMemory is not known here.
func readMemory() MachineMemory { return MachineMemory{} }
