package xpkg

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// cachedTag is what is kept of a tag. The name is in it because the file's name
// is a hash: tags differ by case, and hosts have colons, which not every file
// system can express.
type cachedTag struct {
	Repository string  `json:"repository"`
	Tag        string  `json:"tag"`
	Digest     v1.Hash `json:"digest"`
}

// name is the reference that the tag is.
func (t cachedTag) name() string { return t.Repository + ":" + t.Tag }

func (c *Cache) tagFile(repository, tag string) string {
	return filepath.Join(c.tagDir(repository), hashedName(tag))
}

func (c *Cache) tagDir(repository string) string {
	return filepath.Join(c.dir, "v1", "refs", hashedName(repository))
}

// digest returns what a tag named when it was last looked up.
func (c *Cache) digest(repository, tag string) (v1.Hash, bool) {
	t, ok := readTag(c.tagFile(repository, tag))
	return t.Digest, ok && t.Repository == repository && t.Tag == tag
}

func (c *Cache) setDigest(repository, tag string, h v1.Hash) error {
	b, err := json.Marshal(cachedTag{Repository: repository, Tag: tag, Digest: h})
	if err != nil {
		return err
	}
	return c.putBytes(c.tagFile(repository, tag), b)
}

// tags returns the tags of a repository that are known, in lexical order.
func (c *Cache) tags(repository string) []string {
	dir := c.tagDir(repository)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var tags []string
	for _, e := range entries {
		if t, ok := readTag(filepath.Join(dir, e.Name())); ok && t.Repository == repository {
			tags = append(tags, t.Tag)
		}
	}
	slices.Sort(tags)
	return tags
}

// readTag reads a file that may be anything, as everything in a cache.
func readTag(path string) (t cachedTag, ok bool) {
	const most = 64 << 10
	f, err := openRegular(path)
	if err != nil {
		return t, false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil || len(b) > most {
		return t, false
	}
	err = json.Unmarshal(b, &t)
	return t, err == nil && t.Digest != (v1.Hash{})
}

func hashedName(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// hashOf is the digest of a manifest.
func hashOf(b []byte) (v1.Hash, error) {
	h, _, err := v1.SHA256(bytes.NewReader(b))
	return h, err
}
