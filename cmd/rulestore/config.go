package main

import (
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"rulestore/cmd/rulestore/internal/process"
	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/server/clients"
)

// config is what flags, variables and defaults say to serve, and to the commands that read what it would serve. Other
// commands have some of the flags; the rest have their defaults. What a flag does is told by its help.
type config struct {
	repo, ref, signers string
	shown              string // repo as it was given
	checkOnly          bool   // nothing is fetched or served
	drafts             bool
	poll, staleAfter   time.Duration

	addr, baseURL, adminAddr string
	cert, key                string
	rate                     int
	trustedProxies, origins  []string
	drainDelay               time.Duration

	cacheDir, passwordFile         string
	sshKey, knownHosts             string
	webhookAddr, webhookSecretFile string
	maxLoss                        string

	logFormat, logLevel string
	accessLog           bool
}

// defaultAddr is the default listen address.
const defaultAddr = "127.0.0.1:8080"

const (
	logFormatFlag = "log-format"
	jsonFormat    = "json"
)

// allLosses means that no state is held back.
const allLosses = "all"

// Flags that several commands have.
var (
	contentFlags = []string{
		"repo", "ref", "base-url", "drafts", "poll", "cache-dir", "git-password-file", "ssh-key", "known-hosts",
		"max-loss", "trusted-signers",
	}
	logFlags = []string{logFormatFlag, "log-level"}
)

// flags adds some of the flags of serve to those of a command, and gives all their defaults.
func (c *config) flags(to *pflag.FlagSet, names ...string) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.StringVar(&c.repo, "repo", "", "")
	all.StringVar(&c.ref, "ref", "", "")
	pathVar(all, &c.signers, "trusted-signers", "")
	all.BoolVar(&c.drafts, "drafts", false, "")
	all.DurationVar(&c.poll, "poll", 30*time.Second, "")
	all.DurationVar(&c.staleAfter, "stale-after", 0, "")
	all.StringVar(&c.addr, "addr", defaultAddr, "")
	all.StringVar(&c.baseURL, "base-url", "", "")
	all.StringVar(&c.adminAddr, "admin-addr", process.OperatorsDefault, "")
	pathVar(all, &c.cert, "tls-cert", "")
	pathVar(all, &c.key, "tls-key", "")
	all.IntVar(&c.rate, "rate", 0, "")
	all.StringSliceVar(&c.trustedProxies, "trusted-proxies", nil, "")
	all.StringSliceVar(&c.origins, "mcp-origins", nil, "")
	all.DurationVar(&c.drainDelay, "drain-delay", 0, "")
	pathVar(all, &c.cacheDir, "cache-dir", "")
	pathVar(all, &c.passwordFile, "git-password-file", "")
	pathVar(all, &c.sshKey, "ssh-key", "")
	pathVar(all, &c.knownHosts, "known-hosts", "")
	all.StringVar(&c.webhookAddr, "webhook-addr", "", "")
	pathVar(all, &c.webhookSecretFile, "webhook-secret-file", "")
	all.StringVar(&c.maxLoss, "max-loss", "", "")
	choiceVar(all, &c.logFormat, logFormatFlag, "text", "text", jsonFormat)
	choiceVar(all, &c.logLevel, "log-level", "info", "debug", "info", "warn", "error")
	all.BoolVar(&c.accessLog, "access-log", false, "")
	for _, name := range names {
		f := all.Lookup(name)
		f.Usage = helps["serve"].Flags[name].in(nil)
		to.AddFlag(f)
	}
}

// check says what is wrong with the configuration, without a look at the machine, and resolves the repository.
func (c *config) check(e *env) error {
	c.repo, c.shown = e.path(c.repo), c.repo
	remote := git.IsAddress(c.repo)
	switch {
	case c.poll < time.Second:
		return usageErrorf("--poll %s is too short: at least 1s", c.poll)
	case c.staleAfter != 0 && c.staleAfter < 2*c.poll:
		return usageErrorf("--stale-after %s is too short: at least twice --poll, %s", c.staleAfter, 2*c.poll)
	case c.webhookSecretFile != "" && c.webhookAddr == "":
		return usageErrorf("--webhook-secret-file needs --webhook-addr: without it nothing listens for webhooks")
	case !remote && c.maxLoss != "":
		return usageErrorf("--max-loss is for a --repo elsewhere, of which there is a copy to go on with")
	case !remote && c.webhookAddr != "":
		return usageErrorf("--webhook-addr is for a --repo elsewhere: changes on this machine are noticed anyway")
	case c.signers != "" && c.repo == "":
		return usageErrorf("--trusted-signers is for a --repo: the starter content came with the program")
	case c.signers != "" && c.drafts:
		return usageErrorf("--drafts serves what nobody has signed: leave it out, or --trusted-signers")
	case (c.cert == "") != (c.key == ""):
		return usageErrorf("--tls-cert and --tls-key belong together: give both or neither")
	case c.rate < 0:
		return usageErrorf("--rate is a count: 0 or more")
	case c.drainDelay < 0:
		return usageErrorf("--drain-delay %s is negative", c.drainDelay)
	}
	return c.checkAddresses(remote)
}

