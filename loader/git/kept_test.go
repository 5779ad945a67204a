package git

import (
	"bytes"
	"reflect"
	"testing"
)

// What can be read as kept changes is what was kept, and nothing else is.
func FuzzChanged(f *testing.F) {
	for _, c := range []Changed{{}, {Work: -1}, {Files: []File{{"a/b.yaml", Regular, OID{1}}, {"", Unreadable, OID{}}},
		Work: 1 << 40}} {
		raw, err := c.AppendBinary(nil)
		if err != nil {
			f.Fatal(err)
		}
		var again Changed
		if err := again.UnmarshalBinary(raw); err != nil || !reflect.DeepEqual(again, c) {
			f.Errorf("%v, %v, expected %v", again, err, c)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var c, again Changed
		if c.UnmarshalBinary(raw) != nil {
			return
		}
		short, err := c.AppendBinary(nil)
		if err != nil || again.UnmarshalBinary(short) != nil || !reflect.DeepEqual(again, c) {
			t.Errorf("%v, %v, expected %v", again, err, c)
		}
		if len(short) > len(raw) || len(short) == len(raw) && !bytes.Equal(short, raw) {
			t.Errorf("%x is kept as %x", raw, short)
		}
	})
}
