package process

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
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
	// connectionMemory is the memory of an open connection in bytes.
	connectionMemory = 21 << 10
	// mostConnections is the maximum number of connections if there is no other limit.
	mostConnections = 1 << 20
	// defaultFiles is the assumed maximum number of open files if the system states none.
	defaultFiles = 1024
)

// system is the root of the file system.
var system = os.DirFS("/")

// TuneMemory sets GOGC, and GOMEMLIMIT to a part of the limit of the control group, unless the
// environment does: the Go runtime takes only the processors from there.
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

// Connections is the maximum number of open connections by what the system leaves to the process.
func Connections() int {
	return maxConnections(openFiles(), min(groupLimit(system), debug.SetMemoryLimit(-1)))
}

// maxConnections leaves free a quarter of the open files, as for reading the repository, and
// three quarters of the memory, for the content and for requests.
func maxConnections(files uint64, memory int64) int {
	return int(max(1, min(int64(min(files, mostConnections))*3/4, memory/4/connectionMemory)))
}

// groupLimit returns the memory limit of the process's control group and of those around it in bytes,
// math.MaxInt64 if there is none. In a container the path may be that outside, so that only the uppermost group
// is found.
func groupLimit(root fs.FS) int64 {
	const groups = "sys/fs/cgroup"
	limit := int64(math.MaxInt64)
	self, _ := fs.ReadFile(root, "proc/self/cgroup")
	_, group, found := strings.Cut(string(self), "0::")
	group, _, _ = strings.Cut(group, "\n")
	for dir := path.Join(groups, group); found && strings.HasPrefix(dir, groups); dir = path.Dir(dir) {
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
