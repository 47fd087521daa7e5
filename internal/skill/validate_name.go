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

// Lengths of a name, in characters, that Validate holds to.
const (
	minNameLength = 2
	maxNameLength = 64
)

// nameProblems gives every reason why name, already normalised, may not be given
// to a new skill.
func nameProblems(name string) []string {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	switch n := utf8.RuneCountInString(name); {
	case n < minNameLength:
		add("a name has at least %d characters", minNameLength)
	case n > maxNameLength:
		add("the name has %d characters; %d are allowed", n, maxNameLength)
	}
	if strings.ToLower(name) != name || strings.ContainsFunc(name, unicode.IsTitle) {
		add("%q is not in lower case", name)
	}
	if strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-") {
		add("a name neither begins nor ends with a hyphen")
	}
	if strings.Contains(name, "--") {
		add("a name has no two hyphens in a row")
	}
	if i := strings.IndexFunc(name, isInvalidInName); i >= 0 {
		r, _ := utf8.DecodeRuneInString(name[i:])
		add("%q is neither a letter, a digit nor a hyphen", r)
	}
	return append(problems, LookalikeWarnings(name)...)
}

// isInvalidInName takes numbers of every kind for digits, as the format's
// reference does, but not the letters that cannot be seen, such as Hangul fillers.
func isInvalidInName(r rune) bool {
	return r != '-' && (!unicode.IsLetter(r) && !unicode.IsNumber(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r))
}

// IsDeceptiveRune tells the characters that change how a text looks without being
// seen: control characters, marks that turn the direction of writing, and tags
// that a model reads and a person does not.
func IsDeceptiveRune(r rune) bool {
	switch {
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r >= 0xE0000 && r <= 0xE007F:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp)
}

// slugName makes a name of a title: "Stock Analysis (v2)" becomes stock-analysis-v2.
// It is empty when no valid name comes of it.
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
