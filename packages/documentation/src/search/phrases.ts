import { stem } from './stem.ts';

/** Turns of phrase whose words say little one by one, and what they mean. */
const PHRASES: readonly (readonly [phrase: string, meaning: string])[] = [
  ['log in', 'login'],
  ['log on', 'login'],
  ['sign in', 'login'],
  ['single sign on', 'sso'],
  ['sign up', 'signup'],
  ['log out', 'logout'],
  ['sign out', 'logout'],
  ['set up', 'setup'],
  ['time out', 'timeout'],
  ['times out', 'timeout'],
  ['too long', 'timeout'],
  ['give up', 'timeout'],
  ['how long', 'timeout'],
  ['too large', 'limit'],
  ['too big', 'limit'],
  ['too many', 'limit'],
  ['at most', 'maximum'],
  ['how many', 'limit'],
  ['how much', 'price'],
  ['how fast', 'performance'],
  ['how slow', 'performance'],
  ['at the same time', 'parallel'],
  ['at once', 'parallel'],
  ['more than one', 'multiple'],
  ['turn on', 'enable'],
  ['turn off', 'disable'],
  ['switch on', 'enable'],
  ['switch off', 'disable'],
  ['shut down', 'stop'],
  ['get rid of', 'remove'],
  ['carry on', 'continue'],
  ['pick up', 'resume'],
  ['make sure', 'ensure'],
  ['keep track', 'track'],
  ['find out', 'discover'],
  ['who changed', 'audit'],
  ['who did', 'audit'],
  ['what changed', 'changelog'],
  ['look up', 'search'],
  ['look for', 'search'],
  ['step by step', 'tutorial'],
  ['getting started', 'quickstart'],
  ['get started', 'quickstart'],
  ['not working', 'troubleshoot'],
  ['not work', 'troubleshoot'],
  ['stopped working', 'troubleshoot'],
  ['no longer', 'deprecated'],
  ['go back', 'rollback'],
  ['by hand', 'manual'],
  ['my own', 'custom'],
  ['on my computer', 'local'],
  ['on my machine', 'local'],
  ['get told', 'notification'],
  ['be told', 'notification'],
  ['user name', 'username'],
  ['file system', 'filesystem'],
  ['open source', 'license'],
  ['load balancer', 'balancer'],
  ['air gapped', 'offline'],
];

const LONGEST_PHRASE = 4;

/** Meanings of the turns of phrase in a question, as stems. */
export function phrasesIn(words: readonly string[]): string[] {
  const meanings = new Set<string>();
  for (let at = 0; at < words.length; at += 1) {
    for (let length = 2; length <= LONGEST_PHRASE; length += 1) {
      const said = words.slice(at, at + length).join(' ');
      for (const [phrase, meaning] of PHRASES) if (phrase === said) meanings.add(stem(meaning));
    }
  }
  return [...meanings];
}
