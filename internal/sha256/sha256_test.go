package sha256

import (
	"bytes"
	stdlib "crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
)

// The examples of FIPS 180-2, appendix B, and the empty text.
func TestKnownAnswers(t *testing.T) {
	cases := map[string]struct{ reason, text, want string }{
		"Empty": {"Nothing but padding.", "",
			"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		"OneBlock": {"B.1: text, padding and length are one block.", "abc",
			"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		"TwoBlocks": {"B.2: the length has no room in the block of the text.", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
			"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		"Million": {"B.3: many blocks.", strings.Repeat("a", 1_000_000),
			"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if sum := Sum256(tc.text); hex.EncodeToString(sum[:]) != tc.want {
				t.Errorf("%s got %x, want %s", tc.reason, sum, tc.want)
			}
		})
	}
}

// Every length around the ends of the first blocks, and random longer ones.
func TestAsStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	lengths := make([]int, 0, 600)
	for n := range 301 {
		lengths = append(lengths, n)
	}
	for range 300 {
		lengths = append(lengths, r.IntN(1<<16))
	}
	for _, n := range lengths {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		if got, want := Sum256(data), stdlib.Sum256(data); got != want {
			t.Fatalf("%d bytes: got %x, want %x", n, got, want)
		}
	}
}

// A hash is taken of what a caller goes on to use.
func TestLeavesItsInput(t *testing.T) {
	room := bytes.Repeat([]byte("x"), 128)
	Sum256(room[:70])
	if !bytes.Equal(room, bytes.Repeat([]byte("x"), 128)) {
		t.Errorf("the text or what is behind it was written: %q", room)
	}
}

func TestAllocations(t *testing.T) {
	text := strings.Repeat("registry.example.org/org/package ", 10)
	if n := testing.AllocsPerRun(100, func() { Sum256(text) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func FuzzSum256(f *testing.F) {
	f.Add([]byte("abc"))
	f.Add(make([]byte, 55))
	f.Add(make([]byte, 56))
	f.Add(make([]byte, 64))
	f.Fuzz(executions.Many(func(t *testing.T, data []byte) {
		want := stdlib.Sum256(data)
		if got := Sum256(data); got != want {
			t.Errorf("got %x, want %x", got, want)
		}
		if got := Sum256(string(data)); got != want {
			t.Errorf("as a string: got %x, want %x", got, want)
		}
	}))
}
