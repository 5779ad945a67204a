// Package search is an immutable full-text index over the current items: Russian text,
// codes and numbers. It is replaced together with the snapshot.
//
// # Words
//
// A [Document] is what can be found: a guideline, an instruction, a term, a
// signal, a parameter. An [AnalysedDocument] is an analysed document, with its words
// stemmed and counted. An [Index] is the inverted index over entries. A name is a word
// or phrase that has synonyms.
//
// # Cost
//
// Nearly all the work is done by [Analyse], and an Entry is immutable, so the entry
// of an unchanged document is reused in the next index. [New] only sorts what the
// entries have counted already. Neither keeps a second copy of the text: snippets are cut
// from the document.
//
// # What matches
//
// A document matches if it has a sufficient share of the words of a query; documents with all
// words rank first. Rare words have a greater weight in the share than frequent ones, and a
// word that occurs in no document has none.
//
//   - Russian words match in any form: «процентам» finds «проценты». The stemmer
//     is Snowball's, corrected where it gives the forms of one word different stems, as it
//     does for «кредит», «канал» and «ставок», or different words one, as it does for
//     «брат» and «брать»; derived words are grouped: «рассмотрит», «рассматривают» and
//     «рассмотрение». ё equals е, case is ignored, and so are soft hyphens and stress marks.
//   - Latin words and codes match by prefix, ignoring case, starting at any
//     part of the code: apk_inst and installation find
//     APK_INSTALLATION_REQUESTED, deepfake finds
//     fraud.ai-deepfake-impersonation.001. The separators . _ - are equal. A
//     single letter is no prefix. An unknown code is searched by its parts.
//   - Numbers match as a whole: 15 does not find 150. «1,4» equals 1.4, «1 400 000» equals
//     1400000 and 1,4 млн, 150к equals 150 тысяч, % equals «процент», ₽ equals «рубль». What
//     money a number is of is ignored: «перевод на 15 000 рублей» does not ask for roubles.
//   - Stop words (и, в, как …) are ignored unless the query has no other words.
//   - Names: if the query contains one name of a group of synonyms, a document that
//     contains another name of the group, as a phrase, matches as well. Names of
//     one word share the document frequency of their union.
//   - Quotes, operators and all other punctuation only separate words. A
//     query without a word finds nothing; a blank one finds all documents that
//     pass the filters. Only the first 64 distinct words count.
//
// A word that occurs in no document is corrected, in this order: typed in the other keyboard
// layout, written in Latin letters, two words without a space, a prefix of a word, an edit
// distance (Damerau-Levenshtein) of one for four to seven letters or of two for longer words, a
// compound that contains a known word. Such matches are [Similar]. [Index.Suggest] returns the
// corrections.
//
// Kind, scenario, product type and signal are compared exactly. The required share does not
// depend on the kind filter, so a search of one kind returns the results that a search of all
// kinds counts for it, and if there are none, the best matches of the kind.
//
// # Order
//
// Documents with all words in the title, one other name and one passage of the text rank first. The
// rest is ordered by score: Okapi BM25 with inverse document frequency over two fields
// (BM25F), multiplied by the share of the query that the document has (coordination factor), how
// close the words are (proximity), how similar the query is to one of the document's names (Dice
// coefficient), and a weight per kind:
//
//	Σ idf(w)·worth(w) · share^½ · (0.6·place + 0.4·name) · (1 + 6·like⁴) · weight
//
//	idf(w)   = ln(1 + (N − n + 0.5)/(n + 0.5)), n at least N/32; 0.4 of it for a number
//	worth(w) = 2.6·(3·h/(h + kh) + b/(b + kb)), k = 1.6·(1 − c + c·length/average)
//	like     = 2·q·d/(q + d)
//
// h and b are the frequencies of w in title and codes and in the text; c is 0.2 and 0.5
// for them; a synonym counts 0.8 of it and a correction 0.5 to 0.9. share, place and name are
// the shares of the query, by idf, in the document, in its best window of 12 words together with
// the name, and in the name alone: the title, the id and one other name, the one with most words.
// q is the share of the query, by idf, in a name, d the share
// of the name's words in the query; the best is taken of the title, the id and, times 0.95,
// the other codes. place, name and like are computed for the best 48 documents; the others follow
// them. Equal scores are in the order of kinds, then of ids, and so is a result without
// words; kinds are in the order in which they first occur in the entries given to New. So the
// result depends only on the entries and the query.
//
// # Why it is not a library
//
// bleve v2.6.3 with its Russian analyzer, title and codes boosted, was given the same 661
// documents: for 74 % of 889 of the starter's questions it has an answer among the first three
// results, with fuzziness for 75 %, and for 67 % with the same synonyms; the mean reciprocal rank
// is at most 0.70. Of questions with typing errors, in Latin letters or in the other keyboard
// layout it finds a half. Its slowest searches take tens of milliseconds, and building an index
// of all documents takes seconds. This index answers all of the 889, with a mean reciprocal rank
// of 0.936, and its slowest searches take two milliseconds.
package search
