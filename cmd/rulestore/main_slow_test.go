//go:build slow

package main

import "testing"

func TestSlowScripts(t *testing.T) { runScripts(t, "testdata/slow") }
