import { parseActBatch } from '@gateway/contract';
import { mutated, mutatedJson } from '../mutate.ts';
import { Finding, type Target } from '../target.ts';

const ACT = {
  id: '01890000-0000-7000-8000-00000000000a',
  session: 'root',
  parentSession: 'parent',
  subject: 'somebody',
  at: '2026-01-31T10:00:00.000Z',
  tool: 'read_file',
  target: { kind: 'path', value: 'src/index.ts' },
  authorizedBy: 'human',
  outcome: 'succeeded',
  reason: 'asked',
};
const BATCH = { acts: [ACT, { ...ACT, target: { kind: 'command', value: 'git status' } }] };
const TEXTS = [Buffer.from(JSON.stringify(BATCH)), Buffer.from(JSON.stringify({ acts: [] }))];
const MEMBERS = new Set(Object.keys(ACT));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Acts of agents: an accepted act contains only the members of an act, and is accepted again unchanged. */
export const acts: Target = {
  name: 'acts',
  share: 21,
  concurrency: 1,
  open: async () => ({
    run(random) {
      const value =
        random.below(2) === 0 ? parsed(mutated(TEXTS, random, [...MEMBERS]).toString()) : mutatedJson(BATCH, random);
      const batch = parseActBatch(value);
      if (Reflect.get({}, 'polluted') !== undefined) throw new Finding('The prototype of all objects was changed.', '');
      if ('refused' in batch) return 'refused';
      const input = JSON.stringify(batch);
      for (const act of batch.acts) {
        const stranger = Object.keys(act).find((name) => !MEMBERS.has(name));
        if (stranger !== undefined) throw new Finding(`An act was taken with the member ${stranger}.`, input);
        if (input.includes('\\u0000') || !input.isWellFormed()) throw new Finding('A text cannot be stored.', input);
      }
      const again = parseActBatch(JSON.parse(input));
      if (JSON.stringify(again) !== input) throw new Finding('What was taken is not taken again as it is.', input);
      return 'accepted';
    },
  }),
};
