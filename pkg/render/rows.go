package render

import "io"

// Rows writes cells below headers as kubectl's custom columns do; an empty cell is
// <none>.
func Rows(w io.Writer, headers []string, rows [][]string, o Options) error {
	shown := make([][]string, len(rows))
	for i, row := range rows {
		shown[i] = make([]string, len(row))
		for j, cell := range row {
			if shown[i][j] = clean(cell); cell == "" {
				shown[i][j] = "<none>"
			}
		}
	}
	if o.NoHeaders {
		headers = nil
	}
	return table(w, "", headers, shown)
}
