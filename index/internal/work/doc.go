// Package work divides loops among goroutines. What a loop computes must not depend on how
// it is divided.
package work
