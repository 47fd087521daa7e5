package lazyregexp_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

func TestNew_CompilesOnce(t *testing.T) {
	year := lazyregexp.New(`^[0-9]{4}$`)
	if first, second := year(), year(); first != second {
		t.Errorf("Lazy gave %p and then %p, want one expression", first, second)
	}
	if !year().MatchString("2026") || year().MatchString("26") {
		t.Errorf("%s does not match years alone", year())
	}
}

func TestNew_AnInvalidSourcePanicsAtItsFirstUseOnly(t *testing.T) {
	broken := lazyregexp.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("using the expression ( did not panic")
		}
	}()
	broken()
}
