import {
  KEPT_LOGS,
  type KeptLog,
  type Retention,
  readRetention,
  setRetention,
} from '@gateway/database/audit-log/owner';
import { type Context, print, WrongUsage } from '../context/context.ts';
import { printList } from '../context/list.ts';
import { withAct } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';

function logOf(name: string): KeptLog {
  const log = KEPT_LOGS.find((one) => one === name);
  if (log) return log;
  throw new WrongUsage(`There is no log "${name}" with a retention. Name one of: ${KEPT_LOGS.join(', ')}.`);
}

function monthsOf(text: string): number | null {
  if (text === 'default') return null;
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new WrongUsage(`Give a number of months from 1 to 999, or default, not "${text}".`);
}

const describe = (months: number | null): string =>
  months === null ? 'without end' : `${months} whole ${months === 1 ? 'month' : 'months'}`;

/** `retention [LOG MONTHS]`: shows or sets the retention of each log. */
export async function runRetention(
  context: Context,
  [name, months]: readonly string[],
  options: { readonly author?: string },
): Promise<void> {
  if (name === undefined) return printRetention(context);
  const log = logOf(name);
  if (months === undefined) throw new WrongUsage('Give the months too, or default: gatewayctl retention decisions 12');
  const wanted = monthsOf(months);
  const { changed, kept } = await withAct(context, options.author, async (act) => ({
    changed: await setRetention(act, log, wanted),
    kept: (await readRetention(act.sql)).find((one) => one.log === log)?.months ?? null,
  }));
  const line = `${log}: kept ${describe(kept)}${changed ? '' : ' already; nothing changed'}.`;
  await print(context, { log, months: kept, changed }, [line]);
}

async function printRetention(context: Context): Promise<void> {
  const values = await withDatabase(context.environment, readRetention);
  const row = ({ log, months }: Retention) => [
    log,
    describe(months),
    log === 'results' ? 'the gateway' : 'gatewayctl archive',
  ];
  await printList(context, { header: ['log', 'kept', 'removed by'], values, row, none: '' }, undefined);
}
