//go:build slow

package loader_test

import "testing"

// More histories than there is time for every day.
func TestWhichLineCountsAtLength(t *testing.T) { linesAtRandom(t, 3, 40) }
