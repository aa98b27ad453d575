package paper

// Years outside of this range are taken for numbers of another kind.
const (
	firstYear = 1000
	lastYear  = 2100
)

// ParseYear finds the year in a source's text for a date: "May 2004", "c1988",
// "[1936]", "2019--2020" (the first), "20200131". It gives 0 where there is none.
func ParseYear(s string) int {
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			i++
			continue
		}
		start, year := i, 0
		for ; i < len(s) && isDigit(s[i]); i++ {
			if i-start < 4 {
				year = 10*year + int(s[i]-'0')
			}
		}
		isDate := i-start == 8 && isMonth(s[start+4:start+6]) && s[start+6:i] >= "01" && s[start+6:i] <= "31"
		isNegative := start == 1 && s[0] == '-'
		isNumber := start > 0 && s[start-1] == '#' // of an issue
		if (i-start == 4 || isDate) && year >= firstYear && year <= lastYear && !isNegative && !isNumber {
			return year
		}
	}
	return 0
}
