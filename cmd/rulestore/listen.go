package main

import "net"

// defaultFiles is what is assumed where the system does not say how many files
// may be open.
const defaultFiles = 1024

// maxConnections leaves a quarter of the files that the process may open for
// everything but connections: without any, the repository could not be read.
func maxConnections() int { return int(min(openFiles(), 1<<20)) / 4 * 3 }

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
