/**
 * English words that say nothing of what a question is about: articles, pronouns, prepositions, auxiliaries, question
 * words, numerals, and the verbs and adverbs that any sentence may hold.
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
need needs never nice nine no nor not nothing now
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

/** Whether a lower-case word without apostrophes says nothing of what a question is about. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Words in which a question asks for anything: where a corpus does without them, it may well answer. */
const ASKING: ReadonlySet<string> = new Set(
  'support supports supported supporting happen happens happened happening possible explain work works worked working available exist exists'.split(
    ' ',
  ),
);

/** Whether a lower-case word, where the corpus does not hold it, is no sign of a foreign question. */
export function onlyAsks(word: string): boolean {
  return ASKING.has(word);
}
