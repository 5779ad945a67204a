package signers

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"regexp"
)

const (
	beginSSH = "-----BEGIN SSH SIGNATURE-----"
	endSSH   = "-----END SSH SIGNATURE-----"
	beginPGP = "-----BEGIN PGP SIGNATURE-----"
	endPGP   = "-----END PGP SIGNATURE-----"
)

// maxSignature is the maximum size of an armored signature in bytes.
const maxSignature = 64 << 10

var errArmor = errors.New("its armor is not what the signing program writes")

// unarmor returns the lines between two markers. The libraries would ignore what is before, after
// and between them.
func unarmor(armored []byte, begin, end string) ([]byte, error) {
	text, ok := bytes.CutPrefix(armored, []byte(begin+"\n"))
	text, whole := bytes.CutSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"+end))
	if !ok || !whole || len(armored) > maxSignature {
		return nil, errArmor
	}
	return text, nil
}

// plain decodes lines of base64.
func plain(lines []byte) ([]byte, error) {
	text := bytes.ReplaceAll(lines, []byte("\n"), nil)
	raw, err := base64.StdEncoding.Strict().DecodeString(string(text))
	if err != nil || bytes.IndexByte(text, '\r') >= 0 { // the decoder ignores it
		return nil, errArmor
	}
	return raw, nil
}

// armorPGP matches the content of an OpenPGP armor (RFC 4880, section 6.2): headers, an empty
// line, the data, and a checksum, without which gpg can take the last line for data.
var armorPGP = regexp.MustCompile(`\A(?:[A-Za-z]+: [^\r\n]*\n)*\n((?:[A-Za-z0-9+/=]+\n)+?)=([A-Za-z0-9+/]{4})\n\z`)

func unarmorPGP(armored []byte) ([]byte, error) {
	text, err := unarmor(armored, beginPGP, endPGP)
	if err != nil {
		return nil, err
	}
	m := armorPGP.FindSubmatch(append(bytes.Clone(text), '\n'))
	if m == nil {
		return nil, errArmor
	}
	raw, err := plain(m[1])
	if err != nil {
		return nil, err
	}
	sum, err := plain(m[2])
	if err != nil || !bytes.Equal(sum, crc24(raw)) {
		return nil, errors.New("the checksum of its armor is wrong")
	}
	return raw, nil
}

// crc24 is the checksum of the armor of OpenPGP (RFC 4880, section 6.1).
func crc24(raw []byte) []byte {
	crc := uint32(0xB704CE)
	for _, b := range raw {
		crc ^= uint32(b) << 16
		for range 8 {
			if crc <<= 1; crc&0x1000000 != 0 {
				crc ^= 0x1864CFB
			}
		}
	}
	return binary.BigEndian.AppendUint32(nil, crc)[1:]
}
