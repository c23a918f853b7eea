import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newState } from '../agent/state.ts';
import type { SessionState } from '../agent/types/index.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { createSessionStore } from './store.ts';

function stateAt(at: string, change: Partial<SessionState> = {}): SessionState {
  return { ...newState({ now: new Date(at), directory: '/p', project: '/p', model: 'Test' }), ...change };
}
async function world() {
  const home = temporaryFolder();
  const folder = join(home, '.gateway', 'sessions');
  await mkdir(folder, { recursive: true });
  const put = (name: string, content: string | Uint8Array): Promise<void> => writeFile(join(folder, name), content);
  return { folder, put, store: createSessionStore(home) };
}

describe('a session', () => {
  it('comes back as it was saved, whatever its messages hold', async () => {
    const { store } = await world();
    const state = stateAt('2026-11-21T09:00:00Z', {
      title: '"quoted" \\ 東京 🔑',
      cost: 0.25,
      checklist: [{ text: 'a\r\nb', state: 'doing' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '\u2028\u0000\ud83d' },
            { type: 'image', url: 'data:,' },
          ],
        },
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'Read', arguments: 'not json' }] },
        { role: 'tool', callId: 'a', content: '__proto__' },
      ],
    });
    await store.save(state);
    expect(await store.load(state.id)).toEqual(state);
  });
  it('of an earlier version, which counted no cost, is read', async () => {
    const { store, put } = await world();
    const { cost: _, ...earlier } = stateAt('2026-11-21T09:00:00Z');
    await put(`${earlier.id}.json`, JSON.stringify(earlier));
    expect(await store.load(earlier.id)).toMatchObject({ id: earlier.id });
  });
  it.each([
    '../../secret',
    'x',
    '',
    '019a0000-0000-7000-8000-000000000000/../x',
    '019A0000-0000-7000-8000-000000000000',
  ])('is not looked for under the identifier %j', async (id) => {
    const { store } = await world();
    expect(await store.load(id)).toBeNull();
  });
  it('that is saved many times at once leaves one whole file', async () => {
    const { store, folder } = await world();
    const state = stateAt('2026-11-21T09:00:00Z');
    await Promise.all(Array.from({ length: 20 }, (_, turns) => store.save({ ...state, turns })));
    expect(await readdir(folder)).toEqual([`${state.id}.json`]);
    expect((await store.load(state.id))?.turns).toBeLessThan(20);
  });
});

describe('the list', () => {
  it('gives the newest first, and nothing where no session was saved', async () => {
    const { store } = await world();
    const days = ['20', '22', '21'].map((day) => stateAt(`2026-11-${day}T09:00:00Z`));
    for (const state of days) await store.save(state);
    const { sessions } = await store.list();
    expect(sessions.map(({ updatedAt }) => updatedAt.slice(8, 10))).toEqual(['22', '21', '20']);
    expect(await createSessionStore(temporaryFolder()).list()).toEqual({ sessions: [], notices: [] });
  });
  it.each<[string, string | Uint8Array]>([
    ['an empty file', ''],
    ['a file that was cut', '{"version":1,"id":"019'],
    ['JSON of another kind', '[]'],
    ['null', 'null'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
    ['a session under another name', JSON.stringify(stateAt('2026-11-21T09:00:00Z'))],
    ['an instant that is none', JSON.stringify(stateAt('2026-11-21T09:00:00Z', { updatedAt: 'yesterday' }))],
  ])('moves aside %s, with its content', async (_, content) => {
    const { store, folder, put } = await world();
    await put('broken.json', content);
    const { sessions, notices } = await store.list();
    expect([sessions, notices.length]).toEqual([[], 1]);
    const [name = ''] = await readdir(join(folder, 'damaged'));
    expect(notices[0]).toContain(join(folder, 'damaged', name));
    expect(await readFile(join(folder, 'damaged', name))).toEqual(Buffer.from(content));
    expect(await store.list()).toEqual({ sessions: [], notices: [] });
  });
  it('leaves sessions of a later version where they are, and counts them', async () => {
    const { store, folder, put } = await world();
    const good = stateAt('2026-11-21T09:00:00Z');
    await store.save(good);
    const later = ['20', '22'].map((day) => ({ ...stateAt(`2026-11-${day}T09:00:00Z`), version: 2 }));
    for (const state of later) await put(`${state.id}.json`, JSON.stringify(state));
    const { sessions, notices } = await store.list();
    expect(sessions.map(({ id }) => id)).toEqual([good.id]);
    expect(notices).toEqual([`2 sessions of a later version of gw in ${folder}: update gw to open them.`]);
    expect(await readdir(folder)).toHaveLength(3);
    await expect(store.load(later[0]?.id ?? '')).rejects.toThrow(/was saved by a later version of gw. Update gw/);
  });
  it('names a file that cannot be read', async () => {
    const { store, folder } = await world();
    await symlink('other.json', join(folder, 'other.json'));
    expect((await store.list()).notices).toEqual([expect.stringMatching(/other\.json cannot be read: /)]);
  });
  it('leaves alone what is no file of a session', async () => {
    const { store, folder, put } = await world();
    await put('notes.txt', 'mine');
    await mkdir(join(folder, 'folder.json'));
    expect(await store.list()).toEqual({ sessions: [], notices: [] });
    expect(await readdir(folder)).toEqual(['folder.json', 'notes.txt']);
  });
  it('moves a damaged file aside once where several ask at the same time', async () => {
    const { store, folder, put } = await world();
    const good = stateAt('2026-11-21T09:00:00Z');
    await store.save(good);
    for (const name of ['a.json', 'b.json', 'c.json']) await put(name, 'damaged');
    const lists = await Promise.all(Array.from({ length: 8 }, () => store.list()));
    expect(lists.map(({ sessions }) => sessions.length)).toEqual(lists.map(() => 1));
    expect(lists.flatMap(({ notices }) => notices)).toHaveLength(3);
    expect(await readdir(join(folder, 'damaged'))).toHaveLength(3);
  });
  it('names a damaged file that cannot be moved, and gives the others', async () => {
    const { store, folder, put } = await world();
    const good = stateAt('2026-11-21T09:00:00Z');
    await store.save(good);
    await put('broken.json', 'damaged');
    await put('damaged', 'a file in the place of the folder');
    await chmod(join(folder, 'damaged'), 0o600);
    const { sessions, notices } = await store.list();
    expect(sessions.map(({ id }) => id)).toEqual([good.id]);
    expect(notices).toEqual([expect.stringMatching(/broken\.json contains no session and cannot be moved/)]);
  });
});
