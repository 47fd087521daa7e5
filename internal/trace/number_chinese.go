package trace

// hanUnit reads what Chinese writes after a number.
func (p *scanner) hanUnit(s *suffix, at int) bool {
	text := p.Text(at, at+MaxHanCurrency)
	if word, power := HanScale(text); word != "" && !s.scaled {
		s.scale, s.scaled, s.end = s.scale+power, true, at+len([]rune(word))
		return true
	}
	for _, unit := range hanUnits {
		if p.Has(at, unit.word) {
			s.kind, s.scale, s.end = unit.kind, s.scale+unit.scale, at+len([]rune(unit.word))
			return true
		}
	}
	if word, code := HanCurrency(text); word != "" && s.currency == "" {
		s.currency, s.end = code, at+len([]rune(word))
		return true
	}
	return false
}

var hanUnits = [...]struct {
	word  string
	kind  UnitKind
	scale int32
}{
	{"个百分点", UnitPoints, 0}, {"個百分點", UnitPoints, 0}, {"百分点", UnitPoints, 0}, {"个基点", UnitBasisPoints, 0}, {"個基點", UnitBasisPoints, 0}, {"基点", UnitBasisPoints, 0},
	{"倍", UnitMultiple, 0}, {"成", UnitPercent, 1},
}

// hanDate reads what makes a number a date, a time or a stretch of time in
// Chinese: 2024年, 3月, 近5年. It gives "" for a number that is a figure.
func (p *scanner) hanDate(start, end int) Class {
	n := p.Int(start, end)
	switch p.Rune(end) {
	case '年':
		if end-start == 4 && n >= 1900 && n < 2100 {
			return ClassYear
		}
		if p.aroundNow(start, end+1) {
			return ClassPeriod
		}
	case '月', '日', '号':
		return ClassDate
	case '时', '時':
		return ClassTime
	case '分':
		if p.Rune(start-1) == '点' || p.Rune(start-1) == '时' {
			return ClassTime
		}
	case '点':
		if n <= 24 && (p.Rune(end+1) == '半' || p.Digit(end+1) || p.HasBefore(start, "午") || p.HasBefore(start, "晚")) {
			return ClassTime
		}
	case '季':
		return ClassPeriod
	case '个', '個':
		if p.Has(end+1, "月") || p.Has(end+1, "季") || p.Has(end+1, "交易日") {
			if p.aroundNow(start, end+2) {
				return ClassPeriod
			}
		}
		for _, what := range []string{"原因", "方面", "要点", "步骤", "因素", "风险", "问题", "建议", "选项", "情景", "例子", "部分", "理由"} {
			if p.Has(end+1, what) {
				return ClassPlace
			}
		}
	case '天', '周':
		if p.aroundNow(start, end+1) {
			return ClassPeriod
		}
	}
	return ""
}

// aroundNow reports whether a stretch of time is one counted from now, or a term:
// 过去5年, 近5年, 10年期.
func (p *scanner) aroundNow(start, end int) bool {
	for _, w := range []string{"过去", "過去", "近", "未来", "未來", "最近", "前", "后", "每", "第", "往后", "此后"} {
		if p.HasBefore(start, w) {
			return true
		}
	}
	for _, w := range []string{"期", "来", "內", "内", "前", "后", "以来", "最高", "最低", "高点", "低点", "新高", "新低", "均线", "线"} {
		if p.Has(end, w) {
			return true
		}
	}
	return false
}

// hanNoun is the word for what is counted, as far as it matters.
func (p *scanner) hanNoun(at int) string {
	if r := p.Rune(at); r == '个' || r == '個' || r == '大' || r == '条' || r == '点' {
		if p.Has(at+1, "月") {
			return "个月"
		}
		if p.Has(at+1, "季度") {
			return "季度"
		}
		if p.Has(at+1, "交易日") {
			return "交易日"
		}
		return p.Text(at+1, at+3)
	}
	for _, w := range [...]string{"交易日", "季度", "小时", "分钟", "年", "周", "天", "日", "股", "家", "只", "手"} {
		if p.Has(at, w) {
			return w
		}
	}
	return ""
}
