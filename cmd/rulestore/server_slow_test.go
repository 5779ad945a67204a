//go:build slow

package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
)

// starterRepository is what init makes, once for all tests, which only read it.
var starterRepository = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(shared, "starter")
	var out bytes.Buffer
	if err := run(
		context.Background(), []string{"init", dir}, func(string) string { return "" }, nil, &out, &out,
	); err != nil {
		return "", fmt.Errorf("init: %w\n%s", err, out.String())
	}
	return dir, nil
})

// newServed makes a bare repository of the starter content, and a clone of it.
func newServed(t *testing.T) (bare string, a *clone) {
	t.Helper()
	return served(t, starterRepository)
}
