package process

import (
	"io/fs"
	"math"
	"testing"
	"testing/fstest"
)

func TestGroupLimit(t *testing.T) {
	files := func(content ...string) fs.FS {
		all := fstest.MapFS{}
		for i := 0; i < len(content); i += 2 {
			all[content[i]] = &fstest.MapFile{Data: []byte(content[i+1])}
		}
		return all
	}
	for _, test := range []struct {
		name string
		root fs.FS
		want int64
	}{
		{"no control groups", files(), math.MaxInt64},
		{"a container", files("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/memory.max", "536870912\n"), 512 << 20},
		{"without a limit", files("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/memory.max", "max\n"), math.MaxInt64},
		{"a service in a slice with less", files(
			"proc/self/cgroup", "0::/system.slice/rulestore.service\n",
			"sys/fs/cgroup/system.slice/rulestore.service/memory.max", "1000\n",
			"sys/fs/cgroup/system.slice/memory.max", "900\n"), 900},
		{"out of the tree", files("proc/self/cgroup", "0::/../..\n"), math.MaxInt64},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := groupLimit(test.root); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}

// Connections are bounded by what there is least of.
func TestMaxConnections(t *testing.T) {
	for _, test := range []struct {
		name   string
		files  uint64
		memory int64
		want   int
	}{
		{"few files", 1024, math.MaxInt64, 768},
		{"no limit of files", math.MaxUint64, math.MaxInt64, 786432},
		{"512 MiB", 1 << 20, 512 << 20, 6241},
		{"hardly any memory", 1 << 20, 1 << 10, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := maxConnections(test.files, test.memory); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}
