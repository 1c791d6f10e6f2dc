package apiserver

import (
	"errors"
	"io/fs"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// AddContext adds a context to a kubeconfig that may not exist yet.
func AddContext(path, name, url string) error {
	config, err := clientcmd.LoadFromFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		config, err = clientcmdapi.NewConfig(), nil
	}
	if err != nil {
		return err
	}
	config.Clusters[name] = &clientcmdapi.Cluster{Server: url}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: "secret"}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name, Namespace: "shop"}
	return clientcmd.WriteToFile(*config, path)
}

// Kubeconfig has two contexts of one server.
func Kubeconfig(url string) string {
	return `apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "` + url + `"}}]
users: [{name: reader, user: {token: secret}}]
contexts:
- {name: shop, context: {cluster: test, user: reader, namespace: shop}}
- {name: blog, context: {cluster: test, user: reader, namespace: blog}}
current-context: shop
`
}
