package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"io/fs"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string
	mode fs.FileMode
	data []byte
}

// pack writes the archive that the target's users expect. Every entry bears the date
// of the release, so that archives don't depend on when they are made.
func pack(w io.Writer, t target, date time.Time, entries []entry) error {
	if t.os == windows {
		return packZip(w, date, entries)
	}
	return packTar(w, date, entries)
}

func packTar(w io.Writer, date time.Time, entries []entry) error {
	gz, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	tw := tar.NewWriter(gz)
	for _, e := range entries {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Format: tar.FormatUSTAR, ModTime: date,
			Name: e.name, Mode: int64(e.mode), Size: int64(len(e.data)),
		}
		if err := tw.WriteHeader(header); err != nil {
			return err
		}
		if _, err := tw.Write(e.data); err != nil {
			return err
		}
	}
	if err := tw.Close(); err != nil {
		return err
	}
	return gz.Close()
}

func packZip(w io.Writer, date time.Time, entries []entry) error {
	zw := zip.NewWriter(w)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: date}
		header.SetMode(e.mode)
		f, err := zw.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := f.Write(e.data); err != nil {
			return err
		}
	}
	return zw.Close()
}
