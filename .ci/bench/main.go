// Bench measures what nfa costs and writes it down as one page, each figure beside
// a yardstick of the same run:
//
//	make bench
//
// It runs the benchmarks that rows.go names, at n, 2n and 4n, and starts the
// program as a person does (.ci/benchtui). Exit status 1 and a line on stderr say
// what could not be measured, and the page then stays as it was; or that the page is
// written, and the machine had other work meanwhile or something grew more than it
// ought.
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
	page := flags.String("o", "docs/benchmarks.md", "the page to write")
	binary := flags.String("nfa", "./nfa", "the program whose start is measured")
	rounds := flags.Int("rounds", 3, "how often each is measured; the least counts")
	only := flags.String("only", "", "print the rows whose name this expression matches, and write no page")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || *rounds < 1 {
		return fmt.Errorf("arguments %q with %d rounds: none are taken, and one round at least", flags.Args(), *rounds)
	}
	wanted, err := regexp.Compile(*only)
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
			return fmt.Errorf("starting the program: %w", err)
		}
		if report.requests, err = b.requests(ctx, *binary); err != nil {
			return err
		}
	}
	if report.sections, err = b.measureSections(ctx, sections(), wanted); err != nil {
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
	fmt.Fprintf(stderr, "%s is written\n", *page)
	return nil
}

// write writes the page, also of what was not as it ought to be. The error then says
// so: of a busy machine first, for what grew there may not have.
func (r report) write(path string) error {
	if err := replace(path, r.page()); err != nil {
		return err
	}
	if err := errors.Join(r.busy(), r.overgrown()); err != nil {
		return fmt.Errorf("%w\n%s is written all the same", err, path)
	}
	return nil
}

// replace writes the page beside the old one first, so that none is ever half there.
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
