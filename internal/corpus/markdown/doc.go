// Package markdown reads reading lists: Markdown files with a paper in each item of a
// list or each row of a table, as "awesome" lists and wikis have them.
package markdown
