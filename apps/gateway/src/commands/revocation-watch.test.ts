import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StandingQuery, type Standings, sessionKey } from '@gateway/domain/session/gateway';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionDirectories, type SessionOwner } from './directories.ts';
import { ActiveCommands, RevocationWatch, type RunningCommand, type StopCause } from './running-command.ts';
import { makeWorkdir } from './testing/run.ts';

const NOTHING: Standings = {
  revokedSessions: new Set(),
  revokedSubjects: new Set(),
  disabledSubjects: new Set(),
  revokedKeys: new Set(),
  interruptedCommands: new Set(),
};
const ADA = { subject: 'ada', session: 'one' };

let workdir: Awaited<ReturnType<typeof makeWorkdir>>;
let directories: SessionDirectories;
let commands: ActiveCommands;
let asked: StandingQuery[];
let said: string[];
let answer: Standings | null;

beforeEach(async () => {
  workdir = await makeWorkdir();
  directories = new SessionDirectories(workdir.path, async () => {});
  commands = new ActiveCommands();
  asked = [];
  said = [];
  answer = NOTHING;
});
afterEach(() => workdir.remove());

const watching = (more: { sweepPeriod?: number; patience?: number } = {}) =>
  new RevocationWatch({
    commands,
    directories,
    report: (line) => said.push(line),
    sweepPeriod: 0,
    ...more,
    standings: async (query) => {
      asked.push(query);
      if (answer === null) throw new Error('silent');
      return answer;
    },
  });
/** A command that runs, and why it was stopped. */
function running(identifier: string, owner: SessionOwner = ADA) {
  const causes: StopCause[] = [];
  const entry = commands.add(identifier, owner);
  entry.attach({ stop: (cause: StopCause) => causes.push(cause) } as unknown as RunningCommand);
  return { causes, ...entry };
}

describe('the watch for revocations', () => {
  it('sends no query while there is nothing to query', async () => {
    await watching().look();
    expect(asked).toEqual([]);
  });
  it('queries running commands and directories', async () => {
    running('1');
    running('2', { subject: 'ada', session: 'two' });
    await directories.open({ subject: 'eve', session: 'old' });
    await watching().look();
    expect(asked).toEqual([
      {
        sessions: [ADA, { subject: 'ada', session: 'two' }, { subject: 'eve', session: 'old' }],
        subjects: ['ada', 'eve'],
        registered: [],
        keys: [],
        commands: ['1', '2'],
      },
    ]);
  });
  it.each([
    ['revokedSessions', sessionKey(ADA), 'revoked'],
    ['revokedSubjects', 'ada', 'revoked'],
    ['disabledSubjects', 'ada', 'revoked'],
    ['interruptedCommands', '1', 'interrupted'],
  ] as const)('stops a command by its %s, and no other', async (kind, name, cause) => {
    const [mine, other] = [running('1'), running('2', { subject: 'eve', session: 'two' })];
    answer = { ...NOTHING, [kind]: new Set([name]) };
    await watching().look();
    expect(mine.causes).toEqual([cause]);
    expect(other.causes).toEqual([]);
  });
  it('queries once for each account of running commands whether it is still in the registry', async () => {
    commands.add('1', ADA, true);
    commands.add('2', { subject: 'ada', session: 'two' }, true);
    commands.add('3', { subject: 'eve', session: 'three' });
    await watching().look();
    expect(asked.map(({ registered }) => registered)).toEqual([['ada']]);
  });
  it('finds a command that is permitted but does not run yet', async () => {
    const entry = commands.add('1', ADA);
    answer = { ...NOTHING, revokedSessions: new Set([sessionKey(ADA)]) };
    await watching().look();
    const causes: StopCause[] = [];
    entry.attach({ stop: (cause: StopCause) => causes.push(cause) } as unknown as RunningCommand);
    expect(causes).toEqual(['revoked']);
  });
  it.each(['revokedSessions', 'revokedSubjects'] as const)(
    'destroys the directory of %s, once no command uses it',
    async (kind) => {
      const directory = await directories.open(ADA);
      const kept = await directories.open({ subject: 'eve', session: 'two' });
      writeFileSync(join(directory, 'file'), 'x');
      const command = running('1');
      answer = { ...NOTHING, [kind]: new Set([sessionKey(ADA), 'ada']) };
      const watch = watching();
      await watch.look();
      expect(existsSync(directory)).toBe(true);
      command.remove();
      await watch.look();
      expect(existsSync(directory)).toBe(false);
      expect(existsSync(kept)).toBe(true);
      expect(directories.known()).toEqual([{ subject: 'eve', session: 'two' }]);
    },
  );
  it('leaves the directory of a disabled account: it may be enabled again', async () => {
    const directory = await directories.open(ADA);
    answer = { ...NOTHING, disabledSubjects: new Set(['ada']) };
    await watching().look();
    expect(existsSync(directory)).toBe(true);
  });
  it('queries directories less often than commands', async () => {
    running('1');
    await directories.open({ subject: 'eve', session: 'old' });
    const watch = watching({ sweepPeriod: 1e9 });
    await watch.look();
    await watch.look();
    expect(asked.map(({ sessions }) => sessions)).toEqual([[ADA], [ADA]]);
  });
  it('queries many directories in batches, and each of them', async () => {
    for (let index = 0; index < 1100; index += 1) await directories.open({ subject: 's', session: `n${index}` });
    const watch = watching();
    for (let turn = 0; turn < 3; turn += 1) await watch.look();
    for (const { sessions } of asked) expect(sessions).toHaveLength(500);
    expect(new Set(asked.flatMap(({ sessions }) => sessions.map(sessionKey))).size).toBe(1100);
  });
  it('stops everything when it has had no answer for too long, and not before', async () => {
    const command = running('1');
    answer = null;
    const watch = watching({ patience: 1e9 });
    await watch.look();
    expect(command.causes).toEqual([]);
    const impatient = watching({ patience: 0 });
    await impatient.look();
    expect(command.causes).toEqual(['unreadable']);
  });
  it('reports what it could not remove and retries', async () => {
    await directories.open(ADA);
    answer = { ...NOTHING, revokedSessions: new Set([sessionKey(ADA)]) };
    const stuck = Object.assign(Object.create(directories) as SessionDirectories, {
      known: () => [ADA],
      destroy: async () => {
        throw new Error('busy');
      },
    });
    const standings = async () => answer ?? NOTHING;
    const watch = new RevocationWatch({
      commands,
      directories: stuck,
      standings,
      report: (line) => said.push(line),
      sweepPeriod: 0,
    });
    await watch.look();
    await watch.look();
    expect(said).toHaveLength(2);
    expect(said[0]).toMatch(/could not be removed.*busy/);
  });
  it('looks by itself once it is started, until it is stopped', async () => {
    const command = running('1');
    const looked = Promise.withResolvers<void>();
    const watch = new RevocationWatch({
      commands,
      directories,
      report: () => {},
      period: 1,
      standings: async () => {
        looked.resolve();
        return { ...NOTHING, revokedSubjects: new Set(['ada']) };
      },
    });
    watch.start();
    await looked.promise;
    watch.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(command.causes[0]).toBe('revoked');
  });
});