// checkAddresses says what is wrong with addresses and networks.
func (c *config) checkAddresses(remote bool) error {
	for _, listen := range []struct{ flag, addr string }{
		{"addr", c.addr}, {"admin-addr", c.adminAddr}, {"webhook-addr", c.webhookAddr},
	} {
		if listen.addr != "" && listen.addr != process.NoOperators && !canListen(listen.addr) {
			return usageErrorf(
				"--%s %q is nothing to listen on: expected HOST:PORT, for example 127.0.0.1:8080",
				listen.flag, listen.addr,
			)
		}
	}
	if _, err := git.ParseAddress(c.repo); remote && err != nil {
		return usageErrorf("--repo: %w", err)
	}
	if n, err := strconv.Atoi(c.maxLoss); c.maxLoss != "" && c.maxLoss != allLosses && (err != nil || n < 0) {
		return usageErrorf("--max-loss %q: expected a number of publications, or all", c.maxLoss)
	}
	if u, ok := serverAddress(c.baseURL); c.baseURL != "" && (!ok || u.User != nil) {
		return usageErrorf("--base-url %q is no address: expected for example https://rules.example.org", c.baseURL)
	}
	for _, text := range c.trustedProxies {
		if _, err := netip.ParsePrefix(text); err != nil {
			return usageErrorf("--trusted-proxies %q is no network: expected for example 10.0.0.0/8", text)
		}
	}
	for _, text := range c.origins {
		if u, err := url.Parse(text); err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != text {
			return usageErrorf("--mcp-origins %q is no origin: expected for example https://chat.example.org", text)
		}
	}
	return nil
}

// serverAddress reads the address of a server; not ok if it is none.
func serverAddress(text string) (u *url.URL, ok bool) {
	u, err := url.Parse(text)
	return u, err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" &&
		u.Fragment == ""
}

// canListen reports whether an address is valid. The system reports whether this machine has it.
func canListen(addr string) bool {
	_, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	return err == nil && port != "" // which would be any
}

// lossLimit is the maximum number of lost publications, below 0 unlimited.
func (c *config) lossLimit() int {
	if c.maxLoss == allLosses {
		return -1
	}
	n, _ := strconv.Atoi(c.maxLoss) // it was checked
	return n
}

// process is the configuration of the process.
func (c *config) process(e *env, log *slog.Logger, secret string) process.Config {
	var proxies clients.Proxies
	for _, text := range c.trustedProxies {
		if p, err := netip.ParsePrefix(text); err == nil { // it was checked
			proxies = append(proxies, p.Masked())
		}
	}
	return process.Config{
		Build: build(), Getenv: e.getenv, Log: log, AccessLog: c.accessLog, Addr: c.addr,
		Operators: process.Operators{Addr: c.adminAddr, Pprof: c.level() == slog.LevelDebug},
		Webhooks:  process.Webhooks{Addr: c.webhookAddr, Secret: secret},
		Cert:      c.cert, Key: c.key, Proxies: proxies, Rate: c.rate, DrainDelay: c.drainDelay,
	}
}

// contentName names the served content.
func (c *config) contentName() i18n.Text {
	if c.repo == "" {
		return i18n.New("the starter content")
	}
	return i18n.New("%s", c.shown)
}

// publicURL returns the base URL without a trailing slash, or the default.
func (c *config) publicURL(s content.Settings, otherwise string) string {
	switch {
	case c.baseURL != "":
		return strings.TrimRight(c.baseURL, "/")
	case s.CanonicalBaseURL != "":
		return s.CanonicalBaseURL
	}
	return otherwise
}

func (c *config) level() (level slog.Level) {
	_ = level.UnmarshalText([]byte(c.logLevel)) // one of the choices
	return level
}

// logger returns the logger for a stream.
func (c *config) logger(w io.Writer) *slog.Logger {
	if c.logFormat == jsonFormat {
		return jsonLogger(w, c.level())
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: c.level()}))
}

// jsonLogger writes lines of JSON, with durations as numbers that programs can add up.
func jsonLogger(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{
		Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Value.Kind() == slog.KindDuration {
				return slog.Float64(a.Key, a.Value.Duration().Seconds())
			}
			return a
		},
	}))
}

// wantsJSON reports whether a command line, which may be wrong, asks for lines of JSON.
func wantsJSON(args []string, getenv func(string) string) bool {
	wanted := getenv(variable(logFormatFlag)) == jsonFormat
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, "--"+logFormatFlag+"="); ok {
			wanted = value == jsonFormat
		} else if arg == "--"+logFormatFlag && i+1 < len(args) {
			wanted = args[i+1] == jsonFormat
		}
	}
	return wanted
}
