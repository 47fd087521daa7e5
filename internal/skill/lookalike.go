package skill

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// LookalikeWarnings says how a name is made to be read as another: a word of several
// alphabets, or foreign letters that all look like ASCII ones. An honest name has
// none.
func LookalikeWarnings(name string) []string {
	if read := asciiLookalike(name); read != name && isASCII(read) {
		return []string{fmt.Sprintf("%q reads as %q but is written in other letters", name, read)}
	}
	for word := range strings.SplitSeq(name, "-") {
		if mixed := unicodeScripts(word); len(mixed) > 1 && !commonlyMixed(mixed) {
			return []string{fmt.Sprintf("%q mixes letters of %s", word, strings.Join(mixed, " and "))}
		}
	}
	return nil
}

// asciiLookalike replaces the lower-case letters that fonts draw like ASCII ones.
func asciiLookalike(name string) string {
	const (
		drawn = "асԁеһіјӏорԛѕуѵԝхαιορνօոսհցզɡɑ"
		read  = "acdehijlopqsyvwxaiopvonuhgqga"
	)
	twins := []rune(drawn)
	return strings.Map(func(r rune) rune {
		if i := slices.Index(twins, r); i >= 0 {
			return rune(read[i])
		}
		return r
	}, name)
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// unicodeScripts names the alphabets of a word, sorted; what belongs to all of them,
// such as digits, counts for none.
func unicodeScripts(word string) []string {
	if isASCII(word) {
		return nil
	}
	found := map[string]bool{}
	for _, r := range word {
		for script, table := range unicode.Scripts {
			if script != "Common" && script != "Inherited" && unicode.Is(table, r) {
				found[script] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// commonlyMixed tells the scripts that East Asian words do mix; their letters
// are not mistaken for one another.
func commonlyMixed(scripts []string) bool {
	return !slices.ContainsFunc(scripts, func(s string) bool {
		return !slices.Contains([]string{"Bopomofo", "Han", "Hangul", "Hiragana", "Katakana", "Latin"}, s)
	})
}
