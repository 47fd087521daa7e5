package humanize

import "strconv"

// Number is a count, zero or more, with thousands separators.
func Number(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Count is a count with the word for one or for many of what it counts: 1 entry,
// 12,345 entries.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}
