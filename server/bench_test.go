package server_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rulestore/content/starter"
	"rulestore/loader/git"
	"rulestore/server"
	"rulestore/server/site"
)

// serverRole is the environment variable that makes a process of the test
// binary a server of a benchmark.
const serverRole = "RULESTORE_BENCHMARK_SERVER"

func TestMain(m *testing.M) {
	if role := os.Getenv(serverRole); role != "" {
		serveBenchmark(role)
		return
	}
	m.Run()
}

// starterSite is what a new repository begins with.
var starterSite = sync.OnceValue(func() *site.Site {
	return build(nil, load(must(git.ReadReleases(starter.Files))).Snapshot)
})

// connections and requests over each of them make a round.
const connections, requests = 4, 500

const benchmarked = "/api/v1/guidelines/product.common.001"

// compare has two servers take turns, and reports the medians of the processor
// time that a request costs, and of the ratio in each pair of turns: a machine that
// is slower for a while is so for both turns of a pair.
func compare(b *testing.B, ours, other *process, name string) {
	servers := []*process{ours, other}
	for range 5 { // warm up
		for _, s := range servers {
			s.load(b, requests)
		}
	}
	var costs [2][]float64 // in ns
	var ratios []float64
	for round := 0; b.Loop(); round++ {
		var cost [2]float64
		for turn := range 2 {
			i := (round + turn) % 2
			before := servers[i].used()
			servers[i].load(b, requests)
			cost[i] = float64(servers[i].used()-before) / float64(len(servers[i].conns)*requests)
			costs[i] = append(costs[i], cost[i])
		}
		ratios = append(ratios, cost[0]/cost[1])
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(costs[0]), "cpu-ns/request")
	b.ReportMetric(median(costs[1]), name+"-cpu-ns/request")
	b.ReportMetric(median(ratios), "x-"+name)
}

func median(all []float64) float64 { return slices.Sorted(slices.Values(all))[len(all)/2] }

// serveBenchmark listens, says where, and answers every line with the processor
// time that the process has used, until there are no more.
func serveBenchmark(role string) {
	handler := benchmarkHandler(role)
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	fmt.Println(l.Addr())
	go func() { panic(http.Serve(l, handler)) }()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var used syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
			panic(err)
		}
		fmt.Println(used.Utime.Nano() + used.Stime.Nano())
	}
}

// benchmarkHandler returns what a process of that role serves.
func benchmarkHandler(role string) http.Handler {
	e, settled := site.NewEncoder(), make(chan struct{})
	e.Settled = sync.OnceFunc(func() { close(settled) })
	e.Warm(starterSite())
	ctx, stop := context.WithCancel(context.Background())
	go e.Run(ctx)
	<-settled // what is asked for earlier is encoded quickly, and longer
	stop()
	c := server.Config{Sites: serving(starterSite()), Encoder: e, Log: slog.New(slog.DiscardHandler), Requests: counted}
	ours, logging := handler(c), logged(c)
	all := reads(reads("")[0].answered(ours).Header().Get("Etag"))
	switch role {
	case "rulestore":
		return ours
	case "rulestore logged":
		return logging
	}
	name, _ := strings.CutPrefix(role, "bare ")
	for _, r := range all {
		switch {
		case r.name != name:
		case r.logged:
			return bare(r.answered(logging))
		default:
			return bare(r.answered(ours))
		}
	}
	panic("nobody serves as " + role) // never ours against itself
}

// process is a server in a process of its own.
type process struct {
	role    string
	in      io.Writer
	out     *bufio.Reader
	conns   []net.Conn
	request string
	length  int                  // of an answer, known after the first
	used    func() time.Duration // the processor time that the server has used
}

func startProcess(b *testing.B, role string, connections int) *process {
	cmd := exec.CommandContext(b.Context(), must(os.Executable()))
	cmd.Env = append(os.Environ(), serverRole+"="+role)
	cmd.Stderr = os.Stderr
	in, out := must(cmd.StdinPipe()), must(cmd.StdoutPipe())
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	p := &process{role: role, in: in, out: bufio.NewReader(out)}
	p.used = func() time.Duration { return p.cpu(b) }
	p.connect(b, p.line(b), connections)
	return p
}

func (p *process) connect(b *testing.B, addr string, connections int) {
	for range connections {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { conn.Close() })
		p.conns = append(p.conns, conn)
	}
}

func (p *process) line(b *testing.B) string {
	line, err := p.out.ReadString('\n')
	if err != nil {
		b.Fatalf("the %s server: %v", p.role, err)
	}
	return strings.TrimSpace(line)
}

// cpu returns the processor time that the server has used.
func (p *process) cpu(b *testing.B) time.Duration {
	if _, err := io.WriteString(p.in, "\n"); err != nil {
		b.Fatal(err)
	}
	n, err := strconv.ParseInt(p.line(b), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(n)
}

// load sends n requests over each connection. Every answer has the same length,
// so the client need not look into it.
func (p *process) load(b *testing.B, n int) {
	if p.length == 0 {
		p.length = p.measure(b)
	}
	var wg sync.WaitGroup
	for _, conn := range p.conns {
		wg.Go(func() {
			buf := make([]byte, p.length)
			for range n {
				if _, err := io.WriteString(conn, p.request); err != nil {
					b.Error(err)
					return
				}
				if _, err := io.ReadFull(conn, buf); err != nil || !bytes.HasPrefix(buf, []byte("HTTP/1.1 ")) {
					b.Errorf("%v: %.40q", err, buf)
					return
				}
			}
		})
	}
	wg.Wait()
}

// measure returns the length of the answer to the request, as it was sent.
func (p *process) measure(b *testing.B) int {
	var all bytes.Buffer
	p.exchange(b, p.request, io.TeeReader(p.conns[0], &all))
	return all.Len()
}

func (p *process) exchange(b *testing.B, request string, from io.Reader) *http.Response {
	if _, err := io.WriteString(p.conns[0], request); err != nil {
		b.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(from), nil)
	if err != nil {
		b.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp
}
