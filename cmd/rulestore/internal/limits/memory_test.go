package limits

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
		{"version 1", files("proc/self/cgroup", "11:memory:/a\n"), math.MaxInt64},
		{"version 1 with a limit", files(
			"proc/self/cgroup", "12:cpu,cpuacct:/a\n11:hugetlb,memory:/a/b\n1:name=systemd:/a\n",
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "2000\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1500\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"), 1500},
		{"version 1 in a container", files(
			"proc/self/cgroup", "11:memory:/docker/abc\n0::/docker/abc\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n"), 256 << 20},
		{"version 1 without a limit", files(
			"proc/self/cgroup", "11:memory:/a\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n"), math.MaxInt64},
		{"out of the tree", files("proc/self/cgroup", "0::/../..\n"), math.MaxInt64},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := groupLimit(test.root); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}
