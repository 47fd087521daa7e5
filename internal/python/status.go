package python

import (
	"context"
	"errors"
)

// Status is what a script would run with now.
type Status struct {
	Runtime   string `json:"runtime"` // or ""
	Sandboxed bool   `json:"sandboxed"`
	Installed bool   `json:"sandbox_installed"`
	Reason    string `json:"reason,omitempty"` // why nothing would run
	Fix       string `json:"-"`                // what can be done about that
}

// Status finds out. It runs no script, but may ask an interpreter for its version.
func (r *Runner) Status(ctx context.Context) Status {
	status := Status{Installed: r.Installed()}
	script, err := InlineScript("", "")
	if err == nil {
		var plan Plan
		plan, err = r.Describe(ctx, script)
		status.Runtime, status.Sandboxed = plan.Runtime, plan.Sandboxed
	}
	if err != nil {
		// That a script of ours was to be planned with it is nobody's concern.
		if why := errors.Unwrap(err); why != nil {
			err = why
		}
		status.Reason = err.Error()
		status.Fix = "install Python 3.9 or later, or fetch the sandbox: nfa python install"
	}
	return status
}
