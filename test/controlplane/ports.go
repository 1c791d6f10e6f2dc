package controlplane

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// Below the ranges from which operating systems take the ports of outgoing
// connections: else any connection could take the API server's port while that
// restarts, even the retrying client's own.
const (
	firstPort = 20000
	lastPort  = 32000
)

type ports struct {
	etcd, etcdPeer, apiServer, controllerManager, scheduler, kwok, kruise, kruiseWebhook int
}

// freePorts holds every port until it has all of them, so that no two are the
// same.
func freePorts() (ports, error) {
	var p ports
	for _, port := range []*int{&p.etcd, &p.etcdPeer, &p.apiServer, &p.controllerManager, &p.scheduler, &p.kwok, &p.kruise, &p.kruiseWebhook} {
		listener, err := listenAnywhere()
		if err != nil {
			return ports{}, err
		}
		defer func() { _ = listener.Close() }()
		*port = listener.Addr().(*net.TCPAddr).Port
	}
	return p, nil
}

func listenAnywhere() (net.Listener, error) {
	var errs error
	for range 50 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		listener, err := net.Listen("tcp", address(port))
		if err == nil {
			return listener, nil
		}
		errs = errors.Join(errs, err)
	}
	return nil, fmt.Errorf("find a free port: %w", errs)
}

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

const loopback = "127.0.0.1"
