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

// Process is this process as seen by its service manager. Without a manager its methods do
// nothing.
type Process struct {
	Getenv func(string) string // the environment with the manager's addresses
}

// Notify sends the manager a state such as "READY=1". Errors of sending are ignored.
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

// Watch sends the watchdog notifications that the manager expects until the context ends. alive
// blocks if the process does not respond.
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

// Starting extends the start timeout until the context ends: a first fetch may take long, and
// longer if the remote is unavailable.
func (p Process) Starting(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(startingEvery):
		}
		p.Notify(fmt.Sprintf(
			"STATUS=loading the repository\nEXTEND_TIMEOUT_USEC=%d", (4 * startingEvery).Microseconds(),
		))
	}
}

// firstSocket is the number of the first file that the manager hands over.
const firstSocket = 3

// The names of the sockets in FileDescriptorName=.
const (
	PublicSocket = "http"
	AdminSocket  = "admin"
)

// Sockets returns the listeners that the manager opened, by name. A socket with another name is
// the public one.
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
				"the service manager hands over two sockets for %s: name the one for operators with "+
					"FileDescriptorName=%s",
				name, AdminSocket,
			)
		}
		all[name] = l
	}
	return all, nil
}
