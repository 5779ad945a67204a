//go:build !linux

package life

import (
	"errors"
	"net"
)

// ignoreNew would make the system ignore new connections to a listener.
func ignoreNew(net.Listener) error { return errors.ErrUnsupported }

// nobodyWaits would report whether no connection waits to be accepted.
func nobodyWaits(net.Listener) bool { return true }
