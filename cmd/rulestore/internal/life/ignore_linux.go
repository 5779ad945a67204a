package life

import (
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// withoutSYN is a filter that drops segments with SYN and without ACK: byte 13 of a TCP header has
// the flags.
var withoutSYN = []unix.SockFilter{
	{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: 13},
	{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: 0x12},
	{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 0, Jf: 1, K: 0x02},
	{Code: unix.BPF_RET | unix.BPF_K, K: 0},
	{Code: unix.BPF_RET | unix.BPF_K, K: 1<<32 - 1},
}

// ignoreNew makes the system ignore new connections to a listener, while those being established
// are completed. Closing a listener would reset all that were not accepted yet, with their
// requests.
func ignoreNew(l net.Listener) error {
	filter := unix.SockFprog{Len: uint16(len(withoutSYN)), Filter: &withoutSYN[0]}
	return onSocket(l, func(fd int) error {
		return unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &filter)
	})
}

// nobodyWaits reports whether no established connection waits to be accepted; for a listener
// TCP_INFO has their number as unacknowledged.
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

// onSocket calls a function with the socket of a listener.
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
