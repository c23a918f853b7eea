import { baseline, checkUpgrade, type DatabaseAddress, migrate, migrationStatus } from '@gateway/database';
import { CommandFailed, type Context, Different, print, WrongUsage } from '../context/context.ts';
import { table } from '../context/list.ts';
import { ownerAddress } from '../context/owner-database.ts';

export interface MigrateOptions {
  readonly check?: true;
  readonly status?: true;
  readonly baseline?: string;
}

/** `migrate [--check] [--status] [--baseline N]` (client-29). */
export async function runMigrate(context: Context, options: MigrateOptions): Promise<void> {
  const address = ownerAddress(context.environment);
  const chosen = [options.check, options.status, options.baseline].filter((option) => option !== undefined);
  if (chosen.length > 1) throw new WrongUsage('Give one of --check, --status and --baseline.');
  if (options.check) {
    await check(context, address);
    return;
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

/** @throws CommandFailed where the migrations would fail. @throws Different where some are pending. */
async function check(context: Context, address: DatabaseAddress): Promise<void> {
  const found = await checkUpgrade(address);
  const { server, pending, serving, faults } = found;
  const breaking = pending.filter(({ breaks }) => breaks.length > 0);
  const lines = [
    `PostgreSQL ${server}`,
    pending.length === 0 ? 'The schema is current.' : `Pending migrations: ${pending.length}`,
    ...pending.map(
      ({ name, breaks }) =>
        `  ${name}${breaks.map((statement) => `\n    may end running services: ${statement}`).join('')}`,
    ),
    ...adviceOn(pending.length, breaking.length, serving),
  ];
  await print(context, found, lines);
  if (faults.length > 0) throw new CommandFailed(faults.join(' '));
  if (pending.length > 0) throw new Different();
}

function adviceOn(pending: number, breaking: number, serving: number): readonly string[] {
  if (pending === 0) return [];
  if (serving === 0) return ['No service is connected. Run: gatewayctl migrate'];
  if (breaking === 0)
    return [
      `Services keep running meanwhile (connections: ${serving}). Run: gatewayctl migrate, then replace one program after the other.`,
    ];
  return [`Services are connected (connections: ${serving}). Stop them first, then run: gatewayctl migrate`];
}
