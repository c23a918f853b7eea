import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changes, given, held, listed, reads, refused } from '../../testing/api.ts';
import { decision } from '../../testing/entries.ts';
import { fill, show } from '../../testing/show.tsx';
import { Verification } from './verification.tsx';

const KEYS = [
  {
    fingerprint: 'ab'.repeat(32),
    component: 'gateway',
    endorsed: true,
    endorsedBy: 'owner role',
    first: 1,
    last: 1200,
  },
  { fingerprint: 'cd'.repeat(32), component: 'gateway', endorsed: false, endorsedBy: null, first: 1201, last: 1234 },
];

const VERIFY = 'POST /api/audit/verification';

/** The lines of an answer, each sent when the returned function is called. */
function lineByLine() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  given(VERIFY, () => new Response(readable));
  return {
    send: (line: object) => writer.write(new TextEncoder().encode(`${JSON.stringify(line)}\n`)),
    end: () => writer.close(),
    cut: () => writer.abort(new TypeError('terminated')),
  };
}
const answered = (...lines: readonly object[]) =>
  given(VERIFY, () => new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));

const whole = [
  { verified: 0, total: 1234 },
  { result: 'whole', entries: 1234, keys: KEYS },
];
const broken = { result: 'broken', fault: 'digest', sequence: 7, sentence: 'Entry 7 was changed.', keys: KEYS };

function opened(at = '#audit/verification') {
  const { user } = show(<Verification />, at);
  const verify = () => user.click(screen.getByRole('button', { name: 'Verify' }));
  return { user, verify };
}
const note = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Checkpoint, if you have one' });

beforeEach(() => given('GET /api/audit/decisions', listed('decisions', [decision()])));

describe('the verification of a chain', () => {
  it('shows how far it is, then that the chain is intact, as of when', async () => {
    const { send, end } = lineByLine();
    const { verify } = opened();
    await verify();
    await send({ verified: 0, total: 2000 });
    expect(await screen.findByText('0 of 2,000 entries')).toBeDefined();
    await send({ verified: 500, total: 2000 });
    expect(await screen.findByText('500 of 2,000 entries')).toBeDefined();
    expect(screen.getByRole('progressbar', { name: 'Entries verified' }).getAttribute('aria-valuenow')).toBe('25');
    await send({ result: 'whole', entries: 2000, keys: KEYS });
    await end();
    const result = await screen.findByRole('status', { name: 'The chain is intact' });
    expect(result.textContent).toMatch(
      /2,000 entries: no gap, .*Decisions, as of \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC\.$/,
    );
    expect(result.textContent).toContain(`Key ${'ab'.repeat(32)} (gateway), endorsed: entries 1 to 1,200`);
    expect(result.textContent).toContain(`Key ${'cd'.repeat(32)} (gateway), NOT ENDORSED: entries 1,201 to 1,234`);
    expect(changes()).toEqual([[VERIFY, { chain: 'decisions' }]]);
  });

  it('is full at once in an empty log, and no division by nothing', async () => {
    const { send } = lineByLine();
    const { verify } = opened();
    await verify();
    await send({ verified: 0, total: 0 });
    expect((await screen.findByRole('progressbar')).getAttribute('aria-valuenow')).toBe('100');
  });

  it('runs once, however often the button is pressed', async () => {
    const { send, end } = lineByLine();
    const { verify } = opened();
    await verify();
    await verify();
    await send({ result: 'whole', entries: 1, keys: KEYS });
    await end();
    await screen.findByText('The chain is intact');
    expect(changes()).toHaveLength(1);
  });

  it('is of the chain in the address, and of the other once that is chosen', async () => {
    answered(...whole);
    const { user, verify } = opened('#audit/verification?chain=administration-actions');
    await verify();
    expect((await screen.findByRole('status')).textContent).toContain('Administration, as of');
    await user.click(screen.getByRole('radio', { name: 'Decisions' }));
    expect(location.hash).toBe('#audit/verification?chain=decisions');
    // What was verified before is not taken for the chain that is chosen now.
    expect(screen.getByRole('status').textContent).toContain('Administration, as of');
    await verify();
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Decisions, as of'));
    expect(changes().map(([, body]) => body)).toEqual([{ chain: 'administration-actions' }, { chain: 'decisions' }]);
  });
});

