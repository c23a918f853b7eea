import { setTimeout as pause } from 'node:timers/promises';
import { requestProviderTest } from '@gateway/domain/provider/acts';
import { listKeyVariableReports, type ProviderTestState, readProviderTest } from '@gateway/domain/provider/console';
import { CommandFailed, type Context, print } from '../context/context.ts';
import { findProvider } from '../context/find.ts';
import { printList } from '../context/list.ts';
import { withAct } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';

/** `provider keys`: which key variables are set where the gateways run. Values are never known here. */
export async function runProviderKeys(context: Context, options: { readonly limit?: string }): Promise<void> {
  const reports = await withDatabase(context.environment, listKeyVariableReports);
  const values = reports.flatMap(({ gateway, reportedAt, isOld, present, absent }) => {
    const of = (names: readonly string[], isSet: boolean) =>
      names.map((variable) => ({ variable, gateway, set: isSet, reportedAt: reportedAt.toISOString(), old: isOld }));
    return [...of(absent, false), ...of(present, true)];
  });
  values.sort((one, other) => one.variable.localeCompare(other.variable, 'en'));
  const listing = {
    header: ['VARIABLE', 'GATEWAY', 'STATE', 'REPORTED'],
    values,
    row: ({ variable, gateway, set, reportedAt, old }: (typeof values)[number]) => [
      variable,
      gateway,
      set ? 'set' : 'not set',
      old ? `${reportedAt} (old)` : reportedAt,
    ],
    none: 'No gateway has reported a key variable in the last day. Start a gateway, and declare a provider with a key variable.',
  };
  await printList(context, listing, options.limit);
}

const POLL_MS = 300;
/** A gateway starts a test within seconds, or not at all after a minute. */
const WAIT_MS = 75_000;

/** `provider test SLUG`: asks a gateway for the models of the engine, because only the gateway has the key and the network. */
export async function runProviderTest(
  context: Context,
  slug: string,
  options: { readonly author?: string; readonly waitMs?: number },
): Promise<void> {
  const { id } = await withAct(context, options.author, async (act) =>
    requestProviderTest(act, await findProvider(act.sql, slug)),
  );
  const test = await finished(context, id, options.waitMs ?? WAIT_MS);
  if (test === null)
    throw new CommandFailed(
      `No gateway tested the provider ${slug} within a minute. Start a gateway, and run this again.`,
    );
  const { status, fault, models } = test;
  const isFine = fault === null && status !== null && status < 400;
  if (!isFine && !context.json)
    throw new CommandFailed(`The provider ${slug} failed the test: ${fault ?? `it answered ${status}`}.`);
  const served = models === null ? 'It lists no models.' : `It lists ${models.length} models: ${models.join(', ')}`;
  await print(context, { provider: slug, ok: isFine, status, fault, models }, [
    `The provider ${slug} answered ${status}.`,
    served,
  ]);
  if (!isFine) throw new CommandFailed(`The provider ${slug} failed the test.`);
}

/** The test once a gateway has finished it; null where none did in time. */
async function finished(context: Context, id: string, waitMs: number): Promise<ProviderTestState | null> {
  const until = Date.now() + waitMs;
  return withDatabase(context.environment, async (sql) => {
    for (;;) {
      const test = await readProviderTest(sql, id);
      if (test !== undefined && test.finishedAt !== null) return test;
      if (Date.now() >= until) return null;
      await pause(POLL_MS);
    }
  });
}
