//go:build race

package calc

func init() { raced = true }
