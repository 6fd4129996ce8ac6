package mirror

import (
	"strings"
	"sync"
)

// mounts knows which repository of a registry has a blob, from which others can take it
// over.
type mounts struct {
	mu     sync.Mutex
	paths  map[[2]string]string // of repositories, by registry and digest
	cannot map[string]bool      // registries that were asked and did not
}

// forget is for the begin of a copy: what was there may have been deleted since.
func (m *mounts) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.paths, m.cannot = map[[2]string]string{}, map[string]bool{}
}

// has notes that a repository has a blob.
func (m *mounts) has(repository, digest string) {
	registry, path, _ := strings.Cut(repository, "/")
	m.mu.Lock()
	defer m.mu.Unlock()
	m.paths[[2]string{registry, digest}] = path
}

// from is the path of another repository that has a blob, or "".
func (m *mounts) from(repository, digest string) string {
	registry, path, _ := strings.Cut(repository, "/")
	m.mu.Lock()
	defer m.mu.Unlock()
	if from := m.paths[[2]string{registry, digest}]; from != path && !m.cannot[registry] {
		return from
	}
	return ""
}

// refused notes that a registry does not do it.
func (m *mounts) refused(repository string) {
	registry, _, _ := strings.Cut(repository, "/")
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cannot[registry] = true
}
