//go:build !linux

package python_test

const limitsMemory = false
