package legacy

// WriteYAML writes a value that is given as JSON as a YAML document.
func WriteYAML(data []byte) ([]byte, error) {
	v, err := decodeValue(data)
	if err != nil {
		return nil, err
	}
	return writeYAML(v), nil
}
