import { createScanner } from '@gateway/secrets';
import type { Context } from '../context/context.ts';
import { printList } from '../output/list.ts';

/** `secrets rules`: every rule of secret detection, with the document its form comes from. */
export async function runSecretsRules(context: Context, options: { readonly limit?: string }): Promise<void> {
  const { rules } = createScanner({ key: new Uint8Array(0) });
  const listing = {
    header: ['RULE', 'KIND', 'CONFIDENCE', 'FINDS', 'SOURCE'],
    values: rules.map(({ id, kind, confidence, title, source }) => ({ id, kind, confidence, title, source })),
    row: (rule: (typeof rules)[number]) => [rule.id, rule.kind, rule.confidence, rule.title, rule.source],
    none: 'There is no rule.',
  };
  await printList(context, listing, options.limit);
}
