package process

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

// manager is the service manager that started the process, by the protocols of sd_notify(3) and
// sd_listen_fds(3). Without one its methods do nothing.
type manager struct {
	getenv func(string) string // the environment with its addresses
}

// notify sends the manager a state such as "READY=1". Errors of sending are ignored.
func (m manager) notify(state string) {
	name := m.getenv("NOTIFY_SOCKET")
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

// watch tells the manager that the process is alive as often as it expects, until the context ends. alive
// blocks if the process does not respond.
func (m manager) watch(ctx context.Context, alive func()) {
	every, err := strconv.ParseInt(m.getenv("WATCHDOG_USEC"), 10, 64)
	if pid := m.getenv("WATCHDOG_PID"); err != nil || every <= 0 || pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return
	}
	m.repeat(ctx, time.Duration(every)*time.Microsecond/2, func() string { alive(); return "WATCHDOG=1" })
}

// startingEvery is how often the manager hears that the process is still starting.
const startingEvery = 15 * time.Second

// starting extends the start timeout until the context ends: a first fetch may take long, and
// longer if the remote is unavailable.
func (m manager) starting(ctx context.Context) {
	m.repeat(ctx, startingEvery, func() string {
		return fmt.Sprintf(
			"STATUS=loading the repository\nEXTEND_TIMEOUT_USEC=%d", (4 * startingEvery).Microseconds(),
		)
	})
}

// repeat sends states until the context ends.
func (m manager) repeat(ctx context.Context, every time.Duration, state func() string) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
			m.notify(state())
		}
	}
}

// firstSocket is the number of the first file that the manager hands over.
const firstSocket = 3

// The names of the sockets in FileDescriptorName=.
const (
	publicSocket = "http"
	adminSocket  = "admin"
)

// sockets returns the listeners that the manager opened, by name. A socket with another name is
// the public one.
func (m manager) sockets() (map[string]net.Listener, error) {
	n, err := strconv.Atoi(m.getenv("LISTEN_FDS"))
	if err != nil || m.getenv("LISTEN_PID") != strconv.Itoa(os.Getpid()) {
		return nil, nil
	}
	names := strings.Split(m.getenv("LISTEN_FDNAMES"), ":")
	all := map[string]net.Listener{}
	for i := range n {
		name := publicSocket
		if i < len(names) && names[i] == adminSocket {
			name = adminSocket
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
				name, adminSocket,
			)
		}
		all[name] = l
	}
	return all, nil
}
