// Package xml reads papers from XML of any origin by the names of its elements: JATS
// articles, Dublin Core, dblp, anthologies, and records that someone made up.
package xml
