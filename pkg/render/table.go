package render

import (
	"bytes"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// table writes rows under a header in kubectl's style: no lines, three spaces
// between columns, indented. A nil header is left out. It returns how wide the
// widest line is.
func table(w io.Writer, indent string, header []string, rows [][]string) error {
	lines, err := tableLines(header, rows)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if _, err := io.WriteString(w, strings.TrimRight(indent+line, " ")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func tableLines(header []string, rows [][]string) ([]string, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	var buf bytes.Buffer
	t := tablewriter.NewTable(&buf,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
		})),
		tablewriter.WithConfig(tableConfig()))
	if header != nil {
		t.Header(header)
	}
	if err := t.Bulk(rows); err != nil {
		return nil, err
	}
	if err := t.Render(); err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimRight(buf.String(), "\n"), "\n"), nil
}

func tableConfig() tablewriter.Config {
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
		Padding:    tw.CellPadding{Global: tw.Padding{Right: "   ", Overwrite: true}},
	}
	return tablewriter.Config{Header: cell, Row: cell, Behavior: tw.Behavior{TrimSpace: tw.Off}}
}
