package controlplane

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	readyTimeout = time.Minute
	readyPoll    = 50 * time.Millisecond
	tailLines    = 20
)

// waitReady polls a component's health until it is good. It gives up when the
// process is gone.
func (c *Cluster) waitReady(ctx context.Context, component Component) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	p, err := c.process(component)
	if err != nil {
		return err
	}
	last := errors.New("no answer yet")
	err = wait.PollUntilContextCancel(ctx, readyPoll, true, func(ctx context.Context) (bool, error) {
		if !p.running() {
			return false, errors.New("it exited")
		}
		last = c.probe(ctx, component)
		return last == nil, nil
	})
	if err == nil {
		return nil
	}
	return fmt.Errorf("wait for %s: %w (%w); the end of its log:\n%s", component, err, last, logTail(c.Logs(component), tailLines))
}

func (c *Cluster) probe(ctx context.Context, component Component) error {
	switch component {
	case Etcd:
		return get(ctx, "http://"+address(c.ports.etcd)+"/readyz")
	case APIServer:
		return c.probeAPI(ctx)
	case ControllerManager:
		return get(ctx, "https://"+address(c.ports.controllerManager)+"/healthz")
	case Scheduler:
		return get(ctx, "https://"+address(c.ports.scheduler)+"/readyz")
	case Kruise:
		return get(ctx, "http://"+address(c.ports.kruise)+"/readyz")
	default:
		return get(ctx, "http://"+address(c.ports.kwok)+"/healthz")
	}
}

// probeAPI also looks for the namespace default, which the API server makes a
// little after it calls itself ready.
func (c *Cluster) probeAPI(ctx context.Context) error {
	client, err := c.Client()
	if err != nil {
		return err
	}
	if err := client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error(); err != nil {
		return err
	}
	_, err = client.CoreV1().Namespaces().Get(ctx, metav1.NamespaceDefault, metav1.GetOptions{})
	return err
}

// healthClient trusts whatever certificate the components made for themselves.
// It goes to the loopback address only, and sends no credentials.
var healthClient = &http.Client{
	Timeout: 5 * time.Second,
	Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
	},
}

func get(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := healthClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusOK {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	return fmt.Errorf("%s: %s: %s", url, response.Status, body)
}
