// Bench measures the time and memory of nfa and writes docs/benchmarks.md:
//
//	make bench
//
// It runs the benchmarks in rows.go at n, 2n and 4n, and starts the program with .ci/benchtui. It
// exits with 1 if something could not be measured, and then leaves the page unchanged. It also exits
// with 1 if the machine was busy or a benchmark grew too much; the page is then written.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	page := flags.String("o", "docs/benchmarks.md", "page to write")
	binary := flags.String("nfa", "./nfa", "program whose start is measured")
	rounds := flags.Int("rounds", 3, "rounds per benchmark; the minimum is reported")
	only := flags.String("only", "", "print only the rows whose name matches this expression, without writing the page")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || *rounds < 1 {
		return fmt.Errorf("unexpected arguments %q or fewer than one round (%d)", flags.Args(), *rounds)
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	work, err := os.MkdirTemp("", "nfa-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := bench{root: ".", work: work, terminals: "/dev/ptmx", rounds: *rounds, progress: stderr, compiled: map[string]string{}}

	report := report{machine: thisMachine(), rounds: *rounds}
	if *only == "" {
		if report.starts, err = b.starts(ctx, *binary); err != nil {
			return fmt.Errorf("start the program: %w", err)
		}
		if report.requests, err = b.requests(ctx, *binary); err != nil {
			return err
		}
	}
	if report.sections, err = b.measureSections(ctx, sections(), pattern); err != nil {
		return err
	}
	report.yardstick = spreadOf(b.yardsticks)
	if *only != "" {
		_, err := io.WriteString(stdout, report.tables())
		return errors.Join(err, report.overgrown())
	}
	if err := report.write(*page); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "wrote %s\n", *page)
	return nil
}

// write writes the page. It then returns an error if the machine was busy or a benchmark grew too much.
func (r report) write(path string) error {
	if err := replace(path, r.page()); err != nil {
		return err
	}
	if err := errors.Join(r.busy(), r.overgrown()); err != nil {
		return fmt.Errorf("%w\n(%s was written)", err, path)
	}
	return nil
}

// replace writes the page atomically.
func replace(path, text string) error {
	part, err := os.CreateTemp(filepath.Dir(path), ".benchmarks")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	_, err = part.WriteString(text)
	if err = errors.Join(err, part.Chmod(0o644), part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}
