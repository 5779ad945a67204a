package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rulestore/cmd/rulestore/internal/tlscert"
)

// writeCertificate makes a certificate for this machine, known by its serial
// number, and returns its files.
func writeCertificate(t *testing.T, dir string, serial int64) (cert, key string) {
	t.Helper()
	return writeCertificateOf(t, dir, serial, -time.Hour, 24*time.Hour)
}

// writeCertificateOf is writeCertificate for one that begins and ends so long from now.
func writeCertificateOf(t *testing.T, dir string, serial int64, from, to time.Duration) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "rules.example.org"},
		NotBefore: time.Now().Add(from), NotAfter: time.Now().Add(to),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"rules.example.org"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der},
		key: {Type: "PRIVATE KEY", Bytes: raw}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// A certificate that nobody would trust never takes the place of one that is trusted, and
// is taken, with a warning, where there is no better one.
func TestUntrustedCertificate(t *testing.T) {
	t.Parallel()
	for name, next := range map[string][2]time.Duration{
		"expired": {-2 * time.Hour, -time.Hour}, "not yet in force": {time.Hour, 2 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			var log lockedBuffer
			dir := t.TempDir()
			cert, key := writeCertificate(t, dir, 1)
			c, err := tlscert.Load(cert, key, slog.New(slog.NewTextHandler(&log, nil)))
			if err != nil || log.String() != "" {
				t.Fatal(err, log.String())
			}
			serial := func() int64 {
				pair, err := c.Config().GetCertificate(nil)
				if err != nil {
					t.Fatal(err)
				}
				return pair.Leaf.SerialNumber.Int64()
			}
			writeCertificateOf(t, dir, 2, next[0], next[1])
			c.Reload()
			if serial() != 1 || !strings.Contains(log.String(), "the old one stays") ||
				!strings.Contains(log.String(), "rules.example.org") {
				t.Errorf("certificate %d is used\n%s", serial(), log.String())
			}
			if time.Until(c.Expires()) < time.Hour {
				t.Errorf("operators are told that it ends at %s", c.Expires())
			}
			writeCertificate(t, dir, 3)
			c.Reload()
			if serial() != 3 {
				t.Errorf("certificate %d is used", serial())
			}

			log = lockedBuffer{}
			writeCertificateOf(t, dir, 4, next[0], next[1])
			if c, err = tlscert.Load(cert, key, slog.New(slog.NewTextHandler(&log, nil))); err != nil ||
				!strings.Contains(log.String(), "will not trust") {
				t.Fatal(err, log.String())
			}
			writeCertificateOf(t, dir, 5, next[0], next[1])
			if c.Reload(); serial() != 5 {
				t.Errorf("certificate %d is used in place of one that is no better", serial())
			}
		})
	}
}
