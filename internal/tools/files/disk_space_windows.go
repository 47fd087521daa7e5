package files

import "golang.org/x/sys/windows"

// nonBlocking has no effect, because no file name in a folder is a pipe.
const nonBlocking = 0

func readDiskSpace(dir string) (DiskSpace, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return DiskSpace{}, err
	}
	var s DiskSpace
	var allFree uint64
	err = windows.GetDiskFreeSpaceEx(name, &s.Free, &s.Total, &allFree)
	return s, err
}
