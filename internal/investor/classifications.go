package investor

// Aim is what money is for.
type Aim string

// Aims of investing.
const (
	AimGrowth       Aim = "growth"
	AimIncome       Aim = "income"
	AimPreservation Aim = "preservation"
	AimRetirement   Aim = "retirement"
	AimHome         Aim = "home"
	AimEducation    Aim = "education"
	AimReserve      Aim = "reserve"
	AimOther        Aim = "other"
)

// Aims lists them all.
func Aims() []Aim {
	return []Aim{AimGrowth, AimIncome, AimPreservation, AimRetirement, AimHome, AimEducation, AimReserve, AimOther}
}

// Experience is how much investing the user has done.
type Experience string

// Degrees of experience. Empty is not known.
const (
	ExperienceNone         Experience = "none"
	ExperienceSome         Experience = "some"
	ExperienceMuch         Experience = "much"
	ExperienceProfessional Experience = "professional"
)

// Factor is what a question belongs to: one of the nine factors of suitability, or
// the limits.
type Factor string

// Factors, in the order in which they are asked.
const (
	FactorAge        Factor = "age"
	FactorFinances   Factor = "financial situation"
	FactorTax        Factor = "tax status"
	FactorObjectives Factor = "objectives"
	FactorExperience Factor = "experience"
	FactorHorizon    Factor = "horizon"
	FactorLiquidity  Factor = "liquidity needs"
	FactorTolerance  Factor = "risk tolerance"
	FactorOthers     Factor = "other investments"
	FactorLimits     Factor = "limits"
)
