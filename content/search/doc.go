// Package search finds current items by words: an immutable full-text index of
// Russian text, codes and numbers, swapped together with the snapshot.
//
// # Words
//
// A [Document] is what there is to find: a guideline, an instruction, a term, a
// signal, a parameter. An [Entry] is a document that has been read: its words
// are stemmed and counted. An [Index] is what is searched: it knows which
// entries hold which word. A name is a word or phrase that has synonyms.
//
// # Cost
//
// Nearly all the work is in [Analyse], and an Entry never changes, so an entry
// of a document that did not change is handed to the next index as it is. [New]
// only sorts what the entries have counted already. Neither keeps a second copy
// of the text: snippets are cut from the document.
//
// # What matches
//
// A document is found by a good share of the words of a query, and by all of them first.
// Rare words are a greater share than frequent ones, and a word that no document has is
// none.
//
//   - Russian words match in any form: «процентам» finds «проценты». The stemmer
//     is Snowball's, mended where it tears the forms of one word apart, which it
//     does to «кредит», «канал» and «ставок», and the words of a family are one:
//     «рассмотрит», «рассматривают» and «рассмотрение». ё and е, upper and lower case
//     are alike, and soft hyphens and stress marks are not there.
//   - Latin words and codes match by prefix, without regard to case, from any
//     part of the code on: apk_inst and installation find
//     APK_INSTALLATION_REQUESTED, deepfake finds
//     fraud.ai-deepfake-impersonation.001. The separators . _ - are alike. A
//     single letter is no prefix. A code that nothing has is looked for by its parts.
//   - Numbers match whole: 15 does not find 150. «1,4» is 1.4, «1 400 000» is 1400000
//     and 1,4 млн, % is «процент», ₽ is «рубль».
//   - Stop words (и, в, как …) are ignored unless the query has nothing else.
//   - Names: where the query holds one name of a group of synonyms, a document
//     that holds another one, word for word in that order, matches as well. Names of
//     one word are as rare together as what has any of them.
//   - Quotes, operators and all other punctuation separate words, no more. A
//     query without a word finds nothing; a blank one finds all documents that
//     pass the filters. Only the first 64 different words count.
//
// A word that no document has is guessed, in this order: typed with the other keyboard
// layout, written in Latin letters, two words without a space, the beginning of a word, one slip of the finger in
// four to seven letters or two in more (Damerau and Levenshtein), a compound with a word
// in it. What was found so is [Similar]. [Index.Suggest] says what was guessed.
//
// Kind, scenario, product type and signal are compared as they are written. What is a
// good share does not depend on the kind that is asked for, so that a search of one kind
// finds what a search of all counts of it, and where that is nothing, what there is.
//
// # Order
//
// What has all words in the title, the codes and one place of the text comes first. Then
// the score decides, which is Okapi BM25 with inverse document frequency over two fields
// (BM25F), times how much of the query a document has (a coordination factor), how close
// the words are in it (proximity), how like one of its names the query is (the Dice
// coefficient), and what its kind is worth:
//
//	Σ idf(w)·worth(w) · share^½ · (0.6·place + 0.4·title)^1.5 · (1 + 6·like⁴) · weight
//
//	idf(w)   = ln(1 + (N − n + 0.5)/(n + 0.5)), n at least N/32; 0.4 of it for a number
//	worth(w) = 2.6·(3·h/(h + kh) + b/(b + kb)), k = 1.6·(1 − c + c·length/average)
//	like     = 2·q·d/(q + d)
//
// h and b are how often w is in the title and codes and in the text, and c is 0.2 and 0.5
// for them; another name counts 0.8 of it and a guess 0.5 to 0.9. share, place and title are
// how much of the query the document, its best 12 words together with the title, and the
// title alone have, by idf. q is how much of the query a name has by idf, d how many of the
// name's words the query has; it is for the best of the title, the id and, with 0.95 of it,
// the other codes. The best 48 are looked at for place, title and like, the others follow
// them. Equal scores are in the order of kinds, then of ids, and so is a result without a
// text; kinds come in the order in which the entries given to New first show them. So the
// same entries and the same query give the same answer, everywhere.
//
// # Why it is not a library
//
// bleve v2.6.3 with its Russian analyzer, title and codes boosted, was given the same 661
// documents: of the starter's 889 questions it has an answer among the first three for 74 %,
// with fuzziness for 75 %, and for 67 % with the same synonyms; the mean reciprocal rank is
// at most 0.70. Of questions with slips, in Latin letters or the other keyboard layout it
// finds a half. Its slowest searches take tens of milliseconds, and an index is made anew for
// all documents in seconds. This index has all of the 889, with a mean reciprocal rank of
// 0.936, and the slowest take two milliseconds.
package search
