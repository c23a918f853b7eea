/** Comments, quoted texts and bodies of functions: nothing in them is a statement of the migration itself. */
const QUIET = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g;

/** What programs of the version before may need, with the name of each kind of change. */
const BREAKING: readonly (readonly [RegExp, string])[] = [
  [/^drop\s+(?:table|view|function|type|sequence|trigger)\b/i, 'drops what earlier programs use'],
  [/^alter\s+table\b[\s\S]*\bdrop\s+column\b/i, 'drops a column'],
  [/^alter\b[\s\S]*\brename\b/i, 'renames something'],
  [/^alter\s+table\b[\s\S]*\balter\s+(?:column\s+)?\S+\s+(?:set\s+data\s+)?type\b/i, 'changes the type of a column'],
  [/^alter\s+table\b[\s\S]*\bset\s+not\s+null\b/i, 'requires a value that earlier programs may not write'],
  [/^revoke\b/i, 'takes a right away'],
];

/** `add column … not null` without a default: an insert of an earlier program fails. */
const ADDED = /\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?\w+\s[^,;]*/gi;

/**
 * Why programs of the version before cannot go on beside a migration; empty where they can. It judges each statement by its words, so a
 * test can refuse a migration that would end running programs.
 */
export function breaksEarlier(text: string): readonly string[] {
  const statements = text
    .replaceAll(QUIET, ' ')
    .split(';')
    .map((statement) => statement.trim());
  const found = statements.flatMap((statement) => [
    ...BREAKING.filter(([pattern]) => pattern.test(statement)).map(([, reason]) => reason),
    ...(addsRequired(statement) ? ['requires a value that earlier programs do not write'] : []),
  ]);
  return [...new Set(found)];
}

/** Tables that were there before and are changed: a migration holds their locks together until it ends. */
export function changedTables(text: string): readonly string[] {
  const quiet = text.replaceAll(QUIET, ' ');
  const created = new Set(
    [...quiet.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, name]) => name),
  );
  const changed = quiet.matchAll(
    /\balter\s+table\s+(?:only\s+)?(\w+)|\bcreate\s+(?:unique\s+)?index\b[^;]*?\bon\s+(\w+)/gi,
  );
  const names = [...changed].map(([, altered, indexed]) => altered ?? indexed ?? '');
  return [...new Set(names)].filter((name) => !created.has(name));
}

function addsRequired(statement: string): boolean {
  if (!/^alter\s+table\b/i.test(statement)) return false;
  const added = statement.match(ADDED) ?? [];
  return added.some((one) => /\bnot\s+null\b/i.test(one) && !/\b(?:default|generated)\b/i.test(one));
}
