package main

import (
	"strings"
	"testing"
)

func TestRequest_ReadsTheSizesOfNfaContext(t *testing.T) {
	r := request{agent: "advisor", profile: "small"}
	err := r.read([]byte(`{"profile":"small","bytes":7730,"parts":[{"name":"prompt","bytes":1846},{"name":"skills","bytes":1062},{"name":"tools","bytes":4822}]}`))
	if got := requestTable([]request{r}); err != nil || !strings.Contains(got, "| advisor | small | 1846 | 1062 | 4822 | 7730 |\n") {
		t.Errorf("table %q, %v", got, err)
	}
	if err := r.read([]byte(`{"profile":"large","bytes":7730}`)); err == nil {
		t.Error("sizes of another profile are taken")
	}
}
