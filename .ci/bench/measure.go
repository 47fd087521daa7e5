package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// bench runs the benchmarks of one source tree.
type bench struct {
	root      string // of the module
	work      string // for programs and their files
	terminals string // device of pseudo-terminals
	rounds    int
	progress  io.Writer

	compiled   map[string]string // test binaries by package
	yardsticks []float64         // in seconds
}

// figures is a row with a result for each size.
type figures struct {
	row
	results []result
}

// table is a table of the page with its measurements.
type table struct {
	title string
	rows  []figures
}

func (b *bench) measureSections(ctx context.Context, all []section, pattern *regexp.Regexp) ([]table, error) {
	var out []table
	for _, section := range all {
		t := table{title: section.title}
		for _, r := range section.rows {
			if !pattern.MatchString(r.name) {
				continue
			}
			f, err := b.measure(ctx, r)
			if err != nil {
				return nil, fmt.Errorf("%s (%s): %w", r.name, r.pkg, err)
			}
			t.rows = append(t.rows, f)
		}
		if len(t.rows) > 0 {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no row matches %q", pattern)
	}
	return out, nil
}

// measure returns the minimum of the rounds. If the time seems to grow too fast, it runs as many
// rounds again, because the machine may have been busy for a moment.
func (b *bench) measure(ctx context.Context, r row) (figures, error) {
	f := figures{row: r}
	binary, err := b.compile(ctx, r.pkg)
	if err != nil {
		return f, err
	}
	begun := time.Now()
	for round := range 2 * b.rounds {
		if round >= b.rounds && f.overgrown() == nil {
			break
		}
		if err := b.once(ctx, binary, &f); err != nil {
			return f, err
		}
	}
	fmt.Fprintf(b.progress, "%-45s %s\n", r.name, time.Since(begun).Round(time.Millisecond))
	return f, nil
}

// once runs one round: the yardstick, then the row.
func (b *bench) once(ctx context.Context, binary string, f *figures) error {
	b.yardsticks = append(b.yardsticks, yardstick().Seconds())
	results, err := b.play(ctx, binary, f.row)
	if err != nil {
		return err
	}
	if f.results == nil {
		f.results = results
		return nil
	}
	for i, r := range results {
		f.results[i] = f.results[i].least(r)
	}
	return nil
}

// compile returns the test binary of a package, which its rows share.
func (b *bench) compile(ctx context.Context, pkg string) (string, error) {
	if binary, ok := b.compiled[pkg]; ok {
		return binary, nil
	}
	binary := filepath.Join(b.work, strings.ReplaceAll(pkg, "/", "-")+".test")
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, "./internal/"+pkg)
	cmd.Dir = b.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compile tests: %w\n%s", err, out)
	}
	b.compiled[pkg] = binary
	return binary, nil
}

// play runs the sizes of a row in the folder of their package, like go test.
func (b *bench) play(ctx context.Context, binary string, r row) ([]result, error) {
	stint := "100ms"
	if r.once {
		stint = "1x"
	}
	cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.benchmem", "-test.benchtime="+stint, "-test.bench="+r.expression())
	cmd.Dir = filepath.Join(b.root, "internal", r.pkg)
	cmd.Env = append(os.Environ(), "TMPDIR="+b.work) // so that its files are removed, however it ends
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w\n%s%s", err, stdout.Bytes(), stderr.Bytes())
	}
	named, err := parse(stdout.Bytes())
	if err != nil {
		return nil, err
	}
	results := make([]result, len(r.sizes))
	for i, size := range r.sizes {
		name := fmt.Sprintf(r.bench, size)
		one, ok := named[name]
		if !ok {
			return nil, fmt.Errorf("no result for %s", name)
		}
		results[i] = one
	}
	return results, nil
}

// expression returns a pattern for the benchmark at exactly its sizes.
func (r row) expression() string {
	sizes := make([]string, len(r.sizes))
	for i, size := range r.sizes {
		sizes[i] = strconv.Itoa(size)
	}
	levels := strings.Split(regexp.QuoteMeta(r.bench), "/")
	for i, level := range levels {
		levels[i] = "^" + strings.ReplaceAll(level, "%d", "("+strings.Join(sizes, "|")+")") + "$"
	}
	return strings.Join(levels, "/")
}
