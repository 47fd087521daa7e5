//go:build !linux && !darwin && !windows

package files

// readMemory returns nothing, because it is not implemented for this system.
func readMemory() MachineMemory { return MachineMemory{} }
