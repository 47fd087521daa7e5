package skill

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Minimum and maximum length of a name, in characters.
const (
	minNameLength = 2
	maxNameLength = 64
)

// nameProblems returns all reasons why a normalized name is not valid for a new skill.
func nameProblems(name string) []string {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	switch n := utf8.RuneCountInString(name); {
	case n < minNameLength:
		add("a name needs at least %d characters", minNameLength)
	case n > maxNameLength:
		add("the name has %d characters; use at most %d", n, maxNameLength)
	}
	if strings.ToLower(name) != name || strings.ContainsFunc(name, unicode.IsTitle) {
		add("%q is not in lower case", name)
	}
	if strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-") {
		add("a name must not begin or end with a hyphen")
	}
	if strings.Contains(name, "--") {
		add("a name must not have two hyphens in a row")
	}
	if i := strings.IndexFunc(name, isInvalidInName); i >= 0 {
		r, _ := utf8.DecodeRuneInString(name[i:])
		add("%q is not a letter, digit or hyphen", r)
	}
	return append(problems, LookalikeWarnings(name)...)
}

// isInvalidInName accepts all kinds of digits, like the format's reference implementation, but no
// invisible letters such as Hangul fillers.
func isInvalidInName(r rune) bool {
	return r != '-' && (!unicode.IsLetter(r) && !unicode.IsNumber(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r))
}

// IsDeceptiveRune reports whether r is invisible and changes how text looks: a control character, a
// bidirectional mark, or a tag that a model reads and a person does not.
func IsDeceptiveRune(r rune) bool {
	switch {
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r >= 0xE0000 && r <= 0xE007F:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp)
}

// slugName converts a title to a name: "Stock Analysis (v2)" becomes stock-analysis-v2. It returns
// "" if no valid name results.
func slugName(title string) string {
	words := strings.FieldsFunc(strings.ToLower(norm.NFKC.String(title)), func(r rune) bool {
		return r == '-' || isInvalidInName(r)
	})
	name := norm.NFKC.String(strings.Join(words, "-"))
	if len(nameProblems(name)) > 0 {
		return ""
	}
	return name
}

// LookalikeWarnings returns warnings about a name that imitates another: mixed alphabets in a word,
// or foreign letters that all look like ASCII. Ordinary names have none.
func LookalikeWarnings(name string) []string {
	if read := asciiLookalike(name); read != name && isASCII(read) {
		return []string{fmt.Sprintf("%q looks like %q but uses other letters", name, read)}
	}
	for word := range strings.SplitSeq(name, "-") {
		if mixed := unicodeScripts(word); len(mixed) > 1 && !commonlyMixed(mixed) {
			return []string{fmt.Sprintf("%q mixes the alphabets %s", word, strings.Join(mixed, " and "))}
		}
	}
	return nil
}

// asciiLookalike replaces lower-case letters that look like ASCII letters.
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

// unicodeScripts returns the scripts of a word, sorted, ignoring common characters such as digits.
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

// commonlyMixed reports whether East Asian words mix these scripts; their letters do not look alike.
func commonlyMixed(scripts []string) bool {
	return !slices.ContainsFunc(scripts, func(s string) bool {
		return !slices.Contains([]string{"Bopomofo", "Han", "Hangul", "Hiragana", "Katakana", "Latin"}, s)
	})
}
