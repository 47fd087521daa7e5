package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// CasePortfolio is the user's portfolio of one case, empty at first.
type CasePortfolio struct {
	Router *tool.Router // tools of the case: the Runner's and those of the portfolio
	// Record has the same tools and approves of what they write. Only the portfolio tools are
	// called with it, before the case.
	Record *tool.Router
	Close  func() error // nil if no cleanup is needed
}

// errNoPortfolio means that the Runner cannot make portfolios.
var errNoPortfolio = errors.New("this command has no portfolio")

func (r *Runner) openPortfolio() (CasePortfolio, error) {
	if r.NewPortfolio == nil {
		return CasePortfolio{}, errNoPortfolio
	}
	b, err := r.NewPortfolio()
	if err != nil {
		return CasePortfolio{}, fmt.Errorf("creating the portfolio of a case: %w", err)
	}
	return b, nil
}

// close closes the portfolio of a finished case. Its error is ignored, because a leftover file does
// not change the result.
func (b CasePortfolio) close() {
	if b.Close != nil {
		_ = b.Close()
	}
}

// fillPortfolio makes the calls that fill the portfolio and returns those that failed.
func (r *Runner) fillPortfolio(ctx context.Context, b CasePortfolio, calls []Call) (faults []string, err error) {
	// A suite may come from a stranger, so only the portfolio's own tools are approved.
	record := b.Record.Only(func(name string) bool { return !hasTool(r.Router, name) })
	for i, call := range calls {
		fault := fmt.Sprintf("portfolio, call %d: ", i+1)
		if err := checkCall(call, record); err != nil {
			faults = append(faults, fault+err.Error())
			continue
		}
		o, err := record.Call(ctx, llm.ToolCall{ID: fmt.Sprintf("book_%d", i+1), Name: call.Tool, Arguments: call.json()})
		if err != nil {
			return nil, err
		}
		if o.Result.IsError {
			faults = append(faults, fault+call.Tool+": "+o.Result.ErrorText())
		}
	}
	return faults, nil
}

// toolsOf returns the tools that exist in any of the cases.
func (r *Runner) toolsOf(cases []Case) (hasToolNamed func(name string) bool, err error) {
	router := r.Router
	if slices.ContainsFunc(cases, func(c Case) bool { return c.Portfolio != nil }) {
		b, err := r.openPortfolio()
		if err != nil {
			return nil, err
		}
		defer b.close()
		router = b.Router
	}
	return func(name string) bool { return hasTool(router, name) }, nil
}

func hasTool(router *tool.Router, name string) bool {
	_, ok := router.Lookup(name)
	return ok
}

// SequentialIDs numbers the records in the portfolio of one case, from e1, so that a script can
// refer to them.
func SequentialIDs() func(n int) ([]string, error) {
	last := 0
	return func(n int) ([]string, error) {
		ids := make([]string, n)
		for i := range ids {
			last++
			ids[i] = fmt.Sprintf("e%d", last)
		}
		return ids, nil
	}
}
