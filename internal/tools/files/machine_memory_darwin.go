package machine

import "golang.org/x/sys/unix"

// memory knows the total alone: what is free is told by Mach calls that need C.
func memory() Memory {
	total, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return Memory{}
	}
	return Memory{Total: total}
}
