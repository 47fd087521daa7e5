package files

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX.
type memoryStatus struct {
	length, load                                   uint32
	totalPhysical, availablePhysical               uint64
	totalPageFile, availablePageFile               uint64
	totalVirtual, availableVirtual, extendedUnused uint64
}

func readMemory() MachineMemory {
	var s memoryStatus
	s.length = uint32(unsafe.Sizeof(s))
	call := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if call.Find() != nil {
		return MachineMemory{}
	}
	if ok, _, _ := call.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return MachineMemory{}
	}
	return MachineMemory{Total: s.totalPhysical, Available: s.availablePhysical}
}
