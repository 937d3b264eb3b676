package mayfly

import (
	"fmt"
	"strings"
	"time"
)

const timeLayout = "2006-01-02 15:04:05"

// A Time is a time in the service's format, in UTC.
type Time struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(data []byte) error {
	parsed, err := time.Parse(timeLayout, strings.Trim(string(data), `"`))
	if err != nil {
		return fmt.Errorf("mayfly: not a time: %s", data)
	}
	t.Time = parsed
	return nil
}

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(`"` + t.UTC().Format(timeLayout) + `"`), nil
}
