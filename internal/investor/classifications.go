package investor

// Class is what an asset is a claim on.
type Class string

// Classes of asset.
const (
	ClassEquity     Class = "equity"
	ClassBond       Class = "bond"
	ClassCash       Class = "cash" // and what is held in its place: money market funds
	ClassRealEstate Class = "real_estate"
	ClassCommodity  Class = "commodity"
	ClassCrypto     Class = "crypto"
	ClassMixed      Class = "mixed" // funds of several classes
	ClassOther      Class = "other"
)

// Classes lists them all.
func Classes() []Class {
	return []Class{ClassEquity, ClassBond, ClassCash, ClassRealEstate, ClassCommodity, ClassCrypto, ClassMixed, ClassOther}
}

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
