package process

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"rulestore/content/i18n"
)

// certificate is a TLS certificate that follows its files when they are replaced on renewal. nil means no TLS.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger
	current           atomic.Pointer[tls.Certificate]

	mu        sync.Mutex
	cert, key []byte // what the files held when they were last read
}

// loadCertificate reads PEM files with a chain and with its private key. It returns nil if no file is named.
func loadCertificate(certFile, keyFile string, log *slog.Logger) (*certificate, error) {
	if certFile == "" {
		return nil, nil
	}
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log}
	if _, err := c.read(); err != nil {
		return nil, i18n.Errorf("read the TLS certificate: %w", err)
	}
	return c, nil
}

// read reads the files, and reports whether they have changed. What does not fit
// together, as while files are being replaced, changes nothing.
func (c *certificate) read() (changed bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cert, noCert := os.ReadFile(c.certFile)
	key, noKey := os.ReadFile(c.keyFile)
	if err := errors.Join(noCert, noKey); err != nil {
		return false, err
	}
	if bytes.Equal(cert, c.cert) && bytes.Equal(key, c.key) {
		return false, nil
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return false, i18n.Errorf("%s with %s: %w", c.certFile, c.keyFile, err)
	}
	c.current.Store(&pair)
	c.cert, c.key = cert, key
	return true, nil
}

// reload reads the files again. If that fails, the current certificate stays.
func (c *certificate) reload() {
	if c == nil {
		return
	}
	switch changed, err := c.read(); {
	case err != nil:
		c.log.Error("the TLS certificate cannot be used, the old one stays", "error", err)
	case changed:
		c.log.Info("the TLS certificate was replaced", "expires", c.expires().UTC())
	}
}

// follow reloads every minute until the context ends.
func (c *certificate) follow(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Minute):
			c.reload()
		}
	}
}

// expires returns the end of validity of the certificate, zero without one.
func (c *certificate) expires() time.Time {
	if c == nil {
		return time.Time{}
	}
	return c.current.Load().Leaf.NotAfter
}

// config returns a TLS configuration that uses the newest certificate in each handshake.
func (c *certificate) config() *tls.Config {
	return &tls.Config{
		NextProtos:     []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
	}
}
