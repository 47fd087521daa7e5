package credential

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzParse checks that whatever parse accepts can be written and is read back unchanged.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"version":1,"keys":{"openai":{"in":"file","key":"sk-1"},"xai":{"in":"keyring"}}}`))
	f.Add([]byte(`{"version":1,"keys":null}`))
	f.Add([]byte(`{"version":1,"keys":{"":{"in":"file","key":"sk"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		stored, ok := parse(text)
		if !ok {
			return
		}
		path := filepath.Join(t.TempDir(), "auth.json")
		if err := stored.write(path); err != nil {
			t.Fatal(err)
		}
		again, err := read(path)
		if diff := cmp.Diff(stored, again); diff != "" || err != nil {
			t.Errorf("read again: %v (-want +got):\n%s", err, diff)
		}
	})
}
