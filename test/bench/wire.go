package main

import (
	"errors"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/clientcmd"
)

// wire passes connections on to the API server, and counts the bytes of its answers as
// they are on the wire, compressed and encrypted.
type wire struct {
	listener net.Listener
	to       string
	answered atomic.Int64
	open     sync.WaitGroup
}

// newWire writes a kubeconfig in folder that leads through the wire, and returns its path.
func newWire(kubeconfig, folder string) (*wire, string, error) {
	config, err := clientcmd.LoadFromFile(kubeconfig)
	if err != nil {
		return nil, "", err
	}
	w := &wire{}
	if w.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, "", err
	}
	for _, c := range config.Clusters {
		server, err := url.Parse(c.Server)
		if err != nil {
			return nil, "", errors.Join(err, w.close())
		}
		w.to, server.Host = server.Host, w.listener.Addr().String()
		c.Server = server.String()
	}
	path := filepath.Join(folder, "wire.kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return nil, "", errors.Join(err, w.close())
	}
	go w.serve()
	return w, path, nil
}

func (w *wire) close() error { return w.listener.Close() }

func (w *wire) serve() {
	for {
		in, err := w.listener.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", w.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		go func() {
			_, _ = io.Copy(out, in)
			_ = out.Close()
		}()
		w.open.Go(func() {
			_, _ = io.Copy(in, &counted{out, &w.answered})
			_ = in.Close()
		})
	}
}

// take waits for the connections to end, and returns the bytes since the last take.
func (w *wire) take() int64 {
	w.open.Wait()
	return w.answered.Swap(0)
}

// counted is a reader that counts.
type counted struct {
	io.Reader
	n *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}
