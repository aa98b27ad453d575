package engine

// ThemesFound is how themes were found, with what that has changed.
type ThemesFound struct {
	K         int     `json:"k"`
	Asked     int     `json:"asked"` // how many themes were asked for, now or before; 0: chosen
	Levels    int     `json:"levels"`
	Seed      uint64  `json:"seed"`
	ChosenBy  string  `json:"chosen_by"` // "user", or "structure" or "size" of the collection
	Reason    string  `json:"reason"`
	Stability float64 `json:"stability"` // mean adjusted Rand index of single runs with the themes
	Clear     bool    `json:"clear"`     // false: the groups are hardly clearer than chance would make them
	// What finding the themes again has changed; nil where they are as they were.
	Changes *ThemeChanges `json:"changes,omitempty"`
	// The papers that came since and were given their theme now; nil where there were none.
	Join *JoinReport `json:"join,omitempty"`
}

// Themes is a collection in groups.
type Themes struct {
	ThemesFound
	Themes []Theme `json:"themes"`
	// Papers that came after the themes were found and fit none.
	FitNone []ThemePaper `json:"fit_none"`
}

// Theme is one group.
type Theme struct {
	ID              string       `json:"id"`
	Label           string       `json:"label"`                 // the name that a person gave it, or else the found one
	FoundLabel      string       `json:"found_label,omitempty"` // where a person gave it another
	Terms           []string     `json:"terms"`
	Size            int          `json:"size"`
	Representatives []string     `json:"representatives"`
	Papers          []ThemePaper `json:"papers"` // the clearest first
	Parent          string       `json:"parent,omitempty"`
}

// ThemePaper is a paper's place in a theme; Fit is from 0, between themes, to 1.
type ThemePaper struct {
	ID    string   `json:"id"`
	Keys  []string `json:"keys"`
	Title string   `json:"title"`
	Fit   float64  `json:"fit"`
	// Between is the other theme of a paper that lies between two; of one that fits none,
	// the nearest.
	Between string `json:"between,omitempty"`
	Joined  bool   `json:"joined,omitempty"` // it came after the themes were found
}

// ThemeRef names a theme.
type ThemeRef struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// ThemeChanges is how newly found themes differ from those before.
type ThemeChanges struct {
	Kept  int        `json:"kept"` // themes that are still the same: their ids and names stay
	New   []ThemeRef `json:"new"`
	Gone  []ThemeRef `json:"gone"`
	Moved int        `json:"moved"` // papers in another theme than before
	// Renamed are themes that are still the same, and are found to be called otherwise.
	Renamed []RenamedTheme `json:"renamed"`
}

// RenamedTheme is a theme and the label that it had.
type RenamedTheme struct {
	ThemeRef
	Was string `json:"was"`
}

// JoinReport is which themes new papers have joined.
type JoinReport struct {
	Joined  int          `json:"joined"`
	FitNone int          `json:"fit_none"`
	Into    []ThemeCount `json:"into"`    // the most first
	Drifted bool         `json:"drifted"` // more than a tenth of the papers came, changed or went since the themes were found
}

// ThemeCount counts papers of a theme.
type ThemeCount struct {
	ThemeRef
	Papers int `json:"papers"`
}
