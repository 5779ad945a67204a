package main

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"rulestore/cmd/rulestore/internal/process"
	"rulestore/server/clients"
)

// operateFlags are the flags of the process, independent of the content.
type operateFlags struct {
	log            logFlags
	accessLog      bool
	adminAddr      string
	rate           int
	cert, key      string
	drainDelay     time.Duration
	trustedProxies []string
	origins        []string
}

func (f *operateFlags) register(flags *pflag.FlagSet) {
	f.log.register(flags)
	flags.BoolVar(&f.accessLog, "access-log", false, "log every request, without query strings, bodies and addresses")
	flags.StringVar(
		&f.adminAddr, "admin-addr", process.OperatorsDefault,
		`where to answer operators: /metrics, /livez, /readyz, /api/v1/health, /served; "off" for nowhere. Keep it `+
			`away from clients; orders need its host, an address or localhost as Host`,
	)
	flags.DurationVar(
		&f.drainDelay, "drain-delay", 0,
		"how long to go on serving after SIGTERM, while readiness says no, so that load balancers notice",
	)
	pathVar(
		flags, &f.cert, "tls-cert", "", "serve HTTPS with the certificates in this PEM file, read again when it changes",
	)
	pathVar(flags, &f.key, "tls-key", "", "the PEM file with the private key of --tls-cert")
	flags.IntVar(
		&f.rate, "rate", 0,
		"how many requests a second each address may send (of IPv6 the first 64 bits count); 0 is as many as it likes",
	)
	flags.StringSliceVar(
		&f.trustedProxies, "trusted-proxies", nil,
		"networks of proxies whose X-Forwarded-For names the client for --rate, for example 10.0.0.0/8,fd00::/8",
	)
	flags.StringSliceVar(
		&f.origins, "mcp-origins", nil,
		"the origins of web pages that may use /mcp, for example https://chat.example.org; its own always may",
	)
}

func (f operateFlags) check() error {
	switch {
	case (f.cert == "") != (f.key == ""):
		return usageErrorf("--tls-cert and --tls-key belong together: give both or neither")
	case f.rate < 0:
		return usageErrorf("--rate is a count: 0 or more")
	case f.drainDelay < 0:
		return usageErrorf("--drain-delay %s is negative", f.drainDelay)
	}
	for _, text := range f.trustedProxies {
		if _, err := netip.ParsePrefix(text); err != nil {
			return usageErrorf("--trusted-proxies %q is no network: expected for example 10.0.0.0/8", text)
		}
	}
	for _, text := range f.origins {
		if u, err := url.Parse(text); err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != text {
			return usageErrorf("--mcp-origins %q is no origin: expected for example https://chat.example.org", text)
		}
	}
	return errors.Join(checkListening("admin-addr", f.adminAddr), f.log.check())
}

// checkListening refuses an invalid address. The system reports whether this machine has it.
func checkListening(flag, addr string) error {
	if addr == "" || addr == process.NoOperators {
		return nil
	}
	_, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil || port == "" { // which would be any
		return usageErrorf(
			"--%s %q is nothing to listen on: expected HOST:PORT, for example 127.0.0.1:8080", flag, addr,
		)
	}
	return nil
}

// proxies reads --trusted-proxies, which was checked.
func (f operateFlags) proxies() (all clients.Proxies) {
	for _, text := range f.trustedProxies {
		if p, err := netip.ParsePrefix(text); err == nil {
			all = append(all, p.Masked())
		}
	}
	return all
}

// config is the configuration of the process by its flags.
func (f operateFlags) config(e *env, log *slog.Logger) process.Config {
	return process.Config{
		Build: build(), Getenv: e.getenv, Log: log, AccessLog: f.accessLog,
		Operators: process.Operators{Addr: f.adminAddr, Pprof: f.log.debug()}, Cert: f.cert, Key: f.key,
		Proxies: f.proxies(),
		Rate:    f.rate, DrainDelay: f.drainDelay,
	}
}

// logFlags are the flags of logging.
type logFlags struct {
	format, level string
}

const (
	formatFlag = "log-format"
	jsonFormat = "json"
)

// wantsJSON reports whether a command line, which may be wrong, asks for lines of JSON.
func wantsJSON(args []string, getenv func(string) string) bool {
	wanted := getenv(variable(formatFlag)) == jsonFormat
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, "--"+formatFlag+"="); ok {
			wanted = value == jsonFormat
		} else if arg == "--"+formatFlag && i+1 < len(args) {
			wanted = args[i+1] == jsonFormat
		}
	}
	return wanted
}

func (f *logFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, formatFlag, "text", "how log lines are written: text or json")
	flags.StringVar(
		&f.level, "log-level", "info",
		"the least that is logged: debug, info, warn or error; with debug, operators are answered at /debug/pprof too",
	)
}

func (f logFlags) check() error {
	if f.format != "text" && f.format != jsonFormat {
		return usageErrorf("--log-format %q: expected text or json", f.format)
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.level)); err != nil {
		return usageErrorf("--log-level %q: expected debug, info, warn or error", f.level)
	}
	return nil
}

// debug reports whether everything is logged.
func (f logFlags) debug() bool {
	var level slog.Level
	return level.UnmarshalText([]byte(f.level)) == nil && level <= slog.LevelDebug
}

// logger returns the logger that valid flags ask for.
func (f logFlags) logger(w io.Writer) *slog.Logger {
	var options slog.HandlerOptions
	var level slog.Level
	if level.UnmarshalText([]byte(f.level)) == nil {
		options.Level = level
	}
	if f.format == jsonFormat {
		options.ReplaceAttr = durationsInSeconds
		return slog.New(slog.NewJSONHandler(w, &options))
	}
	return slog.New(slog.NewTextHandler(w, &options))
}

// durationsInSeconds writes durations as numbers that programs can add up.
func durationsInSeconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		return slog.Float64(a.Key, a.Value.Duration().Seconds())
	}
	return a
}
