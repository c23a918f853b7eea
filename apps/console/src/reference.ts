import { roleOf } from '@gateway/contract';
import { roleLabel } from '@gateway/contract/labels';
import * as z from 'zod';
import type { Route } from './server/http/route.ts';

/** The part of a JSON schema that the reference shows. */
interface Shape {
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly enum?: readonly unknown[] }>>;
  readonly required?: readonly string[];
}

/** The members a schema takes, in its order: `name`, and `limit?` for one that may be left out. */
function membersOf(schema: z.ZodType | null): string {
  if (schema === null) return '';
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  return Object.entries(properties)
    .map(([name, { enum: choices }]) => {
      const values = choices === undefined ? '' : ` (\`${choices.map(String).join(' ')}\`)`;
      return `\`${name}${required.includes(name) ? '' : '?'}\`${values}`;
    })
    .join(', ');
}

function rightOf({ right }: Route): string {
  if (right === 'shared-pair') return 'Only the shared pair.';
  if (right === 'signed-in') return 'Everybody who is signed in.';
  const where = right.inProject ? ', for this project' : '';
  return `Permission \`${right.permission}\` (${roleLabel(roleOf(right.permission))})${where}.`;
}

function entry(route: Route, mounted: string): string {
  const lines = [
    `### ${route.method} ${route.path}`,
    route.summary,
    [
      `- Requires: ${rightOf(route)}`,
      `- Mounted in: ${mounted}.`,
      route.query === null ? '' : `- Query: ${membersOf(route.query)}.`,
      route.body === null ? '' : `- Body: ${membersOf(route.body)}.`,
      `- Answers: ${route.answers}.`,
      route.exportRight === null
        ? ''
        : `- As a file: \`Accept: text/csv\` or \`application/x-ndjson\`, or \`format\`; needs \`${route.exportRight}\` too.`,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  ];
  return lines.join('\n\n');
}

/** The reference of the console's API, made from the route tables of both builds. */
export function referenceOfRoutes(tables: {
  readonly serverless: readonly Route[];
  readonly 'on-premise': readonly Route[];
}): string {
  const key = ({ method, path }: Route) => `${method} ${path}`;
  const onPremise = new Set(tables['on-premise'].map(key));
  const hosted = new Set(tables.serverless.map(key));
  const all = new Map([...tables.serverless, ...tables['on-premise']].map((route) => [key(route), route]));
  const entries = [...all].map(([name, route]) =>
    entry(
      route,
      onPremise.has(name) ? (hosted.has(name) ? 'both profiles' : 'the on-premise profile') : 'the hosted profile',
    ),
  );
  return `# Console API

This page is generated from the console's route table. The table also mounts the routes and checks the permissions, and a test compares
it with this page. The API is internal: it may change between versions.

An address or a method that is not listed here is refused: 401 without sign-in, 404 with it. A missing permission gives 403 and the
sentence names it. Bad input gives 400 with \`{error, fields?}\`, an unknown id 404. A name that is taken, or an object that is still
referred to, gives 409. Members of a body or a query that are not listed are refused, and so is one given twice. A change with \`check=input\` in its query
is refused as it would be for its input, or answered with 204, and changes nothing. Lists take \`limit\` (default 50, at most 500) and
\`cursor\`. A cursor is the value of \`next\`, or of \`previous\` in a page that was requested with a cursor. Most lists take \`sort\`, the name of a
column, with \`-\` before it for descending order. A cursor keeps the order of its page; a file has the list's own order. A permission that the policy in force
forbids reads like a missing role.

The shared pair of the hosted profile may use every address of that profile. If a database does not answer in time, the console
answers 503 and changes nothing. One exception: if only the confirmation of a change is late, the change may be stored.

${entries.join('\n\n')}
`;
}
