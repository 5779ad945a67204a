// Package tlscert reloads the TLS certificate of a long-running server when its
// files are replaced on renewal.
package tlscert

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"rulestore/content/i18n"
)

// Certificate is a TLS certificate that follows its files. nil means no TLS.
type Certificate struct {
	certFile, keyFile string
	log               *slog.Logger
	current           atomic.Pointer[tls.Certificate]

	mu        sync.Mutex
	cert, key []byte // what the files held when they were last read
}

// Load reads a certificate: PEM files with its chain and with its private key. It returns nil
// if no file is named.
func Load(certFile, keyFile string, log *slog.Logger) (*Certificate, error) {
	if certFile == "" {
		return nil, nil
	}
	c := &Certificate{certFile: certFile, keyFile: keyFile, log: log}
	if _, err := c.read(); err != nil {
		return nil, i18n.Errorf("read the TLS certificate: %w", err)
	}
	if err := inForce(c.current.Load(), time.Now()); err != nil {
		log.Warn(
			"clients will not trust the TLS certificate: replace it, it is read again within a minute", "error", err,
		)
	}
	return c, nil
}

// read reads the files, and reports whether they have changed. What does not fit
// together, as while files are being replaced, changes nothing.
func (c *Certificate) read() (changed bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cert, err := os.ReadFile(c.certFile)
	if err != nil {
		return false, err
	}
	key, err := os.ReadFile(c.keyFile)
	if err != nil {
		return false, err
	}
	if bytes.Equal(cert, c.cert) && bytes.Equal(key, c.key) {
		return false, nil
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return false, i18n.Errorf("%s with %s: %w", c.certFile, c.keyFile, err)
	}
	if err := c.worse(&pair, time.Now()); err != nil {
		return false, err
	}
	c.current.Store(&pair)
	c.cert, c.key = cert, key
	return true, nil
}

// worse returns the reason why a certificate must not replace the current one: it would not be
// trusted, while the current one is.
func (c *Certificate) worse(next *tls.Certificate, now time.Time) error {
	current := c.current.Load()
	if current == nil || inForce(current, now) != nil {
		return nil
	}
	if err := inForce(next, now); err != nil {
		return i18n.Errorf(
			"%s: %w, and the old one ends at %s", c.certFile, err, current.Leaf.NotAfter.UTC().Format(time.RFC3339),
		)
	}
	return nil
}

// inForce returns an error if a certificate, or one of its chain, is not valid at a time.
func inForce(pair *tls.Certificate, now time.Time) error {
	for _, der := range pair.Certificate {
		c, err := x509.ParseCertificate(der)
		switch {
		case err != nil:
			return err
		case now.After(c.NotAfter):
			return i18n.Errorf(
				"the certificate of %q ended at %s", c.Subject.CommonName, c.NotAfter.UTC().Format(time.RFC3339),
			)
		case now.Before(c.NotBefore):
			return i18n.Errorf(
				"the certificate of %q begins at %s", c.Subject.CommonName, c.NotBefore.UTC().Format(time.RFC3339),
			)
		}
	}
	return nil
}

// Reload reads the files again. If that fails, the current certificate stays.
func (c *Certificate) Reload() {
	if c == nil {
		return
	}
	switch changed, err := c.read(); {
	case err != nil:
		c.log.Error("the TLS certificate cannot be used, the old one stays", "error", err)
	case changed:
		c.log.Info("the TLS certificate was replaced", "expires", c.Expires().UTC())
	}
}

// every is how often the files are looked at.
const every = time.Minute

// Follow reloads periodically until the context ends.
func (c *Certificate) Follow(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
			c.Reload()
		}
	}
}

// Expires returns the end of validity of the certificate, zero without one.
func (c *Certificate) Expires() time.Time {
	if c == nil {
		return time.Time{}
	}
	return c.current.Load().Leaf.NotAfter
}

// Config returns a TLS configuration that uses the newest certificate in each handshake.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{
		NextProtos:     []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
	}
}
