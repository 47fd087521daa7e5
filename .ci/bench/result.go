package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
)

// result is the cost of one execution of a benchmark.
type result struct {
	seconds float64
	bytes   float64
	allocs  float64
}

// parse returns the results in the output of a test binary by benchmark name, without the suffix for
// the number of processors. A result without memory is an error.
func parse(output []byte) (map[string]result, error) {
	results := map[string]result{}
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		if _, err := strconv.Atoi(fields[1]); err != nil {
			continue // output of a benchmark
		}
		r, err := measured(fields[2:])
		if err != nil {
			return nil, fmt.Errorf("%q: %w", lines.Text(), err)
		}
		results[plain(fields[0], runtime.GOMAXPROCS(0))] = r
	}
	return results, nil
}

// measured reads pairs of a value and its unit.
func measured(fields []string) (result, error) {
	missing := math.NaN()
	r := result{missing, missing, missing}
	for ; len(fields) >= 2; fields = fields[2:] {
		value, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			return r, err
		}
		switch fields[1] {
		case "ns/op":
			r.seconds = value / 1e9
		case "B/op":
			r.bytes = value
		case "allocs/op":
			r.allocs = value
		}
	}
	if math.IsNaN(r.seconds + r.bytes + r.allocs) {
		return r, fmt.Errorf("ns/op, B/op or allocs/op is missing")
	}
	return r, nil
}

func plain(name string, processors int) string {
	if processors == 1 {
		return name // the testing package adds no suffix
	}
	return strings.TrimSuffix(name, fmt.Sprintf("-%d", processors))
}

// least returns the better of two rounds. Other work on a machine only ever adds.
func (r result) least(other result) result {
	return result{min(r.seconds, other.seconds), min(r.bytes, other.bytes), min(r.allocs, other.allocs)}
}
