// Package cluster groups vectors and names the groups: themes of a collection that are
// the same tomorrow and in any order, with names made from the papers' own words.
//
// [KMeans] is spherical k-means. [Themes] is what a collection is shown by: how many
// themes there are and why, which theme each item belongs to and how surely, and the
// items that represent each theme. [Names] turns texts and themes into readable names.
// A vector is a row of a flat []float32, an item its number; nothing here knows what a
// paper is, or where neighbours come from.
//
// # How themes are found
//
// Vectors are put in the order of their own bytes and copies of one vector become one
// row, so that the order of input cannot matter. Each row is blurred over its nearest
// neighbours. Sixty runs of k-means, each on its own four fifths of the rows, say which
// rows belong together; average linkage on how often they do gives the themes, and each
// row then goes to the theme with which it was together most often. What a run draws
// for a row depends on the row's own bytes alone: papers that come or go leave the
// draws of all others as they were.
package cluster
