// Package eval turns rankings and judgements into figures: nDCG, recall and reciprocal
// rank, with bootstrap intervals; and reads judged queries in the forms of BEIR and
// TREC. It knows neither papers nor how a ranking was made.
package eval
