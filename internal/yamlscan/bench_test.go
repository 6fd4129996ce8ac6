package yamlscan

import "testing"

func BenchmarkScan(b *testing.B) {
	docs := corpus(b, true)
	n := 0
	for _, d := range docs {
		n += len(d)
	}
	b.Run("scan", func(b *testing.B) {
		s := New()
		b.SetBytes(int64(n))
		b.ReportAllocs()
		for b.Loop() {
			for _, d := range docs {
				s.Scan(d, 1000)
			}
		}
	})
	b.Run("json", func(b *testing.B) {
		s := New()
		b.SetBytes(int64(n))
		var out []byte
		for b.Loop() {
			for _, d := range docs {
				out, _ = s.AppendJSON(out[:0], d)
			}
		}
	})
}
