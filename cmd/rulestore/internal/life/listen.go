package life

import (
	"context"
	"net"
)

// listen opens a listener for clients, without Multipath TCP: [ignoreNew] has no effect on its
// connections.
func listen(addr string) (net.Listener, error) {
	var c net.ListenConfig
	c.SetMultipathTCP(false)
	return c.Listen(context.Background(), "tcp", addr)
}

// URL returns the address of a listener for programs on this machine.
func URL(addr string, secure bool) string {
	if port, ok := everywhere(addr); ok {
		addr = net.JoinHostPort("localhost", port)
	}
	if secure {
		return "https://" + addr
	}
	return "http://" + addr
}

// everywhere reports whether an address is that of all interfaces, to which nothing can connect.
func everywhere(addr string) (port string, ok bool) {
	host, port, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return port, err == nil && (host == "" || ip != nil && ip.IsUnspecified())
}
