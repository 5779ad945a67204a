package git

// In the tests of this package a few commits are a stretch of history.
func init() { rangeSize = 3 }
