import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newState } from '../agent/state.ts';
import type { SessionState } from '../agent/types/index.ts';
import { readState } from './store.ts';

const STATE: SessionState = {
  ...newState({ now: new Date('2026-06-01T12:00:00Z'), directory: '/p', project: '/p', model: 'Test' }),
  messages: [
    { role: 'user', content: 'a', summary: true },
    { role: 'user', content: [{ type: 'text', text: 'b' }] },
    { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'Read', arguments: '{}' }] },
    { role: 'tool', callId: '1', content: 'c' },
  ],
  checklist: [{ text: 'd', state: 'done' }],
};

describe('a saved session', () => {
  it('is read as it was written', () => {
    expect(readState(JSON.stringify(STATE))).toEqual(STATE);
  });

  it.each([
    ['version', 0],
    ['version', '2'],
    ['id', 'not-a-uuid'],
    ['id', '../../../etc/passwd'],
    ['startedAt', 'yesterday'],
    ['turns', -1],
    ['turns', '1'],
    ['messages', [{ role: 'developer', content: '' }]],
    ['messages', [{ role: 'user', content: [{ type: 'audio', url: '' }] }]],
    ['messages', [{ role: 'assistant', content: null }]],
    ['messages', [{ role: 'tool', content: 'without its call' }]],
    ['usage', { inputTokens: 1, outputTokens: 1 }],
    ['checklist', [{ text: 'a', state: 'later' }]],
    ['parent', undefined],
  ])('is none with the member %s as %j', (name, value) => {
    expect(readState(JSON.stringify({ ...STATE, [name]: value }))).toBeNull();
  });

  it('of a later version is told from one that is damaged', () => {
    expect(readState(JSON.stringify({ version: 2, id: STATE.id }))).toBe('later');
    expect(readState(JSON.stringify({ version: 2, id: 'not-a-uuid' }))).toBeNull();
  });

  it('is read without members that a later version may add', () => {
    expect(readState(JSON.stringify({ ...STATE, later: true }))).toEqual(STATE);
  });
});

it('a file that is cut anywhere, or any other text, is no session and no exception', () => {
  const text = JSON.stringify(STATE);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.nat(text.length - 1).map((at) => text.slice(0, at)),
        fc.json(),
        fc.string(),
      ),
      (broken) => {
        expect(readState(broken)).toBeNull();
      },
    ),
  );
});
