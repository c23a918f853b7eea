import { isStorable, type Permission } from '@gateway/contract';
import * as z from 'zod';
import { emptyResponse, faulty, refuseRequest, unknown } from './answers.ts';
import { readBody, secretsIn } from './body.ts';
import type { Caller } from './caller.ts';
import { fieldsOf } from './fields.ts';
import type { Services } from './services.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/**
 * What opens a route: a permission (for the project in the address if `inProject` is set), the shared pair of the hosted
 * profile (accounts and plans), or a sign-in (for a caller's own data).
 */
export type Right = { readonly permission: Permission; readonly inProject?: true } | 'shared-pair' | 'signed-in';

/** The named segments of a path: `id` and `keyId` of `/api/users/:id/keys/:keyId`. */
type Named<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | Named<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** What a route's answer is made of. */
export interface Call<Body, Query, Name extends string = never> {
  readonly caller: Caller;
  /** The named segments of the address, decoded. */
  readonly parameters: Readonly<Record<Name, string>>;
  readonly body: Body;
  readonly query: Query;
  readonly request: Request;
  /** Where the request came from; null where that is not known. */
  readonly sourceAddress: string | null;
  readonly services: Services;
  /** When its caller is answered at the latest, on the clock of `performance.now()`. */
  readonly deadline: number;
}

/** A request whose caller was let in. */
type Entered = Omit<Call<null, null, string>, 'body' | 'query'> & {
  /** Judges the caller again once the body has come; null where it was here with the request. */
  readonly judgeAgain: (() => Promise<Caller | Response>) | null;
};

/** One row of the route table, which drives mounting, permission checks and the generated reference. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly right: Right;
  /** The right of a request whose query asks for more than the usual; absent where all take `right`. */
  readonly rightFor?: (address: URL) => Right;
  /** Whether it answers with a page, which a browser opens by its address. */
  readonly page: boolean;
  /** The additional permission that exporting the list as a file requires; null if it cannot be exported. */
  readonly exportRight: Permission | null;
  /** Its purpose, one sentence of the reference. */
  readonly summary: string;
  /** Its successful answer, for the reference: `201 provider`. */
  readonly answers: string;
  readonly query: z.ZodObject | null;
  readonly body: z.ZodType | null;
  /** Reads the input, refuses an invalid one, then does the work. The caller's right was checked before. */
  readonly run: (call: Entered) => Promise<Response>;
}

type Definition<Path extends string, Body, Query> = Omit<
  Route,
  'path' | 'query' | 'body' | 'run' | 'exportRight' | 'page'
> & {
  readonly path: Path;
  readonly page?: true;
  readonly exportRight?: Permission;
  readonly query?: z.ZodObject & z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Looks for secrets in its body itself, since it records attempts that it refuses. */
  readonly attempted?: true;
  /** Records nothing of its body, which may contain the caller's own key. */
  readonly relayed?: true;
  readonly handle: (call: Call<Body, Query, Named<Path>>) => Promise<Response>;
};

const NOTHING = z.strictObject({});

/** A row of the table whose input is typed by its own schemas; without one, any member or parameter is refused. */
export function route<const Path extends string, Body = Record<string, never>, Query = Record<string, never>>(
  definition: Definition<Path, Body, Query>,
): Route {
  const { handle, query, body, attempted = false, relayed = false, ...row } = definition;
  return {
    ...row,
    page: row.page ?? false,
    exportRight: row.exportRight ?? null,
    query: query ?? null,
    body: body ?? null,
    async run({ judgeAgain, ...call }) {
      for (const [name, value] of Object.entries(call.parameters)) {
        const kind = kindOf(row.path, name);
        if (kind !== null && !z.guid().safeParse(value).success) return unknown(kind);
      }
      const { pathname, searchParams } = new URL(call.request.url);
      // The router does not decode such a parameter; a wrong name would be stored for good.
      if (!isDecodable(pathname)) {
        return refuseRequest('malformed-request', { fault: 'the address holds a % that begins no character' });
      }
      // A form that found faults itself asks for the others, so that a person sees all of them at once.
      const isCheck = row.method !== 'GET' && searchParams.get('check') === 'input';
      if (isCheck) searchParams.delete('check', 'input');
      const given = [...searchParams];
      const unstorable = [...Object.entries(call.parameters), ...given].find(([, value]) => !isStorable(value));
      if (unstorable !== undefined) return faulty({ [unstorable[0]]: 'must be well-formed text without NUL' });
      const repeated = given.find(([name], index) => given.findIndex(([other]) => other === name) < index);
      if (repeated !== undefined) return faulty({ [repeated[0]]: 'is given more than once' });
      const parameters = (query ?? NOTHING).safeParse(Object.fromEntries(given));
      if (!parameters.success) return faulty(fieldsOf(parameters.error));
      if (row.method === 'GET') return handle({ ...call, query: parameters.data as Query, body: {} as Body });
      // A session is revoked by its exact name; nothing else in an address is stored this way.
      const { session: _, ...named } = call.parameters;
      const secrets = secretsIn(JSON.stringify(named));
      if (Object.keys(secrets).length > 0) return faulty(secrets);
      const read = await readBody(call.request, (body ?? NOTHING) as z.ZodType<Body>, {
        attempted: attempted || relayed,
      });
      if ('fault' in read) return read.fault;
      // A caller who lost the right while the body arrived changes nothing.
      const caller = judgeAgain === null ? call.caller : await judgeAgain();
      if (caller instanceof Response) return caller;
      if (isCheck) return emptyResponse();
      return handle({ ...call, caller, query: parameters.data as Query, body: read.body });
    },
  };
}

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** What an id in an address denotes: `/api/users/:id/keys/:keyId` names a user and a key; null for a segment that is no id. */
function kindOf(path: string, parameter: string): string | null {
  if (!/^(id|\w+Id)$/.test(parameter)) return null;
  const before = path.split(`/:${parameter}`)[0]?.split('/').at(-1) ?? 'thing';
  return before.replace(/s$/, '').replaceAll('-', ' ');
}
