package controlplane

import (
	"context"
	"errors"
	"net"
	"os"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ServedMetrics are arguments of kube-controller-manager with which its metrics are for
// whoever asks, as the API server's proxy does, without credentials.
var ServedMetrics = []string{"--bind-address=0.0.0.0", "--authorization-always-allow-paths=/healthz,/readyz,/livez,/metrics"}

// ErrOnlyLoopback is that the API server's proxy reaches nothing on this machine.
var ErrOnlyLoopback = errors.New("this machine has no address but the loopback one")

// ManagerPod makes a Pod that stands for kube-controller-manager's own, which runs without
// one here.
func (c *Cluster) ManagerPod(ctx context.Context) (*corev1.Pod, error) {
	ip := hostAddress()
	if ip == "" {
		return nil, ErrOnlyLoopback
	}
	client, err := c.Client()
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	version, err := client.Discovery().ServerVersion()
	if err != nil {
		return nil, err
	}
	pods := client.CoreV1().Pods(metav1.NamespaceSystem)
	pod, err := pods.Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: strings.ToLower(host), Labels: map[string]string{"component": "kube-controller-manager"}},
		Spec: corev1.PodSpec{
			SchedulerName: "none", HostNetwork: true,
			Containers: []corev1.Container{{
				Name: "kube-controller-manager", Image: "kube-controller-manager:" + version.GitVersion,
				Command: []string{"kube-controller-manager", "--secure-port=" + strconv.Itoa(c.ManagerPort())},
			}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	pod.Status.PodIP = ip
	pod.Status.PodIPs = []corev1.PodIP{{IP: ip}}
	return pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{})
}

// hostAddress is one that the API server's proxy goes to, no loopback address; empty for
// none.
func hostAddress() string {
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			return n.IP.String()
		}
	}
	return ""
}
