// Package shareddata finds the folder of test data that lies beside the repository
// and is no part of it. Only tests use it; a test whose data is absent is skipped
// with a message that says what to do.
package shareddata