describe('a chain that breaks', () => {
  it('is named with its entry, which can be looked at as it is now', async () => {
    answered({ verified: 0, total: 9 }, broken);
    const { user, verify } = opened();
    await verify();
    const result = within(await screen.findByRole('status', { name: 'The chain breaks at entry 7' }));
    expect(result.getByText('Entry 7 was changed.')).toBeDefined();
    await user.click(await result.findByRole('button', { name: 'Show entry 7' }));
    expect(await screen.findByRole('dialog', { name: 'Entry 7' })).toBeDefined();
    expect(reads('/api/audit/decisions')).toEqual([{ sequence: '7', limit: '50' }]);
  });

  it('at an entry that is gone says that the database has none', async () => {
    given('GET /api/administration-actions', listed('administrationActions', []));
    answered({ ...broken, sequence: 8, fault: 'missing' });
    const { verify } = opened('#audit/verification?chain=administration-actions');
    await verify();
    expect(await screen.findByText('The database has no entry with this number.')).toBeDefined();
  });
});

describe('a verification that gives no result', () => {
  it('is not taken for a whole chain where the connection was cut', async () => {
    const { send, cut } = lineByLine();
    const { verify } = opened();
    await verify();
    await send({ verified: 5, total: 10 });
    await screen.findByText('5 of 10 entries');
    await cut();
    expect((await screen.findByRole('alert')).textContent).toBe(
      'The verification ended without a result. Run it again.',
    );
    expect(screen.queryByText('The chain is intact')).toBeNull();
  });

  it.each([
    ['it ended early', [{ verified: 5, total: 10 }]],
    ['it was empty', []],
  ] as const)('says so where %s', async (_, lines) => {
    answered(...lines);
    const { verify } = opened();
    await verify();
    expect((await screen.findByRole('alert')).textContent).toContain('ended without a result');
  });

  it('says why it was refused, and can be tried again', async () => {
    given(VERIFY, refused(403, 'You hold no role that carries journal:verifier-l-integrite here.'));
    const { verify } = opened();
    await verify();
    expect(await screen.findByRole('alert', { name: 'Not permitted' })).toBeDefined();
    answered(...whole);
    await verify();
    expect(await screen.findByText('The chain is intact')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('a checkpoint', () => {
  const NOTE = 'gateway journal checkpoint 1\ndecisions 7\n';

  it('that is pasted is sent along, and the result says so', async () => {
    answered(...whole);
    const { user, verify } = opened();
    await fill(user, note(), NOTE);
    await verify();
    expect((await screen.findByRole('status')).textContent).toMatch(/, against the checkpoint\.$/);
    expect(changes()).toEqual([[VERIFY, { chain: 'decisions', checkpoint: NOTE }]]);
  });

  it('of blanks alone is none', async () => {
    answered(...whole);
    const { user, verify } = opened();
    await fill(user, note(), '  \n ');
    await verify();
    await screen.findByRole('status');
    expect(changes()).toEqual([[VERIFY, { chain: 'decisions' }]]);
  });

  it('that is refused stays in its field, with the reason', async () => {
    const sentence = 'checkpoint is refused: the signature is not valid';
    given(VERIFY, refused(400, sentence, { fields: { checkpoint: 'is refused: the signature is not valid' } }));
    const { user, verify } = opened();
    await fill(user, note(), NOTE);
    await verify();
    expect((await screen.findByRole('alert')).textContent).toBe(sentence);
    expect(note().value).toBe(NOTE);
  });

  it('is taken now, into the field; nothing else runs meanwhile', async () => {
    const letGo = held('GET /api/audit/checkpoint', { checkpoint: NOTE });
    const { user, verify } = opened();
    await user.click(screen.getByRole('button', { name: 'Take a checkpoint now' }));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Take a checkpoint now' }).disabled).toBe(true);
    await verify();
    letGo();
    await waitFor(() => expect(note().value).toBe(NOTE));
    expect(changes()).toEqual([]);
  });
});
