package life

import (
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// withoutSYN keeps what is a SYN and no ACK from a socket: byte 13 of a TCP header has
// the flags.
var withoutSYN = []unix.SockFilter{
	{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: 13},
	{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: 0x12},
	{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 0, Jf: 1, K: 0x02},
	{Code: unix.BPF_RET | unix.BPF_K, K: 0},
	{Code: unix.BPF_RET | unix.BPF_K, K: 1<<32 - 1},
}

// ignoreNew has the system ignore who wants to connect to a listener from now on, while
// connections that are being made are made. Closing a listener would reset all that
// nobody has accepted yet, requests included.
func ignoreNew(l net.Listener) error {
	filter := unix.SockFprog{Len: uint16(len(withoutSYN)), Filter: &withoutSYN[0]}
	return onSocket(l, func(fd int) error {
		return unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &filter)
	})
}

// nobodyWaits reports whether no connection that was made waits to be accepted, which for
// a listener is what TCP_INFO has as unacknowledged.
func nobodyWaits(l net.Listener) bool {
	waiting := uint32(0)
	err := onSocket(l, func(fd int) error {
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		if err == nil {
			waiting = info.Unacked
		}
		return err
	})
	return err != nil || waiting == 0
}

// onSocket does something with the socket of a listener.
func onSocket(l net.Listener, do func(fd int) error) error {
	socket, ok := l.(syscall.Conn)
	if !ok {
		return errors.ErrUnsupported
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = do(int(fd)) })
	return errors.Join(err, failed)
}
