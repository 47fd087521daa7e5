package workspace

import "golang.org/x/sys/windows"

// withoutWaiting is nothing here: no name in a folder is a pipe.
const withoutWaiting = 0

func spaceOf(dir string) (Space, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return Space{}, err
	}
	var s Space
	var allFree uint64
	err = windows.GetDiskFreeSpaceEx(name, &s.Free, &s.Total, &allFree)
	return s, err
}
