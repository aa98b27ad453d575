// Package endnote reads the exports of EndNote: the tagged form ("Refer", %T) and XML.
package endnote
