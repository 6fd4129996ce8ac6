package build

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"sync"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Compression is how the layers that this package makes are compressed. Which bytes
// come of a text depends on the version of github.com/klauspost/compress; the text
// of a layer, and so its diff ID, does not.
type Compression string

// The compressions. Gzip is what every tool reads and the default; Zstd makes layers
// of a third of the size, which containerd 1.5, Docker 23 and newer ones read.
const (
	Gzip Compression = "gzip"
	Zstd Compression = "zstd"
)

const (
	// A layer is compressed in blocks of this size, each on its own, so that all
	// cores have something to do and the result does not depend on how many there are.
	blockSize = 1 << 20
	// gzipLevel is part of what makes digests what they are.
	gzipLevel = 6

	tarBlock = 512
)

// blockWriter makes a layer of a tar archive while that is written. How large a file
// is stands before its content in a tar archive, so the first block waits until the
// end; all others are compressed as they fill up, and only that is held.
type blockWriter struct {
	ctx     context.Context
	codec   *codec
	first   []byte // the first block
	block   []byte // that is being filled, behind the first
	size    int64  // that was written
	parts   []*part
	running sync.WaitGroup
	room    chan struct{} // as many blocks as may be compressed at once
	told    func(bytes int64)
}

// What is idle, of all writers: a pool of each would hold what it has for two collections more,
// and with GOGC above 100 memory would grow with each package that is built.
var (
	blocks    sync.Pool // of *[]byte, of blockSize
	deflaters sync.Pool // of *deflater
)

// part is a compressed block.
type part struct{ data []byte }

// newBlockWriter returns a writer that must be ended with layer or abandon. The archive
// begins with so much room, which layer fills in. told may be nil.
func newBlockWriter(ctx context.Context, c Compression, room int, told func(bytes int64)) *blockWriter {
	return &blockWriter{
		ctx: ctx, codec: newCodec(c), first: make([]byte, room, room+tarBlock),
		room: make(chan struct{}, runtime.GOMAXPROCS(0)), told: told,
	}
}

// Write takes a part of the archive. It fails when the context ends, and never else.
func (w *blockWriter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if err := canceled(w.ctx); err != nil {
			return 0, err
		}
		if len(w.first) < blockSize {
			take := min(len(p), blockSize-len(w.first))
			w.first = append(w.first, p[:take]...)
			w.size, p = w.size+int64(take), p[take:]
			continue
		}
		if len(w.block) == blockSize {
			w.flush(false)
		}
		if w.block == nil {
			if old, ok := blocks.Get().(*[]byte); ok {
				w.block = (*old)[:0]
			} else {
				w.block = make([]byte, 0, blockSize)
			}
		}
		take := min(len(p), blockSize-len(w.block))
		w.block = append(w.block, p[:take]...)
		w.size, p = w.size+int64(take), p[take:]
	}
	return n, nil
}

// flush has the block compressed.
func (w *blockWriter) flush(last bool) {
	p, block := &part{}, w.block
	w.parts, w.block = append(w.parts, p), nil
	if w.told != nil {
		w.told(w.size)
	}
	w.room <- struct{}{}
	w.running.Go(func() {
		p.data = w.codec.compress(block, last)
		blocks.Put(&block)
		<-w.room
	})
}

// abandon waits for what is being compressed.
func (w *blockWriter) abandon() { w.running.Wait() }

// fileLayer ends a writer that has room for the header of one file, and was written
// the content of it.
func (w *blockWriter) fileLayer(name string) (*layer, error) {
	var header bytes.Buffer
	err := tar.NewWriter(&header).WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: w.size, ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR,
	})
	if w.told != nil {
		w.told(w.size)
		w.told = nil // what follows is no content
	}
	if err == nil {
		// The end of the archive: the block that the content ends in, and two of zeros.
		padding := (tarBlock-w.size%tarBlock)%tarBlock + 2*tarBlock
		_, err = w.Write(make([]byte, padding))
	}
	if err != nil {
		w.abandon()
		return nil, fmt.Errorf("layer of %s: %w", name, err)
	}
	return w.layer(header.Bytes())
}

// layer ends the writer, fills in what room was left for, and returns the layer.
func (w *blockWriter) layer(header []byte) (*layer, error) {
	defer w.abandon()
	copy(w.first, header)
	single := w.block == nil
	if !single {
		w.flush(true)
	}
	head := &part{data: w.codec.compress(w.first, single)}
	w.running.Wait()
	return w.seal(append([]*part{head}, w.parts...))
}

