package controlplane

import (
	"crypto/rand"
	"encoding/csv"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

const tokenFile = "tokens.csv"

const adminName = "admin"

// identities are who the components log in as. RBAC's default policy knows these
// names; kruise.yaml has the rights of Kruise.
var identities = map[Component]User{
	ControllerManager: {Name: "system:kube-controller-manager"},
	Scheduler:         {Name: "system:kube-scheduler"},
	Kruise:            {Name: KruiseUser, Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + kruiseNamespace}},
}

// writeIdentities makes a token and a kubeconfig for every user.
func (c *Cluster) writeIdentities() error {
	c.tokens = map[string]string{}
	var records [][]string
	for _, user := range c.users() {
		token := rand.Text()
		c.tokens[user.Name] = token
		records = append(records, []string{token, user.Name, user.Name, strings.Join(user.Groups, ",")})
		if err := c.writeKubeconfig(user.Name); err != nil {
			return fmt.Errorf("write the kubeconfig of %s: %w", user.Name, err)
		}
	}
	return writeCSV(c.path(tokenFile), records)
}

func (c *Cluster) users() []User {
	users := []User{{Name: adminName, Groups: []string{"system:masters"}}}
	for _, user := range identities {
		users = append(users, user)
	}
	return append(users, c.opts.Users...)
}

func writeCSV(path string, records [][]string) error {
	var text strings.Builder
	if err := csv.NewWriter(&text).WriteAll(records); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text.String()), 0o600)
}

func (c *Cluster) writeKubeconfig(user string) error {
	ca, err := os.ReadFile(c.path(caCert))
	if err != nil {
		return err
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["test"] = &clientcmdapi.Cluster{Server: c.server(), CertificateAuthorityData: ca}
	config.AuthInfos[user] = &clientcmdapi.AuthInfo{Token: c.tokens[user]}
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: user}
	config.CurrentContext = "test"
	return clientcmd.WriteToFile(*config, c.kubeconfig(user))
}

func (c *Cluster) server() string { return "https://" + address(c.ports.apiServer) }

func (c *Cluster) kubeconfig(user string) string {
	return c.path(url.PathEscape(user) + ".kubeconfig")
}

// Kubeconfig is the path of the administrator's kubeconfig.
func (c *Cluster) Kubeconfig() string { return c.kubeconfig(adminName) }

// KubeconfigFor is the path of the kubeconfig of one of Options.Users, who may
// do what RBAC objects, made by the test, say.
func (c *Cluster) KubeconfigFor(user string) (string, error) {
	if _, ok := c.tokens[user]; !ok {
		return "", fmt.Errorf("no user %q: name it in Options.Users", user)
	}
	return c.kubeconfig(user), nil
}

// RESTConfig is the administrator's, without a limit of requests per second.
func (c *Cluster) RESTConfig() *rest.Config {
	return &rest.Config{
		Host:            c.server(),
		BearerToken:     c.tokens[adminName],
		TLSClientConfig: rest.TLSClientConfig{CAFile: c.path(caCert)},
		QPS:             -1,
		UserAgent:       "controlplane-test",
	}
}

// Client is a new client of the administrator.
func (c *Cluster) Client() (kubernetes.Interface, error) {
	return kubernetes.NewForConfig(c.RESTConfig())
}

func (c *Cluster) stage(name string) string {
	return filepath.Join(c.binDir, "stages", name+".yaml")
}
