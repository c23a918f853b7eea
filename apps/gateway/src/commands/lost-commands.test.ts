import { describe, expect, it } from 'vitest';
import { LostCommands } from './execution.ts';
import { ActiveCommands } from './running-command.ts';

const PATIENCE = 60_000;

function looking() {
  let orphans: readonly string[] | Error = [];
  const [lost, known, said]: [string[], (readonly string[])[], string[]] = [[], [], []];
  const commands = new ActiveCommands();
  const lostCommands = new LostCommands({
    commands,
    record: {
      async orphans(own) {
        known.push(own);
        if (orphans instanceof Error) throw orphans;
        return orphans;
      },
      async recordLost(ids) {
        const first = ids.filter((id) => !lost.includes(id));
        lost.push(...first);
        return first.length;
      },
    },
    report: (line) => said.push(line),
    patience: PATIENCE,
  });
  const look = async (at: number, seen: readonly string[] | Error) => {
    orphans = seen;
    await lostCommands.look(at);
  };
  return { look, lost, known, said, commands };
}

describe('commands without a gateway', () => {
  it('are lost after the grace period and logged for the operator', async () => {
    const { look, lost, said } = looking();
    await look(0, ['one']);
    await look(PATIENCE - 1, ['one', 'two']);
    expect([lost, said]).toEqual([[], []]);
    await look(PATIENCE, ['one', 'two']);
    expect(lost).toEqual(['one']);
    expect(said).toEqual([expect.stringContaining('the end of 1 agent command(s)')]);
    await look(2 * PATIENCE, ['two']);
    expect(lost).toEqual(['one', 'two']);
  });
  it('are logged only by the gateway that recorded them first', async () => {
    const { look, lost, said } = looking();
    lost.push('one');
    await look(0, ['one']);
    await look(PATIENCE, ['one']);
    expect(said).toEqual([]);
  });
  it('are not where their gateway was there meanwhile', async () => {
    const { look, lost } = looking();
    await look(0, ['one']);
    await look(PATIENCE / 2, []);
    await look(PATIENCE, ['one']);
    await look(2 * PATIENCE - 1, ['one']);
    expect(lost).toEqual([]);
  });
  it('are not lost where the database was unavailable, so that all heartbeats are missing', async () => {
    const { look, lost } = looking();
    await look(0, ['one']);
    await expect(look(PATIENCE / 2, new Error('away'))).rejects.toThrow('away');
    await look(PATIENCE, ['one']);
    expect(lost).toEqual([]);
  });
  it('are searched besides this gateway’s own commands', async () => {
    const { look, known, commands } = looking();
    commands.add('mine', { subject: 'ada', session: 's' });
    await look(0, []);
    expect(known).toEqual([['mine']]);
  });
});
