package main

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse_ReadsTimeAndMemoryByName(t *testing.T) {
	suffix := ""
	if n := runtime.GOMAXPROCS(0); n != 1 {
		suffix = fmt.Sprintf("-%d", n)
	}
	got, err := parse([]byte("goos: linux\npkg: x\n" +
		"BenchmarkOpen/skills=8" + suffix + "   \t 100\t   3138895 ns/op\t  539375 B/op\t    4744 allocs/op\n" +
		"BenchmarkSave/years=40" + suffix + " 2 53215832.5 ns/op 7.616 B/bar 189417 bars/s 2495220 B/op 102401 allocs/op\n" +
		"BenchmarkSaid: a line that a benchmark logs\nPASS\n"))
	want := map[string]result{
		"BenchmarkOpen/skills=8": {0.003138895, 539375, 4744},
		"BenchmarkSave/years=40": {0.0532158325, 2495220, 102401},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{})); diff != "" || err != nil {
		t.Errorf("parse: %v (-want +got):\n%s", err, diff)
	}
}

func TestParse_RefusesWhatIsNotWhole(t *testing.T) {
	for name, line := range map[string]string{
		"no memory":     "BenchmarkOpen 100 3138895 ns/op",
		"no time":       "BenchmarkOpen 100 5 B/op 3 allocs/op",
		"not a number":  "BenchmarkOpen 100 fast ns/op 5 B/op 3 allocs/op",
		"half a memory": "BenchmarkOpen 100 12 ns/op 5 B/op",
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := parse([]byte(line + "\n")); err == nil {
				t.Errorf("parse(%q) = %v, want an error", line, got)
			}
		})
	}
}

func TestPlain_TakesOffTheProcessorsAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		name       string
		processors int
		want       string
	}{
		{"BenchmarkA/2-2", 2, "BenchmarkA/2"},
		{"BenchmarkA/2-2", 1, "BenchmarkA/2-2"},
		{"BenchmarkA/n-16-8", 8, "BenchmarkA/n-16"},
	} {
		if got := plain(c.name, c.processors); got != c.want {
			t.Errorf("plain(%q, %d) = %q, want %q", c.name, c.processors, got, c.want)
		}
	}
}

func TestStartsOf_WantsTheEmptyProgramFirst(t *testing.T) {
	got, err := startsOf([]byte(`[{"name":"empty","ms":1.5,"cpu_ms":1,"mib":0,"is_base":true},{"name":"nfa","ms":9,"cpu_ms":8,"mib":21.5}]`))
	want := []start{{Name: "empty", Millis: 1.5, CPU: 1, Base: true}, {Name: "nfa", Millis: 9, CPU: 8, MiB: 21.5}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("startsOf: %v (-want +got):\n%s", err, diff)
	}
	for name, output := range map[string]string{
		"nothing": "", "none": "[]", "no yardstick": `[{"name":"nfa","ms":9},{"name":"b","ms":9}]`,
		"no time": `[{"name":"empty","ms":0,"is_base":true},{"name":"b","ms":9}]`,
	} {
		if got, err := startsOf([]byte(output)); err == nil {
			t.Errorf("startsOf of %s = %v, want an error", name, got)
		}
	}
}
