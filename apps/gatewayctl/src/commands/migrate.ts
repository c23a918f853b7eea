import { baseline, migrate, migrationStatus } from '@gateway/database';
import { type Context, print } from '../context.ts';
import { WrongUsage } from '../fault.ts';
import { ownerAddress } from '../owner-database.ts';
import { table } from '../table.ts';

export interface MigrateOptions {
  readonly status?: true;
  readonly baseline?: string;
}

/** `migrate [--status] [--baseline N]` (specification, Operator commands). */
export async function runMigrate(context: Context, options: MigrateOptions): Promise<void> {
  const address = ownerAddress(context.environment);
  if (options.status && options.baseline !== undefined) {
    throw new WrongUsage('Give --status or --baseline, not both.');
  }
  if (options.status) {
    const all = await migrationStatus(address);
    const rows = all.map(({ name, state, appliedAt }) => [name, state, appliedAt?.toISOString() ?? '']);
    await print(context, all, table(['MIGRATION', 'STATE', 'APPLIED AT'], rows, context.terminal.columns));
    return;
  }
  if (options.baseline !== undefined) {
    if (!/^\d{1,4}$/.test(options.baseline)) throw new WrongUsage('--baseline takes the number of the last migration.');
    const number = Number(options.baseline);
    await baseline(address, number);
    await print(context, { baseline: number }, [`Recorded migrations 1 to ${number} as applied; none was run.`]);
    return;
  }
  const applied = (await migrate(address)).map(({ name }) => name);
  const lines =
    applied.length > 0 ? applied.map((name) => `Applied ${name}`) : ['Nothing to apply: the schema is current.'];
  await print(context, { applied }, lines);
}
