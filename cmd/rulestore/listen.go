package main

import (
	"context"
	"net"
)

// listen opens a listener for clients. It is of plain TCP: of one that could also speak
// Multipath TCP no connection can be kept away, which [ignoreNew] does.
func listen(addr string) (net.Listener, error) {
	var c net.ListenConfig
	c.SetMultipathTCP(false)
	return c.Listen(context.Background(), "tcp", addr)
}

// defaultFiles is what is assumed where the system does not say how many files
// may be open.
const defaultFiles = 1024

const (
	// connectionMemory is how much memory an open connection takes, in bytes.
	connectionMemory = 21 << 10
	// mostConnections is how many there may be where nothing else bounds them.
	mostConnections = 1 << 20
)

// maxConnections is how many connections may be open: of the files that may be open a
// quarter is left for everything else, without which the repository could not be read, and
// of the memory three quarters, for the content and for what connections ask for.
func maxConnections(files uint64, memory int64) int {
	return int(max(1, min(int64(min(files, mostConnections))*3/4, memory/4/connectionMemory)))
}

// maxWaiting is how many connections more may wait for one of those to be closed.
func maxWaiting() int { return int(min(openFiles()/8, 1024)) }

// ownURL returns the address of a listener as programs on this machine can use it.
func ownURL(addr string, secure bool) string {
	if port, ok := everywhere(addr); ok {
		addr = net.JoinHostPort("localhost", port)
	}
	if secure {
		return "https://" + addr
	}
	return "http://" + addr
}

// everywhere says whether an address stands for every one that the machine has:
// nobody can connect to that.
func everywhere(addr string) (port string, ok bool) {
	host, port, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return port, err == nil && (host == "" || ip != nil && ip.IsUnspecified())
}
