package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// A browser is a headless Chromium that is driven by its DevTools protocol over a pipe.
type browser struct {
	t    testing.TB
	to   io.Writer
	mu   sync.Mutex
	cond *sync.Cond // of everything below
	last int
	done map[int]message // answers, by the number of the call
	told []message       // events
	dead error
}

// A message of the protocol: a call, an answer or an event.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// startBrowser starts one that ends with the test.
func startBrowser(t testing.TB) *browser {
	t.Helper()
	program := ""
	for _, name := range []string{"google-chrome", "chromium", "chromium-browser", "chrome"} {
		if path, err := exec.LookPath(name); err == nil && program == "" {
			program = path
		}
	}
	if program == "" || runtime.GOOS == "windows" { // where a process inherits no files
		t.Skip("the page is not tried in a browser: there is no Chromium; on Linux, apt-get install chromium gets it")
	}
	profile, err := os.MkdirTemp("", "report-browser-")
	if err != nil {
		t.Fatal(err)
	}
	fromTest, toBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromBrowser, toTest, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	// Its sandbox wants rights that containers often lack, and the pages are of these tests.
	c := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--disable-dev-shm-usage",
		"--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	c.ExtraFiles = []*os.File{fromTest, toTest} // its files 3 and 4
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	fromTest.Close()
	toTest.Close()
	b := &browser{t: t, to: toBrowser, done: map[int]message{}}
	b.cond = sync.NewCond(&b.mu)
	go b.listen(fromBrowser)
	t.Cleanup(func() {
		_ = b.send(message{ID: -1, Method: "Browser.close"})
		_ = c.Wait()
		cancel()
		toBrowser.Close()
		fromBrowser.Close()
		os.RemoveAll(profile)
	})
	return b
}

// listen keeps what the browser says.
func (b *browser) listen(from io.Reader) {
	r := bufio.NewReader(from)
	for {
		text, err := r.ReadBytes(0)
		var m message
		if err == nil {
			err = json.Unmarshal(text[:len(text)-1], &m)
		}
		b.mu.Lock()
		switch {
		case err != nil:
			b.dead = fmt.Errorf("the browser is gone: %w", err)
		case m.ID != 0:
			b.done[m.ID] = m
		default:
			b.told = append(b.told, m)
		}
		b.cond.Broadcast()
		b.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (b *browser) send(m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = b.to.Write(append(text, 0))
	return err
}

// call asks for something and decodes the answer, unless result is nil.
func (b *browser) call(session, method string, params, result any) {
	b.t.Helper()
	data, err := json.Marshal(params)
	if err != nil {
		b.t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	id := b.last
	if err := b.send(message{ID: id, Session: session, Method: method, Params: data}); err != nil {
		b.t.Fatal(err)
	}
	for {
		m, ok := b.done[id]
		if ok {
			delete(b.done, id)
			if m.Error != nil {
				b.t.Fatalf("%s: %s", method, m.Error.Message)
			}
			if result != nil {
				if err := json.Unmarshal(m.Result, result); err != nil {
					b.t.Fatalf("%s: %v", method, err)
				}
			}
			return
		}
		if b.dead != nil {
			b.t.Fatal(b.dead)
		}
		b.cond.Wait()
	}
}

type params map[string]any

// A tab shows one page.
type tab struct {
	*browser
	session string
}

// blank opens an empty tab of a size, in pixels.
func (b *browser) blank(width, height int) *tab {
	b.t.Helper()
	var target struct{ TargetID string }
	b.call("", "Target.createTarget", params{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("", "Target.attachToTarget", params{"targetId": target.TargetID, "flatten": true}, &attached)
	t := &tab{b, attached.SessionID}
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		t.do(domain+".enable", nil, nil)
	}
	t.do("Emulation.setDeviceMetricsOverride", params{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	return t
}

func (t *tab) do(method string, p params, result any) {
	t.t.Helper()
	t.call(t.session, method, p, result)
}

// open shows a file, and returns when all of it is there and its script has run. The fragment
// may be empty.
func (t *tab) open(file, fragment string) {
	t.t.Helper()
	path, err := filepath.Abs(file)
	if err != nil {
		t.t.Fatal(err)
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	// An address that differs in its fragment only would not load the page again.
	for _, at := range []string{"about:blank", u.String() + fragment} {
		t.forget()
		t.do("Page.navigate", params{"url": at}, nil)
		t.wait("Page.loadEventFired")
	}
}

// forget forgets the events until now.
func (t *tab) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.told = nil
}

// wait waits for an event.
func (t *tab) wait(method string) {
	t.t.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.named(method)) == 0 {
		if t.dead != nil {
			t.t.Fatal(t.dead)
		}
		t.cond.Wait()
	}
}

// events are those of a name since the page was opened.
func (t *tab) events(method string) []message {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.named(method)
}

func (t *tab) named(method string) []message {
	var list []message
	for _, m := range t.told {
		if m.Session == t.session && m.Method == method {
			list = append(list, m)
		}
	}
	return list
}

// eval runs a script of the test in the page, awaits its promise and returns its value as JSON.
func (t *tab) eval(script string) string {
	t.t.Helper()
	var out struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	t.do("Runtime.evaluate", params{"expression": script, "awaitPromise": true, "returnByValue": true}, &out)
	if e := out.ExceptionDetails; e != nil {
		t.t.Fatalf("%s: %s", script, e.Exception.Description)
	}
	return string(out.Result.Value)
}

// until returns when a condition of the page holds. That the page cannot show something ends the
// test.
func (t *tab) until(condition string) {
	t.t.Helper()
	t.eval(`new Promise((done, fail) => { const look = () => {
		const alert = document.querySelector('[role=alert]');
		if (alert) fail(Error(alert.textContent));
		else if (` + condition + `) done(true);
		else setTimeout(look, 5);
	}; look(); })`)
}

// press types keys as a person does, such as Enter; a letter is itself.
func (t *tab) press(keys ...string) {
	t.t.Helper()
	for _, key := range keys {
		text, code := key, 0
		switch key {
		case "Enter":
			text, code = "\r", 13
		case "Tab":
			text, code = "", 9
		case "Space":
			key, text, code = " ", " ", 32
		}
		p := params{"type": "keyDown", "key": key, "windowsVirtualKeyCode": code}
		if text != "" {
			p["text"] = text
		}
		t.do("Input.dispatchKeyEvent", p, nil)
		t.do("Input.dispatchKeyEvent", params{"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}, nil)
	}
}

// dark makes the reader prefer dark pages.
func (t *tab) dark() {
	t.t.Helper()
	t.do("Emulation.setEmulatedMedia", params{"features": []params{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
}

// screenshot writes what is in view into the directory of XPKG_SCREENSHOTS, for people to look at.
func (t *tab) screenshot(name string) {
	t.t.Helper()
	dir := os.Getenv("XPKG_SCREENSHOTS")
	if dir == "" {
		return
	}
	t.eval(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`) // what comes into view is drawn
	var out struct{ Data []byte }
	t.do("Page.captureScreenshot", params{"format": "png"}, &out)
	if err := os.WriteFile(filepath.Join(dir, name+".png"), out.Data, 0o644); err != nil {
		t.t.Fatal(err)
	}
}
