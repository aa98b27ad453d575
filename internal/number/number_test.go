package number_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/number"
)

func TestOf(t *testing.T) {
	for _, test := range []struct {
		n    int
		noun string
		want string
	}{
		{0, "paper", "0 papers"}, {1, "paper", "1 paper"}, {2, "query", "2 queries"}, {1, "query", "1 query"}, {102002, "token", "102,002 tokens"}, {-1, "theme", "-1 themes"},
	} {
		if got := number.Of(test.n, test.noun); got != test.want {
			t.Errorf("Of(%d, %q) = %q, want %q", test.n, test.noun, got, test.want)
		}
	}
}
