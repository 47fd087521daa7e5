package files

import "golang.org/x/sys/unix"

// readMemory returns only the total, because free memory needs Mach calls, which need C.
func readMemory() MachineMemory {
	total, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return MachineMemory{}
	}
	return MachineMemory{Total: total}
}
