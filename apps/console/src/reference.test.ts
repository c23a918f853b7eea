import { describe, expect, it } from 'vitest';
import { profile as onPremise } from './profile/on-premise.ts';
import { profile as serverless } from './profile/serverless.ts';
import { referenceOfRoutes } from './reference.ts';

// `vitest run apps/console/src/reference.test.ts -u` writes the page again after a change of a table.
describe('the reference', () => {
  it('of the API is what the route tables say', async () => {
    const text = referenceOfRoutes({ serverless: serverless.routes, 'on-premise': onPremise.routes });
    for (const { method, path } of serverless.routes) expect(text).toContain(`### ${method} ${path}\n`);
    await expect(text).toMatchFileSnapshot('../../../docs/console-api.md');
  });
});
