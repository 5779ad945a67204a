package clients_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"rulestore/server/clients"
)

// served is a server under test, whose connections and bodies are bounded.
type served struct {
	*testing.T
	*clients.Listener
	entered chan string // the paths of requests that handlers have begun with
}

// serve starts a server that answers what it was sent; at /wait it never does.
func serve(t *testing.T, connections, bodies int, proxies ...netip.Prefix) *served {
	t.Helper()
	return serveWithin(
		t, clients.Limits{Connections: connections, Client: connections, Waiting: 16, Headers: time.Minute}, bodies,
		proxies...,
	)
}

func serveWithin(t *testing.T, limits clients.Limits, bodies int, proxies ...netip.Prefix) *served {
	t.Helper()
	beneath, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &served{t, clients.Limit(beneath, limits, proxies), make(chan string, 1000)}
	answer := func(w http.ResponseWriter, r *http.Request) {
		s.entered <- r.URL.Path
		if r.URL.Path == "/unread" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		body, err := io.ReadAll(r.Body)
		switch {
		case err == clients.ErrBusy:
			w.WriteHeader(http.StatusServiceUnavailable)
		case err != nil:
			w.WriteHeader(http.StatusRequestTimeout)
		case r.URL.Path == "/wait":
			<-r.Context().Done()
		default:
			_, _ = w.Write(body)
		}
	}
	const timeout = time.Minute
	srv := &http.Server{
		Handler:     clients.NewBodies(bodies, timeout, proxies).Handler(http.HandlerFunc(answer)),
		ReadTimeout: timeout, ConnState: s.ConnState, ConnContext: s.ConnContext,
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(s) }()
	t.Cleanup(func() {
		_ = srv.Close()
		<-done
	})
	return s
}

// client is one end of a connection.
type client struct {
	net.Conn
	answers *bufio.Reader
}

// dial connects from an address of this machine.
func (s *served) dial(from string) *client {
	s.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := d.DialContext(s.Context(), "tcp", s.Addr().String())
	if err != nil {
		s.Skip(from, "is not of this machine:", err)
	}
	s.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	return &client{c, bufio.NewReader(c)}
}

// send sends the beginning of a request, or all of it.
func (s *served) send(c *client, text string) {
	s.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		s.Error(err)
	}
}

// status returns that of the next answer; 0 means that the connection is closed.
func status(c *client) int {
	res, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

const (
	whole    = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	waits    = "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"
	half     = "GET / HTTP/1.1\r\nHos"
	slowPost = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx"
	unread   = "POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx"
)

// begin has a client open so many connections that do something.
func (s *served) begin(from, request string, n int) (all []*client) {
	s.Helper()
	for range n {
		c := s.dial(from)
		s.send(c, request)
		if request != half {
			<-s.entered
		}
		if request == whole && status(c) != http.StatusOK {
			s.Fatal("not answered")
		}
		all = append(all, c)
	}
	s.await("the connections", func() bool { return s.Open() >= n })
	return all
}

// await waits until something is so.
func (s *served) await(what string, so func() bool) {
	s.Helper()
	for deadline := time.Now().Add(3 * time.Minute); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			s.Fatalf("%s: not within three minutes", what)
		}
	}
}

// Whatever one client does with all connections, others are answered at once; and so
// is it itself, unless all it does is being waited for.
func TestListenerMakesRoom(t *testing.T) {
	const most = 8
	for name, request := range map[string]string{"idle": whole, "slow headers": half, "slow bodies": slowPost,
		"bodies that nobody reads": unread, "long answers": waits} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, most, most)
			s.begin("127.0.0.1", request, most)
			for range 3 {
				other := s.dial("127.0.0.2")
				s.send(other, whole)
				if got := status(other); got != http.StatusOK {
					t.Errorf("another client gets %d", got)
				}
			}
			if got := s.Open(); got > most {
				t.Errorf("%d connections are open", got)
			}
			if s.Shed() < 3 && request != unread {
				t.Errorf("%d were closed to make room", s.Shed())
			}
			if request == waits {
				return
			}
			same := s.dial("127.0.0.1")
			s.send(same, whole)
			if got := status(same); got != http.StatusOK {
				t.Errorf("the same client gets %d", got)
			}
		})
	}
}

// Who asks for more while all its connections are busy waits for one of them, and is
// answered then; meanwhile others are.
func TestListenerWaits(t *testing.T) {
	const most = 4
	s := serve(t, most, most)
	busy := s.begin("127.0.0.1", waits, 2)
	s.begin("127.0.0.2", waits, 2)
	late := s.dial("127.0.0.1")
	s.send(late, whole)
	other := s.dial("127.0.0.3")
	s.send(other, waits)
	if path := <-s.entered; path != "/wait" {
		t.Errorf("%s is answered first", path)
	}
	if got := status(busy[0]); got != 0 {
		t.Errorf("who made room for another client gets %d", got)
	}
	_ = busy[1].Close()
	if got := status(late); got != http.StatusOK {
		t.Errorf("who waited gets %d", got)
	}
}

