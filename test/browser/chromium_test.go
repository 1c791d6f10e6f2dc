package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// browser is a running Chromium with one page.
type browser struct {
	cmd     *exec.Cmd
	to      *os.File
	session string
	loaded  chan struct{}

	mu      sync.Mutex
	next    int
	waiting map[int]chan message
	events  []event
}

// event is something that happened in the page.
type event struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type message struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
	event
}

// start starts Chromium without a network. profile is a folder for what it
// writes.
func start(profile string) (*browser, error) {
	theirIn, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	b := &browser{to: to, waiting: map[int]chan message{}, loaded: make(chan struct{}, 16)}
	b.cmd = exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--remote-debugging-pipe", "--user-data-dir="+profile, "--no-first-run", "about:blank")
	b.cmd.ExtraFiles = []*os.File{theirIn, theirOut} // 3 and 4, as the protocol has it
	if err := b.cmd.Start(); err != nil {
		return nil, err
	}
	err = errors.Join(theirIn.Close(), theirOut.Close())
	go b.read(from)
	return b, errors.Join(err, b.attach())
}

// attach opens a page and listens to it.
func (b *browser) attach() error {
	var target struct{ TargetID, SessionID string }
	if err := b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return err
	}
	if err := b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target); err != nil {
		return err
	}
	b.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		if err := b.call(domain+".enable", nil, nil); err != nil {
			return err
		}
	}
	return b.call("Network.emulateNetworkConditions", map[string]any{"offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}, nil)
}

// call calls a method of the protocol and decodes its result.
func (b *browser) call(method string, params, result any) error {
	b.mu.Lock()
	b.next++
	id, answer := b.next, make(chan message, 1)
	b.waiting[id] = answer
	b.mu.Unlock()
	request := map[string]any{"id": id, "method": method}
	if params != nil {
		request["params"] = params
	}
	if b.session != "" {
		request["sessionId"] = b.session
	}
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		return err
	}
	m, ok := <-answer
	switch {
	case !ok:
		return fmt.Errorf("%s: chromium is gone", method)
	case m.Error != nil:
		return fmt.Errorf("%s: %s", method, m.Error.Message)
	case result == nil:
		return nil
	}
	return json.Unmarshal(m.Result, result)
}

// read hands out answers and keeps events until the browser ends.
func (b *browser) read(from io.Reader) {
	for r := bufio.NewReader(from); ; {
		text, err := r.ReadBytes(0)
		if err != nil {
			break
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) == nil {
			b.take(m)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, answer := range b.waiting {
		close(answer)
		delete(b.waiting, id)
	}
}

func (b *browser) take(m message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if answer, ok := b.waiting[m.ID]; ok {
		delete(b.waiting, m.ID)
		answer <- m
		return
	}
	b.events = append(b.events, m.event)
	if m.Method == "Page.loadEventFired" {
		b.loaded <- struct{}{}
	}
}

// open opens an address, waits until it is loaded, and returns what happened
// on the way.
func (b *browser) open(url string) ([]event, error) {
	b.mu.Lock()
	b.events = nil
	b.mu.Unlock()
	if err := b.call("Page.navigate", map[string]any{"url": url}, nil); err != nil {
		return nil, err
	}
	<-b.loaded
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.events, nil
}

// resize gives the page a width in pixels.
func (b *browser) resize(width int) error {
	return b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
}

// prefer prefers light or dark colours, on a screen or on paper.
func (b *browser) prefer(scheme string, printed bool) error {
	media := "screen"
	if printed {
		media = "print"
	}
	return b.call("Emulation.setEmulatedMedia", map[string]any{"media": media, "features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// ask evaluates an expression of JavaScript in the page.
func (b *browser) ask(expression string, value any) error {
	var result struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Text string }
	}
	if err := b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &result); err != nil {
		return err
	}
	if result.ExceptionDetails != nil {
		return fmt.Errorf("%s: %s", expression, result.ExceptionDetails.Text)
	}
	return json.Unmarshal(result.Result.Value, value)
}

// picture is a PNG of the whole page.
func (b *browser) picture() ([]byte, error) {
	var picture struct{ Data []byte }
	err := b.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &picture)
	return picture.Data, err
}

func (b *browser) close() error {
	b.session = ""
	_ = b.call("Browser.close", nil, nil)
	return b.cmd.Wait()
}
