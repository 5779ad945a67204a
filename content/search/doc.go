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
// Every word of the query must be in the document (AND), anywhere in it.
//
//   - Russian words match in any form: «процентам» finds «проценты». The stemmer
//     is Snowball's, mended where it tears the forms of one word apart, which it
//     does to «кредит», «канал» and «ставок». ё and е, upper and lower case are
//     alike, and soft hyphens and stress marks are not there.
//   - Latin words and codes match by prefix, without regard to case, from any
//     part of the code on: apk_inst and installation find
//     APK_INSTALLATION_REQUESTED, deepfake finds
//     fraud.ai-deepfake-impersonation.001. The separators . _ - are alike. A
//     single letter is no prefix.
//   - Numbers match whole: 15 does not find 150. «1,4» is 1.4, «1 400 000» is
//     1400000, «млн» is «миллион».
//   - Stop words (и, в, как …) are ignored unless the query has nothing else.
//   - Names: where the query holds one name of a group of synonyms, a document
//     that holds another one, word for word in that order, matches as well.
//   - Quotes, operators and all other punctuation separate words, no more. A
//     query without a word finds nothing; a blank one finds all documents that
//     pass the filters. Only the first 64 different words count.
//
// Scenario, product type and signal are compared as they are written.
//
// # Order
//
// BM25 with the title and the codes weighing more than the text. What was found
// as it was asked for comes before what was found by another name. Equal scores
// are in the order of kinds, then of ids, and so is a result without a text;
// kinds come in the order in which the entries given to New first show them. So
// the same entries and the same query give the same answer, everywhere.
package search
