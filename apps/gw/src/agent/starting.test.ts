import { describe, expect, it } from 'vitest';
import { NO_ORGANIZATION } from '../organization/open.ts';
import { call, recordOf, world } from './testing/session.ts';
import type { Snapshots } from './types/index.ts';

const nothing = async (): Promise<void> => undefined;
const SNAPSHOTS: Snapshots = {
  begin: nothing,
  beforeWrite: nothing,
  beforeCommand: nothing,
  afterCommand: nothing,
  end: nothing,
  undo: async () => null,
  redo: async () => null,
};
const fails = (message: string) => async (): Promise<never> => {
  throw new Error(message);
};

describe('a message', () => {
  it('of a session that the administration revoked calls no model and is not kept', async () => {
    const { session, requests, did, saved } = world([], {
      dependencies: { organization: { ...NO_ORGANIZATION, standing: async () => 'revoked' } },
    });
    expect(await session.submit('Go.')).toMatchObject({
      status: 'refused',
      error: { message: expect.stringContaining('revoked by your organization'), status: 403, revoked: true },
    });
    expect([requests, did, saved, session.state.turns]).toEqual([[], [], [], 0]);
  });

  it('is masked before it is recorded, saved and sent, and the person is informed', async () => {
    const { session, requests, saved, of } = world([]);
    await session.submit('SECRET and SECRET');
    expect(JSON.stringify([requests, saved, session.state])).not.toContain('SECRET');
    expect(session.state.title).toBe('*** and ***');
    expect(of('turn-started')).toEqual([{ type: 'turn-started', message: '*** and ***' }]);
    expect(of('notice')).toEqual([
      { type: 'notice', level: 'warning', text: '2 secrets were masked in your message before it was sent.' },
    ]);
  });

  it('with an image is recorded by its text, and every text part is masked', async () => {
    const texts: unknown[] = [];
    const record = { append: async (entry: { kind: string; text?: unknown }) => void texts.push(entry.text) };
    const { session, of } = world([], { dependencies: { record } });
    const url = 'data:image/png;base64,SECRET';
    await session.submit([
      { type: 'text', text: 'Look at SECRET: ' },
      { type: 'image', url },
      { type: 'text', text: 'and this' },
    ]);
    expect(texts).toEqual(['Look at ***: and this']);
    expect(session.state.messages[0]?.content).toEqual([
      { type: 'text', text: 'Look at ***: ' },
      { type: 'image', url },
      { type: 'text', text: 'and this' },
    ]);
    expect(of('notice')).toMatchObject([{ text: '1 secret was masked in your message before it was sent.' }]);
  });

  it.each([
    [false, 1],
    [true, 0],
    [null, 0],
  ])('with an image, to a model whose images are %j: %i warnings', async (images, warnings) => {
    const { session, of } = world([], { model: { images } });
    await session.submit([{ type: 'image', url: 'data:image/png;base64,AAAA' }]);
    expect(of('notice').filter(({ text }) => text.startsWith('Test accepts no images'))).toHaveLength(warnings);
    await session.submit('Only text.');
    expect(of('notice')).toHaveLength(warnings);
  });

  it('calls no model where the policy is not known', async () => {
    const { session, requests, saved } = world([], {
      dependencies: { beforeTurn: fails('The policy is not known: the gateway does not answer.') },
    });
    expect(await session.submit('Go.')).toMatchObject({
      status: 'failed',
      error: { message: 'The policy is not known: the gateway does not answer.', status: null },
    });
    expect([requests, saved, session.running]).toEqual([[], [], false]);
  });

  it('is not sent where it cannot be recorded', async () => {
    const record = recordOf(() => {
      throw new Error('The disk is full.');
    });
    const { session, requests, of } = world([], { dependencies: { record } });
    expect(await session.submit('Go.')).toMatchObject({ status: 'failed', error: { message: 'The disk is full.' } });
    expect([requests, session.state.turns, session.state.messages]).toEqual([[], 0, []]);
    expect(of('turn-ended')).toMatchObject([{ outcome: { status: 'failed' } }]);
  });

  it('gives the session its title, which later messages keep', async () => {
    const { session } = world([]);
    await session.submit('  First\n\n line \t here ');
    await session.submit('Second');
    expect([session.state.title, session.state.turns]).toEqual(['First line here', 2]);
  });
});

describe('what cannot be saved', () => {
  it('before the model is called ends the turn', async () => {
    const { session, requests } = world([], { dependencies: { save: fails('no space left') } });
    expect(await session.submit('Go.')).toMatchObject({ status: 'failed', error: { message: 'no space left' } });
    expect(requests).toEqual([]);
  });

  it('at the end of a turn is said, and does not hide the answer', async () => {
    let saves = 0;
    const save = async (): Promise<void> => {
      if ((saves += 1) === 3) throw new Error('no space left');
    };
    const { session, of } = world([], { dependencies: { save } });
    expect(await session.submit('Go.')).toMatchObject({ status: 'completed', answer: 'Done.' });
    expect(of('notice')).toEqual([{ type: 'notice', level: 'warning', text: 'The turn was not kept: no space left' }]);
    expect(session.running).toBe(false);
  });

  it('of the copies for undo keeps the conversation, which is saved all the same', async () => {
    const { session, of, saved } = world([new Error('The engine is gone.')], {
      dependencies: { snapshots: { ...SNAPSHOTS, end: fails('no space left') } },
    });
    await session.submit('One.');
    expect(of('notice').map(({ text }) => text)).toEqual(['The changes of this turn cannot be undone: no space left']);
    expect(saved).toHaveLength(2);
    expect(saved.at(-1)).toEqual(session.state);
  });

  it('of the copies for undo before the turn runs nothing', async () => {
    const { session, requests } = world([[call('do')]], {
      dependencies: { snapshots: { ...SNAPSHOTS, begin: fails('no space left') } },
    });
    expect(await session.submit('Go.')).toMatchObject({ status: 'failed', error: { message: 'no space left' } });
    expect(requests).toEqual([]);
  });
});

it('the copies for undo begin with the number of the turn and end with it', async () => {
  const seen: string[] = [];
  const { session } = world([[call('do')]], {
    dependencies: {
      snapshots: {
        ...SNAPSHOTS,
        begin: async (turn) => void seen.push(`begin ${turn}`),
        end: async () => void seen.push('end'),
      },
    },
  });
  await session.submit('One.');
  await session.submit('Two.');
  expect(seen).toEqual(['begin 1', 'end', 'begin 2', 'end']);
});
