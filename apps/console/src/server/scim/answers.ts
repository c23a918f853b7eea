import { ERROR } from './schemas.ts';

const HEADERS = { 'cache-control': 'no-store', 'content-type': 'application/scim+json; charset=utf-8' };

/** Detail keywords of RFC 7644, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** Why a request is not done: it becomes the error body of RFC 7644 section 3.12. */
export class ScimFault extends Error {
  override readonly name = 'ScimFault';
  readonly status: number;
  readonly scimType: ScimType | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: string,
    scimType: ScimType | null = null,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
    this.headers = headers;
  }
}

/** A value of the request that is not accepted. */
export const invalid = (detail: string): ScimFault => new ScimFault(400, detail, 'invalidValue');

export function scimResponse(status: number, value: object, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { ...HEADERS, ...headers } });
}

export function noContent(): Response {
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
}

export function faultAnswer({ status, message, scimType, headers }: ScimFault): Response {
  const body = {
    schemas: [ERROR],
    status: String(status),
    ...(scimType === null ? {} : { scimType }),
    detail: message,
  };
  return scimResponse(status, body, headers);
}
