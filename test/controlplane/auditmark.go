package controlplane

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// AuditMark is a position in the audit log. The zero mark is its beginning.
type AuditMark int64

// AuditMark is the end of the log's last whole line; the API server may be in
// the midst of another one. A request may be answered a moment before it is
// logged; use WaitForAudit to wait for an expected one.
func (c *Cluster) AuditMark() (AuditMark, error) {
	file, err := os.Open(c.path(auditLogFile))
	if err != nil {
		return 0, fmt.Errorf("read the audit log: %w", err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return 0, fmt.Errorf("read the audit log: %w", err)
	}
	end, err := lastLineEnd(file, info.Size())
	if err != nil {
		return 0, fmt.Errorf("read the audit log: %w", err)
	}
	return AuditMark(end), nil
}

// lastLineEnd looks for the last line break before size, in ever larger pieces.
func lastLineEnd(r io.ReaderAt, size int64) (int64, error) {
	for length := int64(64 << 10); ; length *= 2 {
		start := max(0, size-length)
		tail := make([]byte, size-start)
		if _, err := r.ReadAt(tail, start); err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if i := bytes.LastIndexByte(tail, '\n'); i >= 0 || start == 0 {
			return start + int64(i) + 1, nil
		}
	}
}
