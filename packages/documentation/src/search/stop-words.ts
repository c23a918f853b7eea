/**
 * English words that do not indicate a question's subject: articles, pronouns, prepositions, auxiliaries, question words,
 * numerals, and the verbs and adverbs of any sentence.
 */
const WORDS = `
a about above after again all already also always am an and any anybody anyone anything are aren't as at
be because been being below best better between both but by
came can can't cannot come comes coming could couldn't
did didn't do does doesn't doing don don't done down during
each eight either else even ever every everybody everyone everything few five for four from further
gave get gets getting give given gives go goes going gone good got
had has hasn't have haven't having he her here hers him his how however
i i'd i'll i'm i've if in into is isn't it it's its itself just keep keeps keeping kept know
let like long lot lots made make makes making many may me mean means meant middle might mine more most much must my myself
need needs never nice nine no nobody none nor not nothing now
of off often ok on once one ones only onto or other our ours out over own per please put quite
rather really said same saw say saying says seen seven shall she should shouldn't six so some somebody somehow someone
something sometimes somewhere still such
take taken takes tell ten than that that's the their theirs them then there these they thing things this those though
three through thus to told too took toward towards two
under until up upon us use used uses using very via
want wants was wasn't way ways we went were weren't what what's when where whether which while who whom whose why will
with within without won't would wouldn't yes yet you your yours yourself far bit
`;

const STOP_WORDS: ReadonlySet<string> = new Set(
  WORDS.trim()
    .split(/\s+/)
    .map((word) => word.replaceAll("'", '')),
);

/** Whether a lower-case word without apostrophes does not indicate a question's subject. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/**
 * Words of a question about any subject: forms of the question itself (`is … supported`, `… setup`), and plain adjectives,
 * adverbs, verbs and nouns of everyday speech. An answering page may lack them. No word of a subject may be listed: its absence
 * from a corpus is the best sign of a question it does not cover.
 */
const ANY_SUBJECT = `
available exist exists explain guide guides happen happened happening happens possible setup support supported supporting supports tutorial tutorials walkthrough work worked working works
able accidentally actual actually advice afraid afterwards agree almost alone along alongside although amid among amount annoying anyway
apart apparently appear approximately arrive aside attempt avoid away awful awkward bad barely basically become begin beginning behalf
behave behind believe belong benefit beside beyond big bigger biggest bother bottom brief briefly bring bunch busy calm care careful
carefully carry cause certain certainly chance cheap choose chore clear clever common complain completely complex confuse confusing
consider constantly convenient correct correctly couple crazy current currently danger dangerous day deal decide deep degree
deliberately describe despite detail differ difference different difficult difficulty direction dirty disappear doubt dumb early easily
easy effort enjoy enormous enough entire entirely eventually everywhere exact exactly example expect extent extra fact fair familiar
fancy fast faster feel figure final finally find fine folks follow forever forget former friend fully fun funny future gain gather
gentle giant grab gradually grow guess guy habit half halfway hand handful handy happy hard hardly harmless hate hear heavy help helpful
hence hit hole honest hope hostile hour huge hundred hurt idea ideal imagine immediately important impossible improve inch incorrect
indeed inside insist instantly instead intend kind lack large larger last lately later latest lead leave likely literally little lone
longer longest look loose lose loud love low luck lump mainly major majority manner matter maybe meaning meanwhile meet mention mere
merely mess minor minute miss mistake moment mostly mysteriously naive namely narrow nasty natural nature nearby nearly neat necessary
newcomer normal normally notice nowhere obtain obvious obviously occasion occasionally occur odd old opinion opposite ordinary otherwise
outcome outside overall pain painful painfully pair particular partly past people perfect perfectly perhaps permanently person piece
plain plenty point polite poor popular portion possibility possibly precise prefer prepare presumably previous previously probably
problem proper properly prove purely purpose quick quickly quiet quietly rare rarely reach real reasonable recent recently reliable
remain remaining remember reply rid right rise risk rough roughly rude sad sadly safe sane scenario secretly seem seldom sensible
separately serious seriously several shallow short shorten shortly shut silent silently similarly simple simply since single sit
situation slight slightly slow slowly small smaller smart smooth solve soon specifically spend spot stand stay steady stick strange
strong struggle stuck stuff stupid subtle succeed sudden suddenly suffer suitable suppose supposedly sure surely surprise surprising
survive suspicious suspiciously tall tend terrible thank therefore thick thin thousand tired today tomorrow total totally tough treat
trick tricky trouble truth try typical typically ugly unable understand unexpected unfortunately unless unlike unnecessary unusual
useful useless usual usually vanish various vast visitor wait weak week weekday weird whatever whenever wherever whichever whole wide wild win
wise wish wonder world worry worse worst wrong year yesterday young
monday tuesday wednesday thursday friday saturday sunday tonight
`;

const PLAIN_WORDS: ReadonlySet<string> = new Set(ANY_SUBJECT.trim().split(/\s+/));

/**
 * Whether a lower-case word may occur in a question about anything. Unlike in the index, words of one family are separate:
 * `reasoning` and `completion` are subjects.
 */
export function isPlainWord(word: string): boolean {
  return PLAIN_WORDS.has(word) || PLAIN_WORDS.has(word.replace(/s$/, ''));
}
