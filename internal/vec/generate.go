package vec

//go:generate go run ./gen
