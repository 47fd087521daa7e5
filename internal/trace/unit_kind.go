package trace

// UnitKind is what a number counts, as far as its unit says so.
type UnitKind string

// The kinds.
const (
	UnitPlain       UnitKind = ""
	UnitPercent     UnitKind = "%"
	UnitPoints      UnitKind = "pp" // percentage points
	UnitBasisPoints UnitKind = "bp" // basis points
	UnitMultiple    UnitKind = "x"  // 12x, 12 times, 12 倍
	UnitRatio       UnitKind = ":"  // 1:3, 3-for-1, 2/3; the value is the first by the second
)
