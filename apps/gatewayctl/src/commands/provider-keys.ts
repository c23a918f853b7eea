import { listKeyVariableReports } from '@gateway/database/console';
import type { Context } from '../context/context.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { printList } from '../output/list.ts';

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
