package files

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
)

// readMemory returns what the kernel reports. In a container that is the memory of the host.
func readMemory() MachineMemory {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return MachineMemory{}
	}
	return parseMeminfo(data)
}

func parseMeminfo(data []byte) MachineMemory {
	var m MachineMemory
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		name, rest, _ := strings.Cut(lines.Text(), ":")
		number, unit, _ := strings.Cut(strings.TrimSpace(rest), " ")
		kib, err := strconv.ParseUint(number, 10, 54)
		if err != nil || unit != "kB" {
			continue
		}
		switch name {
		case "MemTotal":
			m.Total = kib << 10
		case "MemAvailable":
			m.Available = kib << 10
		}
	}
	return m
}
