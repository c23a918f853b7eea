/** Words that documents, comments and messages do not use, and what to write. A pattern is as narrow as the sense that is meant. */
export const BANNED: readonly (readonly [word: RegExp, instead: string])[] = [
  // Archaic words
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, correct, how to fix'],
  [/\b(?:whoever|whomever|(?<!\b(?:by|for|of|to|with) )whom)\b/i, 'a caller who, the person, the subject'],
  [/\banew\b/i, 'again'],
  [/\b(?:thereby|therein|thereof|wherein|whereupon|whence|hence)\b/i, 'so, in it, by this'],
  [/\b(?:upon|amid|lest|ere)\b/i, 'on, during, so that'],
  [/\b(?:told|tell) apart\b/i, 'distinguished, distinguish'],
  [/\bto the letter\b/i, 'exactly'],
  [/\bas (?:it|they|he|she) stands?\b/i, 'as it is, the current'],
  [/\b(?:hold|holds|held)(?: \w+){0,2} against\b/i, 'compare with, check'],
  [/, for (?:it|they|he|she) (?:is|are|was|has|have|may|can|runs?)\b/i, 'because'],
  [/\bover ones\b/i, 'expired ones'],
  [/\bat hand\b/i, 'available, there'],
  [/(?:^|\*+ )Told (?:of|once|how|why)\b/, 'called with'],
  // Metaphors and names of ours for things that have a standard term
  [/\bverdicts?\b/i, 'decision'],
  [/\bcorridors?\b/i, 'pipeline, relay'],
  [/\b(?:stations?|errands?)\b/i, 'step, call'],
  [/\bsigns? of life\b/i, 'heartbeat'],
  [/\b(?:likeness(?:es)?|surroundings)\b/i, 'event template, dependencies'],
  [/\blook(?:s|ed|ing)? through\b/i, 'scan'],
];

/** The longest sentence of a document. */
export const MOST_WORDS = 25;
