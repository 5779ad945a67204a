package process

import (
	"net"
	"os"
	"strconv"

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

// firstSocket is the number of the first file that the manager hands over.
const firstSocket = 3

// listener returns the listener for clients if the manager has opened it, so that connections wait in it while the
// process is restarted; nil if not.
func (m manager) listener() (net.Listener, error) {
	n, err := strconv.Atoi(m.getenv("LISTEN_FDS"))
	if err != nil || n == 0 || m.getenv("LISTEN_PID") != strconv.Itoa(os.Getpid()) {
		return nil, nil
	}
	if n > 1 {
		return nil, i18n.Errorf("the service manager hands over %d sockets, expected one: that for clients", n)
	}
	file := os.NewFile(firstSocket, "clients")
	defer file.Close()
	l, err := net.FileListener(file) // a copy, which programs started from here do not inherit
	if err != nil {
		return nil, i18n.Errorf("take socket %d from the service manager: %w", firstSocket, err)
	}
	return l, nil
}
