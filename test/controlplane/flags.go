package controlplane

import (
	"fmt"
	"strconv"
)

// The flags of each component. Everything listens on the loopback address.

func (c *Cluster) args(component Component) []string {
	defaults := map[Component]func() []string{
		Etcd:              c.etcdArgs,
		APIServer:         c.apiServerArgs,
		ControllerManager: c.controllerManagerArgs,
		Scheduler:         c.schedulerArgs,
		Kwok:              c.kwokArgs,
		Kruise:            c.kruiseArgs,
	}
	return withExtra(defaults[component](), c.opts.ExtraArgs[component])
}

// env keeps kwok from the configuration of the user who runs the tests, and on one processor:
// its CEL library (easycel v0.6.0, typeValueMap) writes maps of the whole program without a lock
// when the first Node and the first Pod come, and the runtime ends a program that does so from two
// threads at once.
func (c *Cluster) env(component Component) []string {
	switch component {
	case Kwok:
		return []string{"KWOK_WORKDIR=" + c.path("kwok"), "GOMAXPROCS=1"}
	case Kruise:
		return c.kruiseEnv()
	}
	return nil
}

func (c *Cluster) etcdArgs() []string {
	client, peer := "http://"+address(c.ports.etcd), "http://"+address(c.ports.etcdPeer)
	return []string{
		"--data-dir=" + c.path("etcd"),
		"--listen-client-urls=" + client,
		"--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer,
		"--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=default=" + peer,
		"--unsafe-no-fsync",
	}
}

func (c *Cluster) apiServerArgs() []string {
	args := []string{
		"--etcd-servers=http://" + address(c.ports.etcd),
		"--bind-address=" + loopback,
		"--secure-port=" + strconv.Itoa(c.ports.apiServer),
		"--tls-cert-file=" + c.path(servingCert),
		"--tls-private-key-file=" + c.path(servingKey),
		"--token-auth-file=" + c.path(tokenFile),
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + c.path(serviceAccountPub),
		"--service-account-signing-key-file=" + c.path(serviceAccountKey),
		"--service-cluster-ip-range=10.0.0.0/24",
		// Pods need no service account, which their namespace may not have yet.
		"--disable-admission-plugins=ServiceAccount",
		// A loopback address cannot be an endpoint of the kubernetes Service.
		"--endpoint-reconciler-type=none",
		"--audit-policy-file=" + c.path(auditPolicyFile),
		"--audit-log-path=" + c.path(auditLogFile),
		// No rotation: marks are positions in the one file.
		"--audit-log-maxsize=0",
	}
	return append(args, c.requestHeaderArgs()...)
}

// requestHeaderArgs are there because controller manager and scheduler wait for
// the config map extension-apiserver-authentication, and with it for these.
func (c *Cluster) requestHeaderArgs() []string {
	return []string{
		"--client-ca-file=" + c.path(caCert),
		"--requestheader-client-ca-file=" + c.path(caCert),
		"--requestheader-allowed-names=front-proxy-client",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-username-headers=X-Remote-User",
	}
}

func (c *Cluster) controllerManagerArgs() []string {
	args := []string{
		"--controllers=*,-node-ipam-controller",
		"--kube-api-qps=500",
		"--kube-api-burst=1000",
		"--root-ca-file=" + c.path(caCert),
		"--service-account-private-key-file=" + c.path(serviceAccountKey),
		// Each controller has a name of its own in the audit log, and the rights
		// that it has in a real cluster.
		"--use-service-account-credentials=true",
		// kwok sends no heartbeats here. The node controller must not call the nodes
		// unready for that, nor the pods on them.
		"--node-monitor-grace-period=24h",
	}
	return append(args, c.delegatingArgs(ControllerManager, c.ports.controllerManager)...)
}

// EtcdURL is where etcd answers, without a password.
func (c *Cluster) EtcdURL() string { return "http://" + address(c.ports.etcd) }

// ManagerPort is where kube-controller-manager listens.
func (c *Cluster) ManagerPort() int { return c.ports.controllerManager }

func (c *Cluster) schedulerArgs() []string {
	return c.delegatingArgs(Scheduler, c.ports.scheduler)
}

func (c *Cluster) delegatingArgs(component Component, port int) []string {
	kubeconfig := c.kubeconfig(identities[component].Name)
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--authentication-kubeconfig=" + kubeconfig,
		"--authorization-kubeconfig=" + kubeconfig,
		"--bind-address=" + loopback,
		"--secure-port=" + strconv.Itoa(port),
		"--cert-dir=" + c.path(string(component)),
		fmt.Sprintf("--leader-elect=%t", !c.opts.NoLeaderElection),
	}
}

func (c *Cluster) kwokArgs() []string {
	args := []string{
		"--kubeconfig=" + c.Kubeconfig(),
		"--manage-all-nodes=true",
		"--server-address=" + address(c.ports.kwok),
		// Room for the pods of a large cluster.
		"--cidr=10.64.0.0/10",
		"--config=" + c.stage("node-initialize"),
		"--config=" + c.stage("pod-ready"),
		"--config=" + c.stage("pod-complete"),
		"--config=" + c.stage("pod-delete"),
	}
	if c.opts.Kruise {
		args = append(args, "--config="+c.path(kruiseStagesFile))
	}
	return args
}
