package parity_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	servertesting "k8s.io/apiextensions-apiserver/pkg/cmd/server/testing"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// nobody is a configuration of a server that is never asked.
const nobody = `apiVersion: v1
kind: Config
clusters: [{name: none, cluster: {server: "http://127.0.0.1:1"}}]
contexts: [{name: none, context: {cluster: none, user: none}}]
current-context: none
users: [{name: none, user: {}}]
`

// server is the API server's extension server.
type server struct{ client rest.Interface }

// start starts the server on an etcd, both in this process and on ports of the
// loopback, and ends them with the test.
func start(t *testing.T) *server {
	t.Helper()
	local := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir, config.LogLevel, config.UnsafeNoFsync = t.TempDir(), "panic", true
	config.ListenClientUrls, config.ListenPeerUrls = local, local
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		t.Fatalf("etcd: %v", err)
	}
	t.Cleanup(etcd.Close)
	select {
	case <-etcd.Server.ReadyNotify():
	case <-time.After(time.Minute):
		t.Fatal("etcd is not ready after a minute")
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, []byte(nobody), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := servertesting.StartTestServer(t, nil, []string{
		"--etcd-servers", "http://" + etcd.Clients[0].Addr().String(),
		"--authentication-skip-lookup", "--authentication-kubeconfig", kubeconfig,
		"--authorization-kubeconfig", kubeconfig, "--kubeconfig", kubeconfig,
		// What would ask another server, which there is not.
		"--enable-priority-and-fairness=false",
		"--disable-admission-plugins", "NamespaceLifecycle,MutatingAdmissionWebhook,ValidatingAdmissionWebhook,ValidatingAdmissionPolicy,MutatingAdmissionPolicy",
	}, nil)
	if err != nil {
		t.Fatalf("the extension server: %v", err)
	}
	t.Cleanup(s.TearDownFn)
	s.ClientConfig.QPS = -1
	set, err := clientset.NewForConfig(s.ClientConfig)
	if err != nil {
		t.Fatal(err)
	}
	return &server{set.ApiextensionsV1().RESTClient()}
}

// refused returns why the server would not create the definition; nil when it would.
func (s *server) refused(ctx context.Context, raw []byte) (*metav1.Status, error) {
	err := s.client.Post().AbsPath("/apis/apiextensions.k8s.io/v1/customresourcedefinitions").
		Param("dryRun", "All").SetHeader("Content-Type", "application/json").Body(raw).Do(ctx).Error()
	var status *apierrors.StatusError
	if errors.As(err, &status) {
		return &status.ErrStatus, nil
	}
	return nil, err
}
