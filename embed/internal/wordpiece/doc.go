// Package wordpiece splits text into the tokens of a BERT model, with the ids that the
// reference tokenizer (the tokenizers library, uncased BERT settings) gives:
//
//  1. Control, format and private-use characters, NUL and U+FFFD are dropped; white
//     space ends a word.
//  2. CJK ideographs are words of their own.
//  3. Text is decomposed (NFD) and loses its non-spacing marks, then each code point
//     becomes lower case by itself (no final sigma).
//  4. ASCII punctuation and Unicode punctuation characters are words of their own.
//  5. A word is cut into the longest pieces of the vocabulary, from the left; one that
//     cannot be, or that is longer than 100 code points, is one [UNK].
//
// Steps 1 to 4 are one look-up a code point, in tables read off the reference by
// generate.py: that library's own character tables are of Unicode 8, and so are these,
// whatever Go's are (an unassigned code point, for example, is kept and makes its word
// [UNK]). A look-up for each code point leaves out the canonical reordering of NFD. It
// could only matter for a mark that is not dropped and that a piece of the vocabulary
// holds; a test proves that the bundled vocabulary has none.
//
// Two choices are ours. The literal text of a special token, such as "[SEP]", is
// ordinary text: an abstract must not be able to end its own input. And bytes that are
// not UTF-8 are dropped, as the reference drops the U+FFFD that a decoder would put in
// their place.
package wordpiece
