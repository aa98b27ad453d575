// Package openalex reads works as OpenAlex gives them: pages of its API, and the lines
// of its snapshot.
package openalex
