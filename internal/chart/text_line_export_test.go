package chart

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// String is the row without its styles.
func (r TextLine) String() string {
	var b strings.Builder
	for _, s := range r {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Width is how many cells the row takes.
func (r TextLine) Width() int { return displaywidth.String(r.String()) }
