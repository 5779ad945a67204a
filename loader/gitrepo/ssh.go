package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"
	gitssh "github.com/go-git/go-git/v5/plumbing/transport/ssh"
	"golang.org/x/crypto/ssh"
)

// sshSession is a conversation over ssh. go-git's own cannot be ended before
// the remote has answered the first time, so one that never answers would hold
// a goroutine and a connection for each attempt.
type sshSession struct {
	conn    io.Closer // whatever blocks, ends when it is closed
	session *ssh.Session
	in      io.WriteCloser
	out     io.Reader
	stop    func() bool
}

// dialSSH connects and starts git's side. It all ends with the context.
func (r Remote) dialSSH(ctx context.Context) (session, error) {
	port := r.Port
	if port == 0 {
		port = gitssh.DefaultPort
	}
	addr := net.JoinHostPort(r.Host, strconv.Itoa(port))
	config, err := r.sshConfig(addr)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{Timeout: 15 * time.Second}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &sshSession{conn: conn, stop: context.AfterFunc(ctx, func() { _ = conn.Close() })}
	if err := s.start(conn, addr, config, r.Path); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *sshSession) start(conn net.Conn, addr string, config *ssh.ClientConfig, path string) error {
	c, channels, requests, err := ssh.NewClientConn(conn, addr, config)
	if err != nil {
		return err
	}
	client := ssh.NewClient(c, channels, requests)
	s.conn = client
	if s.session, err = client.NewSession(); err != nil {
		return err
	}
	if s.in, err = s.session.StdinPipe(); err != nil {
		return err
	}
	if s.out, err = s.session.StdoutPipe(); err != nil {
		return err
	}
	return s.session.Start("git-upload-pack '" + quote.Replace(path) + "'")
}

// quote makes a path one word of a POSIX shell, between single quotes, as
// git's sq_quote_buf does.
var quote = strings.NewReplacer(`'`, `'\''`, `!`, `'\!'`)

// sshConfig says who signs in and which host keys are known. A host that is not
// known is never spoken to.
func (r Remote) sshConfig(addr string) (*ssh.ClientConfig, error) {
	user := r.User
	if user == "" {
		user = gitssh.DefaultUsername
	}
	auth, err := r.sshAuth(user)
	if err != nil {
		return nil, err
	}
	var files []string
	if r.KnownHosts != "" {
		if _, err := os.Stat(r.KnownHosts); err != nil {
			return nil, fmt.Errorf("read the known host keys: %w", err)
		}
		files = []string{r.KnownHosts}
	}
	known, err := gitssh.NewKnownHostsDb(files...)
	if err != nil {
		return nil, fmt.Errorf("read the known host keys: %w; write the host's key into a file, checked against what its owner publishes, and name it with --known-hosts", err)
	}
	return &ssh.ClientConfig{
		User: user, Auth: []ssh.AuthMethod{auth},
		HostKeyCallback: func(host string, remote net.Addr, key ssh.PublicKey) error {
			if err := known.HostKeyCallback()(host, remote, key); err != nil {
				return fmt.Errorf("the host key of %s, %s, is not a known one: %w; check it against what the host's owner publishes, then add it to the file of --known-hosts", host, ssh.FingerprintSHA256(key), err)
			}
			return nil
		},
		HostKeyAlgorithms: known.HostKeyAlgorithms(addr),
	}, nil
}

func (r Remote) sshAuth(user string) (ssh.AuthMethod, error) {
	if r.SSHKey == "" {
		agent, err := gitssh.NewSSHAgentAuth(user)
		if err != nil {
			return nil, errors.New("no ssh agent answers: name a private key with --ssh-key, or start the agent and set SSH_AUTH_SOCK")
		}
		return ssh.PublicKeysCallback(agent.Callback), nil
	}
	raw, err := os.ReadFile(r.SSHKey)
	if err != nil {
		return nil, fmt.Errorf("read the ssh key: %w", err)
	}
	signer, err := ssh.ParsePrivateKey(raw)
	if _, locked := errors.AsType[*ssh.PassphraseMissingError](err); locked {
		return nil, fmt.Errorf("the ssh key %s has a passphrase: add it to an ssh agent and leave out --ssh-key, or use a key without one", r.SSHKey)
	} else if err != nil {
		return nil, fmt.Errorf("read the ssh key %s: %w", r.SSHKey, err)
	}
	return ssh.PublicKeys(signer), nil
}

func (s *sshSession) AdvertisedReferencesContext(context.Context) (*packp.AdvRefs, error) {
	adv := packp.NewAdvRefs()
	err := adv.Decode(io.LimitReader(s.out, maxAdvertised))
	switch {
	case errors.Is(err, packp.ErrEmptyInput):
		return nil, fmt.Errorf("%w: git's side ended without a word", transport.ErrRepositoryNotFound)
	case errors.Is(err, packp.ErrEmptyAdvRefs), err == nil && adv.IsEmpty():
		return nil, transport.ErrEmptyRemoteRepository
	case err != nil:
		return nil, err
	}
	transport.FilterUnsupportedCapabilities(adv.Capabilities)
	return adv, nil
}

// UploadPack sends the request as the pack protocol has it, and returns the
// answer up to the pack.
func (s *sshSession) UploadPack(_ context.Context, req *packp.UploadPackRequest) (*packp.UploadPackResponse, error) {
	if err := req.UploadRequest.Encode(s.in); err != nil {
		return nil, fmt.Errorf("ask for objects: %w", err)
	}
	if err := req.UploadHaves.Encode(s.in, true); err != nil {
		return nil, fmt.Errorf("ask for objects: %w", err)
	}
	if err := pktline.NewEncoder(s.in).EncodeString("done\n"); err != nil {
		return nil, fmt.Errorf("ask for objects: %w", err)
	}
	res := packp.NewUploadPackResponse(req)
	return res, res.Decode(io.NopCloser(s.out))
}

func (s *sshSession) Close() error {
	s.stop()
	err := s.conn.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