// There is an end to who may wait, since it takes a file too.
func TestListenerIsFull(t *testing.T) {
	s := serve(t, 1, 1)
	s.begin("127.0.0.1", waits, 1)
	var all []*client
	for range 5 {
		all = append(all, s.dial("127.0.0.1"))
	}
	if got := status(all[4]); got != 0 {
		t.Errorf("one more than may wait gets %d", got)
	}
}

// A proxy that was named is nobody in particular: its connections are not closed for
// being many, while it is waited for.
func TestListenerBehindProxy(t *testing.T) {
	const most = 4
	s := serve(t, most, most, netip.MustParsePrefix("127.0.0.1/32"))
	busy := s.begin("127.0.0.1", waits, most-1)
	for range 5 {
		other := s.dial("127.0.0.2")
		s.send(other, whole)
		if got := status(other); got != http.StatusOK {
			t.Errorf("another client gets %d", got)
		}
	}
	for i, c := range busy {
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		if _, err := c.answers.Peek(1); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("connection %d of the proxy was closed: %v", i, err)
		}
	}
}

// When the listener is closed, so is what waits.
func TestListenerCloses(t *testing.T) {
	s := serve(t, 1, 1)
	s.begin("127.0.0.1", waits, 1)
	late := s.dial("127.0.0.1")
	s.send(late, whole)
	_ = s.Close()
	if got := status(late); got != 0 {
		t.Errorf("who waited gets %d", got)
	}
	if _, err := s.Accept(); err == nil {
		t.Error("connections are accepted still")
	}
}

// Bodies of one client that do not come leave room for those of others, and in the end
// for its own; they are told.
func TestBodies(t *testing.T) {
	const most = 4
	s := serve(t, 100, most)
	slow := s.begin("127.0.0.1", slowPost, most)
	post := func(from string) int {
		c := s.dial(from)
		s.send(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
		return status(c)
	}
	if got := post("127.0.0.2"); got != http.StatusOK {
		t.Errorf("another client gets %d", got)
	}
	if got := status(slow[0]); got != http.StatusRequestTimeout {
		t.Errorf("who made room is told %d", got)
	}
	for i := 0; i < 100; i++ {
		if got := post("127.0.0.1"); got == http.StatusOK {
			break
		} else if got != http.StatusServiceUnavailable {
			t.Fatalf("the same client gets %d", got)
		}
		time.Sleep(50 * time.Millisecond) // until what it began is slow
	}
	if got := post("127.0.0.1"); got != http.StatusOK {
		t.Errorf("the same client gets %d in the end", got)
	}
}

// What is answered holds no place of a body, nor does what is refused unread.
func TestBodiesThatArrived(t *testing.T) {
	s := serve(t, 100, 2)
	const waiting = "POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
	s.begin("127.0.0.1", waiting, 5)
	for i := range 5 {
		c := s.dial("127.0.0.1")
		s.send(c, strings.Replace(unread, "100", fmt.Sprint(1+i), 1)+strings.Repeat("x", i))
		if got := status(c); got != http.StatusTeapot {
			t.Errorf("got %d", got)
		}
	}
	for range 5 {
		c := s.dial("127.0.0.1")
		for range 2 { // the deadline of one body is not that of the next request
			s.send(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
			if got := status(c); got != http.StatusOK {
				t.Errorf("got %d", got)
			}
		}
	}
}

// A listener that was stopped takes nobody more, and everybody whom it took.
func TestStop(t *testing.T) {
	s := serve(t, 1, 10)
	first := s.begin("127.0.0.1", waits, 1)[0]
	second := s.dial("127.0.0.2")
	s.send(second, whole)
	stopped := make(chan struct{})
	go func() { defer close(stopped); s.Stop(t.Context()) }()
	for {
		c, err := net.Dial("tcp", s.Addr().String())
		if err != nil {
			break
		}
		_ = c.Close()
	}
	if s.Quiet() {
		t.Error("an answer is under way")
	}
	_ = first.Close()
	if got := status(second); got != http.StatusOK {
		t.Errorf("who waited: %d", got)
	}
	<-stopped
	_ = second.Close()
	s.await("the end of all", func() bool { return s.Quiet() && s.Open() == 0 })
}

// One client has no more than its share while others are away, and its own slow
// connections make room for its new ones.
func TestShareOfOneClient(t *testing.T) {
	s := serveWithin(t, clients.Limits{Connections: 10, Client: 3, Waiting: 16, Headers: time.Minute}, 10)
	slow := s.begin("127.0.0.1", half, 3)
	last := s.dial("127.0.0.1")
	s.send(last, whole)
	if got := status(last); got != http.StatusOK {
		t.Errorf("a request beyond the share: %d", got)
	}
	if got := status(slow[0]); got != 0 {
		t.Errorf("the slowest goes on: %d", got)
	}
	if s.Open() > 3 {
		t.Errorf("%d are open", s.Open())
	}
}
