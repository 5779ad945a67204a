package gitrepo

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	gitssh "github.com/go-git/go-git/v5/plumbing/transport/ssh"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"rulestore/content/i18n"
)

// dialSSH connects and starts git-upload-pack. Everything ends with the context; with go-git, a
// remote that never answers would occupy a goroutine and a connection for each attempt.
func (r Remote) dialSSH(ctx context.Context) (session, error) {
	port := r.Port
	if port == 0 {
		port = gitssh.DefaultPort
	}
	addr := net.JoinHostPort(r.Host, strconv.Itoa(port))
	signers, release, err := r.sshSigners(ctx)
	if err != nil {
		return nil, err
	}
	defer release() // signing ends with the login
	config, err := r.sshConfig(addr, signers)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{Timeout: 15 * time.Second}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // ends blocked calls
	p, err := startSSH(conn, addr, config, r.Path)
	if err != nil {
		stop()
		return nil, errors.Join(err, conn.Close())
	}
	p.stop = stop
	return &stream{p}, nil
}

func startSSH(conn net.Conn, addr string, config *ssh.ClientConfig, path string) (*sshPipe, error) {
	c, channels, requests, err := ssh.NewClientConn(conn, addr, config)
	if err != nil {
		return nil, err
	}
	client := ssh.NewClient(c, channels, requests)
	s, err := client.NewSession()
	if err != nil {
		return nil, err
	}
	in, err := s.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &sshPipe{Reader: out, Writer: in, conn: client}, s.Start("git-upload-pack '" + quote.Replace(path) + "'")
}

// sshPipe is the git-upload-pack of the remote.
type sshPipe struct {
	io.Reader
	io.Writer
	conn io.Closer
	stop func() bool
}

func (p *sshPipe) Close() error {
	p.stop()
	if err := p.conn.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// quote makes a path one word of a POSIX shell, between single quotes, as
// git's sq_quote_buf does.
var quote = strings.NewReplacer(`'`, `'\''`, `!`, `'\!'`)

// sshConfig has the login and the known host keys. Unknown hosts are refused.
func (r Remote) sshConfig(addr string, signers ssh.AuthMethod) (*ssh.ClientConfig, error) {
	var files []string
	if r.KnownHosts != "" {
		if _, err := os.Stat(r.KnownHosts); err != nil {
			return nil, i18n.Errorf("read the known host keys: %w", err)
		}
		files = []string{r.KnownHosts}
	}
	known, err := gitssh.NewKnownHostsDb(files...)
	if err != nil {
		return nil, i18n.Errorf(
			"read the known host keys: %w; write the host's key into a file, checked against what its owner "+
				"publishes, and name it with --known-hosts",
			err,
		)
	}
	return &ssh.ClientConfig{
		User: cmp.Or(r.User, gitssh.DefaultUsername), Auth: []ssh.AuthMethod{signers},
		HostKeyCallback: func(host string, remote net.Addr, key ssh.PublicKey) error {
			if err := known.HostKeyCallback()(host, remote, key); err != nil {
				return i18n.Errorf(
					"the host key of %s, %s, is not a known one: %w; check it against what the host's owner "+
						"publishes, then add it to the file of --known-hosts",
					host, ssh.FingerprintSHA256(key), err,
				)
			}
			return nil
		},
		HostKeyAlgorithms: known.HostKeyAlgorithms(addr),
	}, nil
}

// sshSigners returns the configured key, or those of the agent, whose connection ends with release
// or the context.
func (r Remote) sshSigners(ctx context.Context) (ssh.AuthMethod, func(), error) {
	if r.SSHKey == "" {
		conn, err := new(net.Dialer).DialContext(ctx, "unix", r.SSHAgent)
		if err != nil {
			return nil, nil, i18n.Errorf(
				"no ssh agent answers: name a private key with --ssh-key, or start the agent and set SSH_AUTH_SOCK",
			)
		}
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		return ssh.PublicKeysCallback(agent.NewClient(conn).Signers), func() { stop(); _ = conn.Close() }, nil
	}
	raw, err := os.ReadFile(r.SSHKey)
	if err != nil {
		return nil, nil, i18n.Errorf("read the ssh key: %w", err)
	}
	signer, err := ssh.ParsePrivateKey(raw)
	if _, locked := errors.AsType[*ssh.PassphraseMissingError](err); locked {
		return nil, nil, i18n.Errorf(
			"the ssh key %s has a passphrase: add it to an ssh agent and leave out --ssh-key, or use a key without one",
			r.SSHKey,
		)
	} else if err != nil {
		return nil, nil, i18n.Errorf("read the ssh key %s: %w", r.SSHKey, err)
	}
	return ssh.PublicKeys(signer), func() {}, nil
}
