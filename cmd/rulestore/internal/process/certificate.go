package process

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"sync"
	"time"

	"rulestore/content/i18n"
)

// certificate is a TLS certificate that follows its files when they are replaced on renewal. nil means no TLS.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	read    time.Time // when the files were read last
}

// readAgain is how long the files of a certificate are not looked at again, unless a signal asks for it.
const readAgain = time.Minute

// loadCertificate reads PEM files with a chain and with its private key. It returns nil if no file is named.
func loadCertificate(certFile, keyFile string, log *slog.Logger) (*certificate, error) {
	if certFile == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, i18n.Errorf("read the TLS certificate: %w", err)
	}
	return &certificate{certFile: certFile, keyFile: keyFile, log: log, current: &pair, read: time.Now()}, nil
}

// get returns the certificate for a handshake. If the files were not read for as long as this, they are: what does
// not fit together, as while files are being replaced, changes nothing.
func (c *certificate) get(after time.Duration) *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.read) < after {
		return c.current
	}
	c.read = time.Now()
	switch pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile); {
	case err != nil:
		c.log.Error("the TLS certificate cannot be used, the old one stays", "error", err)
	case !bytes.Equal(pair.Certificate[0], c.current.Certificate[0]):
		c.current = &pair
		c.log.Info("the TLS certificate was replaced", "expires", pair.Leaf.NotAfter.UTC())
	}
	return c.current
}

// reload reads the files again.
func (c *certificate) reload() {
	if c != nil {
		c.get(0)
	}
}

// expires returns the end of validity of the certificate, zero without one. Whoever watches it sees a renewal.
func (c *certificate) expires() time.Time {
	if c == nil {
		return time.Time{}
	}
	return c.get(readAgain).Leaf.NotAfter
}

// config returns a TLS configuration that uses the newest certificate in each handshake.
func (c *certificate) config() *tls.Config {
	return &tls.Config{
		NextProtos:     []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.get(readAgain), nil },
	}
}
