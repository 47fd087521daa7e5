package main

import (
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

//go:embed method.md
var method string

// report is the content of the page.
type report struct {
	machine   machine
	rounds    int
	starts    []start
	requests  []request
	sections  []table
	yardstick spread // seconds
}

// machine describes the machine without naming a person or host.
type machine struct {
	cores     int
	goVersion string // with the platform
}

func thisMachine() machine {
	return machine{runtime.GOMAXPROCS(0), runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH}
}

func (r report) page() string {
	yardstick := fmt.Sprintf("The yardstick took %s to %s in this run", duration(r.yardstick.least), duration(r.yardstick.most))
	if r.busy() != nil {
		yardstick += ": the machine was busy"
	}
	run := fmt.Sprintf("This run: %d rounds on %d processors, %s. %s.\n", r.rounds, r.machine.cores, r.machine.goVersion, yardstick)
	return method + "\n" + run + startTable(r.starts) + requestTable(r.requests) + r.tables()
}

// quiet is the largest ratio of yardsticks in a run on an idle machine. An idle shared machine varied
// by 17%; a second busy program adds a third or more.
const quiet = 1.25

// busy returns an error if the machine had other work, which makes the figures less reliable.
func (r report) busy() error {
	if s := r.yardstick; s.most > s.least*quiet {
		return fmt.Errorf("the machine was busy: the yardstick took %s to %s", duration(s.least), duration(s.most))
	}
	return nil
}

// tables returns the tables as Markdown.
func (r report) tables() string {
	var b strings.Builder
	for _, t := range r.sections {
		b.WriteString(t.against(r.yardstick.least))
	}
	return b.String()
}

func startTable(all []start) string {
	var b strings.Builder
	b.WriteString("\n## Start\n\n")
	if len(all) == 0 {
		b.WriteString("Not measured on this system.\n")
		return b.String()
	}
	b.WriteString("| start of | time | relative to empty program | CPU time | peak memory |\n|---|--:|--:|--:|--:|\n")
	for _, s := range all {
		memory := ""
		if s.MiB > 0 {
			memory = short(s.MiB) + " MiB"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", s.Name, duration(s.Millis/1000), short(s.Millis/all[0].Millis), duration(s.CPU/1000), memory)
	}
	return b.String()
}

// against returns the table with its times relative to the yardstick.
func (t table) against(yardstick float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n", t.title)
	b.WriteString("| benchmark | size | time | relative to yardstick | memory | allocations | 2n / n | 4n / 2n | may grow |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for _, f := range t.rows {
		last := f.results[len(f.results)-1]
		fmt.Fprintf(&b, "| %s | %s %s | %s | %s | %s | %s | %s | %s | %s |\n", f.name, thousands(float64(f.sizes[len(f.sizes)-1])), f.unit,
			duration(last.seconds), short(last.seconds/yardstick), size(last.bytes), thousands(last.allocs), f.growth(1), f.growth(2), f.grows.name)
	}
	return b.String()
}

// growth returns the ratio of the i-th time to the previous one, or "" if there is only one size.
func (f figures) growth(i int) string {
	if i >= len(f.results) {
		return ""
	}
	return fmt.Sprintf("%.2f", f.results[i].seconds/f.results[i-1].seconds)
}

// overgrown returns an error if the time grew by more than 1.5 times the expected ratio. The tolerance
// is for full caches and garbage collection.
func (f figures) overgrown() error {
	const tolerance = 1.5
	for i := 1; i < len(f.results); i++ {
		if by := f.results[i].seconds / f.results[i-1].seconds; by > f.grows.most*tolerance {
			return fmt.Errorf("%s: %s %s take %.1f times as long as %s; expected growth: %s",
				f.name, thousands(float64(f.sizes[i])), f.unit, by, thousands(float64(f.sizes[i-1])), f.grows.name)
		}
	}
	return nil
}

func (r report) overgrown() error {
	var all []error
	for _, t := range r.sections {
		for _, f := range t.rows {
			all = append(all, f.overgrown())
		}
	}
	return errors.Join(all...)
}

// duration formats a time with three digits and a unit.
func duration(seconds float64) string {
	for _, unit := range []struct {
		name string
		size float64
	}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if seconds >= unit.size {
			return short(seconds/unit.size) + " " + unit.name
		}
	}
	return short(seconds*1e9) + " ns"
}

func size(bytes float64) string {
	switch {
	case bytes >= 1e6:
		return short(bytes/1e6) + " MB"
	case bytes >= 1e3:
		return short(bytes/1e3) + " kB"
	default:
		return short(bytes) + " B"
	}
}

// short formats a number with three significant digits.
func short(v float64) string {
	switch {
	case v >= 100:
		return thousands(v)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v == 0:
		return "0"
	default:
		// Three significant digits without an exponent.
		text := strconv.FormatFloat(v, 'e', 2, 64)
		exponent, err := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
		if err != nil {
			return text
		}
		return strconv.FormatFloat(v, 'f', 2-exponent, 64)
	}
}

// thousands formats a whole number with thousands separators.
func thousands(v float64) string {
	digits := strconv.FormatFloat(v, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
