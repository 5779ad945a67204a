// Package limits finds how much memory and how many open files the process may use. By these it
// sets the garbage collector and the maximum number of connections.
package limits

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

const (
	// loadPercent is GOGC at first, since a load makes much garbage in a short time, and
	// no other command takes long; servePercent is it for a service from then on, when
	// hardly any is made.
	loadPercent, servePercent = 200, 100
	// limitShare is the part of a container's memory above which the program collects garbage more
	// often: Go does not count all memory.
	limitShare = 0.9
)

// system is the root of the file system.
var system = os.DirFS("/")

// TuneMemory sets GOGC, and GOMEMLIMIT to a part of the limit of the control group, unless the
// environment does.
func TuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(loadPercent)
	}
	if limit := groupLimit(system); os.Getenv("GOMEMLIMIT") == "" && limit < math.MaxInt64 {
		debug.SetMemoryLimit(int64(float64(limit) * limitShare))
	}
}

// SettleMemory returns memory to the system: a first load, and compressing its result, take
// several times as much as stays in use. Pools are empty after the second collection.
func SettleMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(servePercent)
	}
	for range 2 {
		debug.FreeOSMemory()
	}
}

// memoryLimit returns the memory limit of the process in bytes, by GOMEMLIMIT or by its control
// group; math.MaxInt64 if there is none.
func memoryLimit() int64 { return min(groupLimit(system), debug.SetMemoryLimit(-1)) }

// Where control groups are found, and the limit in each of them.
const (
	groups   = "sys/fs/cgroup"
	limitV1  = "memory.limit_in_bytes"
	limitV2  = "memory.max"
	noneOfV1 = 1 << 62 // version 1 states larger values for no limit
)

// groupLimit returns the memory limit of the process's control group and of those around it in
// bytes, math.MaxInt64 if there is none. Each line of the list is ID:CONTROLLERS:PATH; version 2
// names no controllers. In a container the path may be that outside, so that only the uppermost
// group is found.
func groupLimit(root fs.FS) int64 {
	limit := int64(math.MaxInt64)
	self, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return limit
	}
	for line := range strings.Lines(string(self)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(fields) < 3:
		case fields[1] == "":
			limit = min(limit, lowestLimit(root, groups, fields[2], limitV2))
		case slices.Contains(strings.Split(fields[1], ","), "memory"):
			limit = min(limit, lowestLimit(root, groups+"/memory", fields[2], limitV1))
		}
	}
	return limit
}

// lowestLimit returns the least limit of a group and those around it.
func lowestLimit(root fs.FS, base, group, file string) int64 {
	limit := int64(math.MaxInt64)
	for dir := path.Join(base, group); dir == base || strings.HasPrefix(dir, base+"/"); dir = path.Dir(dir) {
		raw, err := fs.ReadFile(root, path.Join(dir, file))
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(raw)), 10, 64); err == nil && n < noneOfV1 { // else "max"
			limit = min(limit, n)
		}
	}
	return limit
}
