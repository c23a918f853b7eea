import { createScanner } from '@gateway/secrets';
import { type Context, print } from '../context/context.ts';
import { table } from '../output/table.ts';

/** `secrets rules`: every rule of secret detection, with the document its form comes from. */
export async function runSecretsRules(context: Context): Promise<void> {
  const { rules } = createScanner({ key: new Uint8Array(0) });
  const lines = table(
    ['RULE', 'KIND', 'CONFIDENCE', 'FINDS', 'SOURCE'],
    rules.map(({ id, kind, confidence, title, source }) => [id, kind, confidence, title, source]),
    context.terminal.columns,
  );
  const shown = rules.map(({ id, kind, confidence, title, source }) => ({ id, kind, confidence, title, source }));
  await print(context, shown, [...lines, `${rules.length} rules.`]);
}
