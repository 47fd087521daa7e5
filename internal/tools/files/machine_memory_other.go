//go:build !linux && !darwin && !windows

package files

// readMemory is not implemented for this system.
func readMemory() MachineMemory { return MachineMemory{} }
