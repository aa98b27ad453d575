package keyword

// isStopWord reports whether a normalised word says nothing of what a text is about:
// English articles, pronouns, prepositions, conjunctions and auxiliary verbs.
func isStopWord(word string) bool {
	switch word {
	case "a", "about", "above", "after", "again", "against", "all", "also", "although", "am", "among", "an",
		"and", "any", "are", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both",
		"but", "by", "can", "cannot", "could", "did", "do", "does", "doing", "done", "down", "during", "each",
		"either", "few", "for", "from", "further", "had", "has", "have", "having", "he", "hence", "her", "here",
		"hers", "herself", "him", "himself", "his", "how", "however", "i", "if", "in", "into", "is", "it", "its",
		"itself", "just", "may", "me", "might", "more", "most", "must", "my", "myself", "neither", "no", "nor",
		"not", "now", "of", "off", "on", "once", "only", "or", "other", "our", "ours", "ourselves", "out", "over",
		"own", "per", "same", "shall", "she", "should", "since", "so", "some", "such", "than", "that", "the",
		"their", "theirs", "them", "themselves", "then", "there", "thereby", "therefore", "these", "they", "this",
		"those", "though", "through", "thus", "to", "too", "toward", "towards", "under", "until", "up", "upon",
		"us", "very", "via", "was", "we", "were", "what", "when", "where", "whereas", "whether", "which", "while",
		"who", "whom", "whose", "why", "will", "with", "within", "without", "would", "yet", "you", "your",
		"yours", "yourself", "yourselves":
		return true
	}
	return false
}
