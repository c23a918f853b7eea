import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import type { Json, SessionState } from '../agent/types/index.ts';
import { ownFolder, replaceFile } from '../files/replace.ts';
import { CommandFailed, reasonOf, WrongUsage } from '../process/fault.ts';
import { pluralize } from '../process/pluralize.ts';
import * as s from '../schema/index.ts';

const content = s.union([
  s.string(),
  s.array(
    s.union([
      s.object({ type: s.literal('text'), text: s.string() }),
      s.object({ type: s.literal('image'), url: s.string() }),
    ]),
  ),
]);
/** Read from JSON, so that it is JSON. */
const members = s.record(s.unknown() as s.Schema<Json>);
const message = s.union([
  s.object({ role: s.literal('system'), content: s.string() }),
  s.object({
    role: s.literal('user'),
    content,
    summary: s.boolean().optional(),
    steering: s.boolean().optional(),
  }),
  s.object({
    role: s.literal('assistant'),
    content: s.string(),
    toolCalls: s
      .array(
        s.object({
          id: s.string(),
          name: s.string(),
          arguments: s.string(),
          members: members.optional(),
          functionMembers: members.optional(),
        }),
      )
      .optional(),
    members: members.optional(),
    entry: s.string().optional(),
  }),
  s.object({
    role: s.literal('tool'),
    callId: s.string(),
    content: s.string(),
    images: s.array(s.string()).optional(),
    outcome: s.oneOf(['succeeded', 'failed', 'denied']).optional(),
  }),
]);
const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
const count = s.number({ min: 0 });

/** A saved session of this version. */
const stateShape: s.Schema<SessionState> = s.object({
  version: s.literal(1),
  id: s.string().refine(isUuid),
  parent: s.string().nullable(),
  title: s.string(),
  directory: s.string(),
  project: s.string(),
  model: s.string(),
  startedAt: s.instant(),
  updatedAt: s.instant(),
  turns: count,
  messages: s.array(message),
  usage: s.object({ inputTokens: count, outputTokens: count, calls: count }),
  contextTokens: count,
  // Sessions of earlier versions have none.
  cost: count.orNull(),
  checklist: s.array(s.object({ text: s.string(), state: s.oneOf(['open', 'doing', 'done']) })),
});

const laterShape = s.object({ version: s.number({ min: 2 }), id: s.string().refine(isUuid) });

/** The session of a file; `later` if a later version of the client saved it, null if it contains none. */
export function readState(text: string): SessionState | 'later' | null {
  try {
    const value: unknown = JSON.parse(text);
    return laterShape.valueOf(value) === null ? stateShape.valueOf(value) : 'later';
  } catch {
    return null;
  }
}

/** The sessions of a user: one file each, replaced as a whole. */
export interface SessionStore {
  save(state: SessionState): Promise<void>;
  /** Null where there is none of this identifier. Throws `WrongUsage` if a later version of the client saved it. */
  load(id: string): Promise<SessionState | null>;
  /**
   * The newest first. Files without a valid session are moved to `damaged`; `notices` names them, those that cannot be
   * read, and the number of those that a later version of the client saved, which stay.
   */
  list(): Promise<{ readonly sessions: readonly SessionState[]; readonly notices: readonly string[] }>;
}

const IDENTIFIER = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param home the user's home directory; the sessions are in `.gateway/sessions` below it. */
export function createSessionStore(home: string): SessionStore {
  const folder = join(home, '.gateway', 'sessions');
  const pathOf = (id: string): string => join(folder, `${id}.json`);

  /** What was done, in a sentence; null where another process moved the file before. */
  async function moveAside(name: string): Promise<string | null> {
    const damaged = join(folder, 'damaged');
    const to = join(damaged, `${name}.${Date.now()}`);
    try {
      await mkdir(damaged, { recursive: true, mode: 0o700 });
      await rename(join(folder, name), to);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      return `${join(folder, name)} contains no session and cannot be moved to ${damaged}: ${reasonOf(error)}`;
    }
    return `${join(folder, name)} contains no session. It was moved to ${to}.`;
  }

  return {
    async save(state) {
      try {
        await ownFolder(folder);
        await replaceFile(pathOf(state.id), `${JSON.stringify(state)}\n`);
      } catch (error) {
        throw new CommandFailed(`The session cannot be saved in ${folder}: ${reasonOf(error)}`);
      }
    },
    async load(id) {
      if (!IDENTIFIER.test(id)) return null;
      const text = await readFile(pathOf(id), 'utf8').catch(() => null);
      const state = text === null ? null : readState(text);
      if (state === 'later')
        throw new WrongUsage(`${pathOf(id)} was saved by a later version of gw. Update gw to open it.`);
      return state?.id === id ? state : null;
    },
    async list() {
      const names = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT') return [];
        throw new CommandFailed(`The sessions in ${folder} cannot be read: ${reasonOf(error)}`);
      });
      const sessions: SessionState[] = [];
      const notices: (string | null)[] = [];
      let later = 0;
      for (const entry of names) {
        if (!entry.name.endsWith('.json') || entry.isDirectory()) continue;
        try {
          const state = readState(await readFile(join(folder, entry.name), 'utf8'));
          if (state === 'later') later += 1;
          else if (state !== null && entry.name === `${state.id}.json`) sessions.push(state);
          else notices.push(await moveAside(entry.name));
        } catch (error) {
          if (errorCode(error) === 'ENOENT') continue; // removed meanwhile
          notices.push(`${join(folder, entry.name)} cannot be read: ${reasonOf(error)}`);
        }
      }
      if (later > 0)
        notices.push(`${pluralize(later, 'session')} of a later version of gw in ${folder}: update gw to open them.`);
      sessions.sort((one, other) =>
        one.updatedAt < other.updatedAt ? 1 : one.updatedAt > other.updatedAt ? -1 : other.id < one.id ? -1 : 1,
      );
      return { sessions, notices: notices.filter((line) => line !== null) };
    },
  };
}
