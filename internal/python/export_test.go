package python

// ParseOutput and Literal are open to their fuzz targets.
var (
	ParseOutput = parseOutput
	Literal     = bytesLiteral
)
