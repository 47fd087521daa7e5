// Modelserver is a fake language model for a person or a script that tries the chat in a real
// terminal. It streams the requested text at a given rate:
//
//	go build -o /tmp/modelserver ./.ci/modelserver
//	/tmp/modelserver --rate 1000 --url-file /tmp/url
//
// It listens only on loopback and runs until it receives a signal.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

func main() {
	rate := flag.Int("rate", 0, "words per second; 0 is unlimited")
	urlFile := flag.String("url-file", "", "file for the base URL (default standard output)")
	flag.Parse()
	if err := serve(*rate, *urlFile); err != nil {
		fmt.Fprintln(os.Stderr, "modelserver:", err)
		os.Exit(1)
	}
}

func serve(rate int, urlFile string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	url := fmt.Sprintf("http://%s/v1\n", listener.Addr())
	if urlFile == "" {
		fmt.Print(url)
	} else if err := publish(urlFile, url); err != nil {
		return err
	}
	server := &http.Server{Handler: llmtest.ChatServer{Rate: rate}, ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

// publish writes the file atomically, because a script may be waiting for it.
func publish(file, url string) error {
	if err := os.WriteFile(file+".part", []byte(url), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}
