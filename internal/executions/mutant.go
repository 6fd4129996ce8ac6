package executions

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
)

// Half of the texts have at most shortest bytes, half of the others at most four times as many,
// and so on, up to longest: many a fault shows in a few bytes, which take less time.
const shortest, longest = 1 << 5, 1 << 11

// A mutator makes arguments of other ones. The zero value makes none.
type mutator struct {
	rand  *rand.Rand
	bases [][]reflect.Value
}

// mutant is a copy of some base, half of the time that of the seed, with up to eight changes.
func (m mutator) mutant(seed []reflect.Value) []reflect.Value {
	if m.rand.IntN(2) == 0 {
		seed = m.bases[m.rand.IntN(len(m.bases))]
	}
	args := make([]reflect.Value, len(seed))
	for i, a := range seed {
		args[i] = a
		switch a.Kind() {
		case reflect.String:
			args[i] = reflect.ValueOf(string(m.text([]byte(a.String()), i))).Convert(a.Type())
		case reflect.Slice:
			args[i] = reflect.ValueOf(m.text(bytes.Clone(a.Bytes()), i))
		default:
			if m.rand.IntN(2) == 0 {
				args[i] = reflect.ValueOf(m.rand.Uint64()).Convert(a.Type())
			}
		}
	}
	return args
}

// text changes a text, which is argument i, in place or by a copy. What is too long is cut
// to its head, or to a part of it.
func (m mutator) text(b []byte, i int) []byte {
	for range m.rand.IntN(8) {
		from := m.rand.IntN(len(b) + 1)
		to := min(len(b), from+m.rand.IntN(1+m.rand.IntN(64)))
		switch m.rand.IntN(8) {
		case 0: // a letter is another one
			if from < len(b) {
				b[from] = byte(m.rand.Uint32())
			}
		case 1: // a bit
			if from < len(b) {
				b[from] ^= 1 << m.rand.IntN(8)
			}
		case 2: // a letter that is often a sign of something
			const signs = "\x00\t\n\r \"#$%&'*+,-./0179:;<=>?@AZ[\\]^_`az{|}~\x7f\x80\xff"
			b = slices.Insert(b, from, signs[m.rand.IntN(len(signs))])
		case 3: // gone
			b = slices.Delete(b, from, to)
		case 4: // twice, in another place
			part := bytes.Clone(b[from:to])
			b = slices.Insert(b, m.rand.IntN(len(b)+1), part...)
		case 5, 6: // a part of another input
			if other := m.part(i); len(other) > 0 {
				b = slices.Replace(b, from, to, other...)
			}
		case 7: // a line goes elsewhere
			if n := bytes.IndexByte(b[from:], '\n'); n >= 0 {
				line := bytes.Clone(b[from : from+n+1])
				b = slices.Delete(b, from, from+n+1)
				b = slices.Insert(b, m.rand.IntN(len(b)+1), line...)
			}
		}
	}
	limit := shortest
	for limit < longest && m.rand.IntN(2) == 0 {
		limit *= 4
	}
	if over := len(b) - limit; over > 0 {
		from := m.rand.IntN(2) * m.rand.IntN(over+1)
		b = b[from : from+limit]
	}
	return b
}

// part is a piece of argument i of some base.
func (m mutator) part(i int) []byte {
	a := m.bases[m.rand.IntN(len(m.bases))][i]
	var b []byte
	if a.Kind() == reflect.String {
		b = []byte(a.String())
	} else {
		b = a.Bytes()
	}
	from := m.rand.IntN(len(b) + 1)
	return b[from:min(len(b), from+m.rand.IntN(1+m.rand.IntN(64)))]
}
