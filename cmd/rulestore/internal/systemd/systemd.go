// Package systemd communicates with the service manager that started the process, by the
// protocols of sd_notify(3) and sd_listen_fds(3).
package systemd

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"rulestore/content/i18n"
)

// Process is this process, as its service manager knows it. Without a manager it says
// nothing to anybody.
type Process struct {
	Getenv func(string) string // where the manager tells the process how to reach it
}

// Notify tells the manager a state such as "READY=1". It is no error of ours if
// nobody listens.
func (p Process) Notify(state string) {
	name := p.Getenv("NOTIFY_SOCKET")
	if name == "" {
		return
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"}) // "@" is an abstract name
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = conn.Write([]byte(state))
}

// Watch tells the manager that the process is alive, as often as it wants to
// hear that, until the context ends. alive blocks if it is not.
func (p Process) Watch(ctx context.Context, alive func()) {
	every, err := strconv.ParseInt(p.Getenv("WATCHDOG_USEC"), 10, 64)
	if pid := p.Getenv("WATCHDOG_PID"); err != nil || every <= 0 || pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(every) * time.Microsecond / 2):
			alive()
			p.Notify("WATCHDOG=1")
		}
	}
}

// startingEvery is how often the manager hears that the process is still starting.
const startingEvery = 15 * time.Second

// Starting asks the manager for patience until the context ends: a first fetch may take
// long, and a repository that is away may take longer.
func (p Process) Starting(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(startingEvery):
		}
		p.Notify(fmt.Sprintf("STATUS=loading the repository\nEXTEND_TIMEOUT_USEC=%d", (4 * startingEvery).Microseconds()))
	}
}

// firstSocket is the number of the first file that the manager hands over.
const firstSocket = 3

// The names of the sockets, as FileDescriptorName= gives them.
const (
	PublicSocket = "http"
	AdminSocket  = "admin"
)

// Sockets returns the listeners that the manager opened, by name. One that goes
// by another name is the public one.
func (p Process) Sockets() (map[string]net.Listener, error) {
	n, err := strconv.Atoi(p.Getenv("LISTEN_FDS"))
	if err != nil || p.Getenv("LISTEN_PID") != strconv.Itoa(os.Getpid()) {
		return nil, nil
	}
	names := strings.Split(p.Getenv("LISTEN_FDNAMES"), ":")
	all := map[string]net.Listener{}
	for i := range n {
		name := PublicSocket
		if i < len(names) && names[i] == AdminSocket {
			name = AdminSocket
		}
		file := os.NewFile(uintptr(firstSocket+i), name)
		l, err := net.FileListener(file) // a copy, which programs started from here do not inherit
		_ = file.Close()
		if err != nil {
			return nil, i18n.Errorf("take socket %d from the service manager: %w", firstSocket+i, err)
		}
		if all[name] != nil {
			return nil, i18n.Errorf(
				"the service manager hands over two sockets for %s: name the one for operators with FileDescriptorName=%s",
				name, AdminSocket,
			)
		}
		all[name] = l
	}
	return all, nil
}
