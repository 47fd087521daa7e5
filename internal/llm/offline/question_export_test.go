package offline

import "regexp"

// CompileDate is a pattern of dates, compiled.
func CompileDate(source string) *regexp.Regexp { return datePattern(source)() }
