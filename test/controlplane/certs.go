package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// The files of the public key infrastructure, relative to the cluster's folder.
const (
	caCert            = "ca.crt"
	servingCert       = "apiserver.crt"
	servingKey        = "apiserver.key"
	serviceAccountKey = "service-account.key"
	serviceAccountPub = "service-account.pub"
)

// writeCerts makes a certificate authority whose key is forgotten at once, a
// serving certificate for the API server, and the key pair that signs service
// account tokens.
func writeCerts(dir string, now time.Time) error {
	ca, caKey, err := newCA(now)
	if err != nil {
		return fmt.Errorf("make the certificate authority: %w", err)
	}
	if err := writePEM(dir, caCert, "CERTIFICATE", ca.Raw); err != nil {
		return err
	}
	if err := writeServingCert(dir, ca, caKey, now); err != nil {
		return fmt.Errorf("make the serving certificate: %w", err)
	}
	if err := writeServiceAccountKeys(dir); err != nil {
		return fmt.Errorf("make the service account keys: %w", err)
	}
	return nil
}

func newCA(now time.Time) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	template := certificate("kubectl-ctrl test", now)
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	key, err := newKey()
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, nil, err
	}
	ca, err := x509.ParseCertificate(der)
	return ca, key, err
}

func writeServingCert(dir string, ca *x509.Certificate, caKey *ecdsa.PrivateKey, now time.Time) error {
	template := certificate("kube-apiserver", now)
	template.SerialNumber = big.NewInt(2)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	template.DNSNames, template.IPAddresses = []string{"localhost"}, []net.IP{net.ParseIP(loopback)}
	key, err := newKey()
	if err != nil {
		return err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca, key.Public(), caKey)
	if err != nil {
		return err
	}
	if err := writePEM(dir, servingCert, "CERTIFICATE", der); err != nil {
		return err
	}
	return writeKey(dir, servingKey, key)
}

func writeServiceAccountKeys(dir string) error {
	key, err := newKey()
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return err
	}
	if err := writePEM(dir, serviceAccountPub, "PUBLIC KEY", public); err != nil {
		return err
	}
	return writeKey(dir, serviceAccountKey, key)
}

// certificate is valid from an hour ago, for clocks that are set back.
func certificate(name string, now time.Time) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.AddDate(1, 0, 0),
	}
}

func newKey() (*ecdsa.PrivateKey, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }

func writeKey(dir, name string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(dir, name, "EC PRIVATE KEY", der)
}

func writePEM(dir, name, kind string, der []byte) error {
	data := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	return os.WriteFile(filepath.Join(dir, name), data, 0o600)
}
