// Package openreview reads submissions as OpenReview's two API versions give them.
package openreview
