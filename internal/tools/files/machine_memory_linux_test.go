package files

import "testing"

func TestParseMeminfo_TakesWhatItKnows(t *testing.T) {
	for text, want := range map[string]MachineMemory{
		"MemTotal:       16316412 kB\nMemFree: 1 kB\nMemAvailable:    8000 kB\n": {16316412 << 10, 8000 << 10},
		"MemTotal: 4 kB\n": {4 << 10, 0}, "MemTotal: four kB\nMemAvailable: 9 MB\n": {}, "": {}, "MemTotal\n:\n": {},
		"MemTotal: 99999999999999999999 kB": {},
	} {
		if got := parseMeminfo([]byte(text)); got != want {
			t.Errorf("parseMeminfo(%q) = %+v, want %+v", text, got, want)
		}
	}
}
