package machine

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

func memory() Memory {
	var s memoryStatus
	s.length = uint32(unsafe.Sizeof(s))
	call := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if call.Find() != nil {
		return Memory{}
	}
	if ok, _, _ := call.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return Memory{}
	}
	return Memory{Total: s.totalPhysical, Available: s.availablePhysical}
}
