package main

import (
	"bytes"
	"io/fs"
	"math"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

const (
	// loadPercent is GOGC during the first load, which makes much garbage in a short
	// time; servePercent is it from then on, when hardly any is made.
	loadPercent, servePercent = 200, 100
	// limitShare is how much of a container's memory the program takes before it
	// collects garbage more often: the rest is for what Go does not count.
	limitShare = 0.9
)

// tuneMemory sets what the environment does not: GOGC, and GOMEMLIMIT to most
// of what the control group allows. root is the root of the file system.
func tuneMemory(getenv func(string) string, root fs.FS) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(loadPercent)
	}
	if limit := groupLimit(root); getenv("GOMEMLIMIT") == "" && limit < math.MaxInt64 {
		debug.SetMemoryLimit(int64(float64(limit) * limitShare))
	}
}

// settleMemory returns memory to the system: a first load, and compressing what
// came of it, take several times what stays. Pools are empty after a second time.
func settleMemory(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(servePercent)
	}
	for range 2 {
		debug.FreeOSMemory()
	}
}

// groupLimit returns how many bytes the control group of the process and those
// around it allow (cgroup v2), math.MaxInt64 if as many as there are.
func groupLimit(root fs.FS) int64 {
	limit := int64(math.MaxInt64)
	self, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return limit
	}
	group, ok := strings.CutPrefix(strings.TrimSpace(string(self)), "0::")
	if !ok {
		return limit
	}
	const base = "sys/fs/cgroup"
	for dir := path.Join(base, group); strings.HasPrefix(dir, base); dir = path.Dir(dir) {
		raw, err := fs.ReadFile(root, path.Join(dir, "memory.max"))
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(raw)), 10, 64); err == nil { // else "max"
			limit = min(limit, n)
		}
	}
	return limit
}
