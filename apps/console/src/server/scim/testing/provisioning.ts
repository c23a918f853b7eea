import { expect } from 'vitest';
import type { Client, Reply } from '../../../testing/client.ts';
import { type TestConsole, unique } from '../../../testing/console.ts';
import { USER } from '../schemas.ts';

export const TOKEN = '0123456789abcdef0123456789abcdef';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A client with the token of provisioning. */
export const provisioningClient = (of: TestConsole): Client =>
  of.withHeaders({ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/scim+json' });

export const setActive = (value: unknown) => ({
  schemas: [PATCH],
  Operations: [{ op: 'Replace', path: 'active', value }],
});

/** Creates a user over SCIM. */
export async function provisioned(client: Client, userName = unique('person'), more: object = {}) {
  const reply = await client.post('/scim/v2/Users', { schemas: [USER], userName, ...more });
  expect(reply.status, reply.text).toBe(201);
  return reply.json as { id: string; userName: string };
}

/** Expects an error of the protocol. */
export function isError(reply: Reply, status: number, scimType?: string) {
  expect(reply.headers.get('content-type')).toMatch(/^application\/scim\+json/);
  expect([reply.status, reply.json]).toMatchObject([
    status,
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      detail: expect.any(String) as string,
      ...(scimType === undefined ? {} : { scimType }),
    },
  ]);
}
