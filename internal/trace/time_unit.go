package trace

// IsTimeUnit reports whether a noun, in the singular, is one for a stretch of time.
func IsTimeUnit(noun string) bool { return TimeUnit(noun) != "" }

// TimeUnit is the plain name of a unit of time, or "".
func TimeUnit(noun string) string {
	switch noun {
	case "year", "yr", "y", "年":
		return "year"
	case "month", "mo", "个月", "月":
		return "month"
	case "quarter", "q", "季度":
		return "quarter"
	case "week", "w", "周":
		return "week"
	case "day", "session", "d", "天", "日", "交易日":
		return "day"
	case "hour", "hr", "h", "小时":
		return "hour"
	case "minute", "min", "分钟":
		return "minute"
	}
	return ""
}
