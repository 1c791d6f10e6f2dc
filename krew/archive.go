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

// written is the time that every entry bears, so that archives don't depend on
// when they were made: the earliest that a zip file can tell.
var written = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// pack writes the archive that the target's users expect.
func pack(w io.Writer, t target, entries []entry) error {
	if t.os == windows {
		return packZip(w, entries)
	}
	return packTar(w, entries)
}

func packTar(w io.Writer, entries []entry) error {
	gz, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	tw := tar.NewWriter(gz)
	for _, e := range entries {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Format: tar.FormatUSTAR, ModTime: written,
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

func packZip(w io.Writer, entries []entry) error {
	zw := zip.NewWriter(w)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: written}
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
