package markdown_test

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// luminance returns the relative luminance (WCAG 2.2) of a color in the 256-color palette of xterm: 16 to 231
// are a cube of six levels, 232 to 255 are grays.
func luminance(color int) float64 {
	levels := [6]int{0, 95, 135, 175, 215, 255}
	r, g, b := 0, 0, 0
	if color >= 232 {
		r = 8 + 10*(color-232)
		g, b = r, r
	} else {
		cube := color - 16
		r, g, b = levels[cube/36], levels[cube/6%6], levels[cube%6]
	}
	linear := func(v int) float64 {
		c := float64(v) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// contrast returns the contrast ratio of WCAG 2.2.
func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// Chat, section 10: contrast is at least 4.5:1 for text and 3:1 for dim text, on black and on white.
func TestThemes_HaveEnoughContrast(t *testing.T) {
	dim := []string{"Dim", "Rule", "TableRule", "QuoteBar", "URL", "CodeComment"}
	for _, theme := range []struct {
		name       string
		theme      markdown.Theme
		background float64
	}{{"dark", markdown.DarkTheme(), 0}, {"light", markdown.LightTheme(), 1}} {
		v := reflect.ValueOf(theme.theme)
		check := func(role, style string) {
			_, code, ok := strings.Cut(style, "38;5;")
			if !ok {
				return
			}
			color, err := strconv.Atoi(code)
			if err != nil {
				t.Fatalf("%s %s: %v", theme.name, role, err)
			}
			want := 4.5
			for _, d := range dim {
				if d == role {
					want = 3
				}
			}
			if got := contrast(luminance(color), theme.background); got < want {
				t.Errorf("%s theme: %s has color %d, contrast %.1f; want %.1f", theme.name, role, color, got, want)
			}
		}
		for i := range v.NumField() {
			role := v.Type().Field(i).Name
			if f := v.Field(i); f.Kind() == reflect.Array {
				for n := range f.Len() {
					check(fmt.Sprintf("%s[%d]", role, n), f.Index(n).String())
				}
			} else {
				check(role, f.String())
			}
		}
	}
}

// The luminance of white is 1, of xterm's color 124 (#af0000) 0.0913: computed by hand from the formula.
func TestLuminance_IsThatOfTheFormula(t *testing.T) {
	for color, want := range map[int]float64{16: 0, 231: 1, 124: 0.2126 * math.Pow((175.0/255+0.055)/1.055, 2.4)} {
		if got := luminance(color); math.Abs(got-want) > 1e-9 {
			t.Errorf("luminance(%d) = %f, want %f", color, got, want)
		}
	}
}
