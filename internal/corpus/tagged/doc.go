// Package tagged reads files whose lines begin with a tag: RIS, NBIB, EndNote, Web of
// Science and RefWorks differ in how a tag is written and what ends a record, and in
// little else. A line without a tag goes on with the field before it.
package tagged
