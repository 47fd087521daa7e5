package python_test

import (
	"errors"
	"testing"

	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/python/pythontest"
)

func bench(b *testing.B, code string) {
	for _, runtime := range []python.Runtime{python.System, python.WASM} {
		b.Run(string(runtime), func(b *testing.B) {
			c, err := pythontest.Installation()
			if errors.Is(err, pythontest.ErrNoBuild) {
				b.Skip(err)
			}
			if err != nil {
				b.Fatal(err)
			}
			c.Runtime = runtime
			r, err := python.New(c)
			if err != nil {
				b.Fatal(err)
			}
			script, err := python.InlineScript("", code)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := r.Run(b.Context(), script, python.Input{}); err != nil {
					b.Skip(err)
				}
			}
		})
	}
}

// The difference between a start alone and a start with a loop of a million rounds is the loop.
func BenchmarkRun_Start(b *testing.B) { bench(b, "print(1)") }

func BenchmarkRun_Loop(b *testing.B) {
	bench(b, "def f(n):\n    s = 0\n    for i in range(n): s += i * i % 7\n    return s\nprint(f(1000000))")
}
