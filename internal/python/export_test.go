package python

// ParseOutput and Literal are exported to fuzz tests.
var (
	ParseOutput = parseOutput
	Literal     = bytesLiteral
)