// seal makes the layer of its parts. What the whole is without compression is known
// only now, so the parts behind the first are read again.
func (w *blockWriter) seal(parts []*part) (*layer, error) {
	l := &layer{codec: w.codec}
	diff, crc := sha256.New(), crc32.NewIEEE()
	content := io.MultiWriter(diff, crc)
	_, _ = content.Write(w.first)
	size := int64(len(w.first))
	if len(parts) > 1 {
		r, done, err := w.codec.read(joined(parts[1:]))
		if err != nil {
			return nil, err
		}
		defer done()
		n, err := io.Copy(content, contextReader{w.ctx, r})
		if err != nil {
			return nil, err
		}
		size += n
	}
	trailer := binary.LittleEndian.AppendUint32(nil, crc.Sum32())
	trailer = binary.LittleEndian.AppendUint32(trailer, uint32(size))
	l.parts = w.codec.frame(parts, trailer)
	digest := sha256.New()
	for _, p := range l.parts {
		digest.Write(p.data)
		l.size += int64(len(p.data))
	}
	l.digest = v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(digest.Sum(nil))}
	l.diffID = v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(diff.Sum(nil))}
	return l, nil
}

// joined reads parts one behind the other.
func joined(parts []*part) io.Reader {
	readers := make([]io.Reader, len(parts))
	for i, p := range parts {
		readers[i] = bytes.NewReader(p.data)
	}
	return io.MultiReader(readers...)
}

// contextReader fails when the context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (c contextReader) Read(p []byte) (int, error) {
	if err := canceled(c.ctx); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// codec is one way to compress blocks so that they can be joined.
type codec struct {
	mediaType types.MediaType
	// compress may be called concurrently.
	compress func(block []byte, last bool) []byte
	// read undoes compress for blocks one behind the other.
	read func(io.Reader) (r io.Reader, done func(), err error)
	// frame makes a file of the parts; trailer is the checksum and size of gzip.
	frame func(parts []*part, trailer []byte) []*part
	// open reads such a file.
	open func(io.Reader) (io.ReadCloser, error)
}

func newCodec(c Compression) *codec {
	if c == Zstd {
		return zstdCodec()
	}
	return gzipCodec()
}

// deflater compresses one block at a time.
type deflater struct {
	*flate.Writer
	out bytes.Buffer
}

// gzipCodec compresses with deflate. Each block ends at the border of a byte and
// refers to nothing before it, so the blocks are one stream of deflate, and the file
// is one member of gzip as every reader knows it.
func gzipCodec() *codec {
	return &codec{
		mediaType: types.OCILayer,
		compress: func(block []byte, last bool) []byte {
			z, ok := deflaters.Get().(*deflater)
			if !ok {
				z = &deflater{}
				z.Writer, _ = flate.NewWriter(&z.out, gzipLevel) // which fails for levels only that there are not
			}
			z.out.Reset()
			z.Reset(&z.out)
			// Writing to memory does not fail.
			_, _ = z.Write(block)
			if last {
				_ = z.Close()
			} else {
				_ = z.Flush()
			}
			data := bytes.Clone(z.out.Bytes())
			deflaters.Put(z)
			return data
		},
		read: func(r io.Reader) (io.Reader, func(), error) { return flate.NewReader(r), func() {}, nil },
		frame: func(parts []*part, trailer []byte) []*part {
			// Deflate; no name, no time, and no system that it was made on.
			header := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}
			return append(append([]*part{{header}}, parts...), &part{trailer})
		},
		open: func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
	}
}

// zstdCodec makes each block a frame of zstd; frames may follow each other.
func zstdCodec() *codec {
	z, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault)) // which fails for options only that there are not
	return &codec{
		mediaType: types.OCILayerZStd,
		compress:  func(block []byte, _ bool) []byte { return z.EncodeAll(block, nil) },
		read: func(r io.Reader) (io.Reader, func(), error) {
			d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
			if err != nil {
				return nil, nil, err
			}
			return d, d.Close, nil
		},
		frame: func(parts []*part, _ []byte) []*part { return parts },
		open: func(r io.Reader) (io.ReadCloser, error) {
			d, err := zstd.NewReader(r)
			if err != nil {
				return nil, err
			}
			return d.IOReadCloser(), nil
		},
	}
}
