import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';
import { isError, provisioned, provisioningClient, TOKEN } from './testing/provisioning.ts';

let hosted: TestConsole;
let scim: Client;
beforeAll(async () => {
  hosted = await startTestConsole({ environment: { CONSOLE_SCIM_TOKEN: TOKEN } });
  scim = provisioningClient(hosted);
});
afterAll(() => hosted.stop());

describe('a list', () => {
  it('finds by name and external id, as the providers ask before they create', async () => {
    const userName = unique('found');
    const { id } = await provisioned(scim, userName, {
      externalId: `E-${userName}`,
      emails: [{ value: `${userName}@example.com`, type: 'work' }],
    });
    const found = async (filter: string, more = '') => {
      const reply = await scim.get(`/scim/v2/Users?filter=${encodeURIComponent(filter)}${more}`);
      expect(reply.json.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:ListResponse']);
      return (reply.json.Resources as { id: string }[]).map((one) => one.id);
    };
    expect(await found(`userName eq "${userName.toUpperCase()}"`)).toEqual([id]);
    expect(await found(`userName eq "${userName}"`, '&startIndex=1&count=100')).toEqual([id]);
    expect(await found(`externalId eq "E-${userName}"`)).toEqual([id]);
    expect(await found(`externalId eq "e-${userName}"`)).toEqual([]);
    expect(await found(`id eq "${id}"`)).toEqual([id]);
    expect(await found(`emails[type eq "work"].value eq "x" or userName eq "${userName}"`)).toEqual([id]);
    expect(await found(`emails[type eq "work" and value eq "${userName}@example.com"] and active eq true`)).toEqual([
      id,
    ]);
    expect(await found('userName eq "6f7b1b9c-8f3e-4d6a-9d0e-1c2b3a4d5e6f"')).toEqual([]);
    isError(await scim.get('/scim/v2/Users?filter=userName'), 400, 'invalidFilter');
  });

  it('comes in pages of a stable order, and an empty one where only the number is wanted', async () => {
    for (let number = 0; number < 5; number += 1) await provisioned(scim);
    const all = (await scim.get('/scim/v2/Users')).json as { totalResults: number; Resources: { id: string }[] };
    expect(all.totalResults).toBe(all.Resources.length);
    const ids: string[] = [];
    for (let start = 1; start <= all.totalResults; start += 2) {
      const page = (await scim.get(`/scim/v2/Users?startIndex=${start}&count=2`)).json;
      expect(page).toMatchObject({
        totalResults: all.totalResults,
        startIndex: start,
        itemsPerPage: page.Resources.length,
      });
      ids.push(...(page.Resources as { id: string }[]).map(({ id }) => id));
    }
    expect(ids).toEqual(all.Resources.map(({ id }) => id));
    // A page that begins within its own length: nothing of it is skipped.
    const second = (await scim.get('/scim/v2/Users?startIndex=2&count=3')).json;
    expect((second.Resources as { id: string }[]).map(({ id }) => id)).toEqual(ids.slice(1, 4));
    expect(second.itemsPerPage).toBe(3);
    expect((await scim.get('/scim/v2/Users?count=0')).json).toMatchObject({
      totalResults: all.totalResults,
      Resources: [],
    });
    expect((await scim.get('/scim/v2/Users?startIndex=0&count=-1')).json).toMatchObject({
      startIndex: 1,
      Resources: [],
    });
    isError(await scim.get('/scim/v2/Users?count=many'), 400, 'invalidValue');
  });
});
